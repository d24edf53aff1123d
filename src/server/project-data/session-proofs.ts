import type { Kysely, Selectable } from 'kysely';
import type { PatchProof, ProvenCommit } from '#contract/proofs.ts';
import type { DebugSessionsTable } from '#db/debug-tables.ts';
import type { Database } from '#db/schema.ts';

type SessionKey = Pick<Selectable<DebugSessionsTable>, 'project_id' | 'id'>;

/** Newest proofs of a session that are read for its answer. */
const MAX_PROOFS = 50;

/** Results of the proofs of a session that a user may see; those about drafts are their author's. */
interface ProofFindings {
  /** Newest proof of each kind, the newest first. */
  proofs: { id: string }[];
  /** The commit that is proven to have introduced the error. */
  proven: ProvenCommit | null;
  /** The verification of the answer's own patch. */
  verified: PatchProof | null;
}

/** Loads what proofs say about an answer. */
export async function loadSessionProofs(
  db: Kysely<Database>,
  { project_id, id, answer }: SessionKey & Pick<Selectable<DebugSessionsTable>, 'answer'>,
  userId: string,
): Promise<ProofFindings> {
  const rows = await db
    .selectFrom('proofs')
    .select(['id', 'kind', 'source', 'state', 'ending', 'request', 'result'])
    .where('project_id', '=', project_id)
    .where('session_id', '=', id)
    .where((eb) => eb.or([eb('draft', '=', false), eb('user_id', '=', userId)]))
    .orderBy('id', 'desc')
    .limit(MAX_PROOFS)
    .execute();
  const proven = rows.find(({ ending }) => ending === 'proven');
  const culprit = proven?.result?.culprit;
  const verified = rows.find(
    ({ ending, request }) => ending === 'verified' && isSamePatch(request.patch?.text, answer.patch),
  );
  return {
    proofs: rows.map(({ id }) => ({ id })),
    proven:
      proven && culprit
        ? { proof_id: proven.id, commit: culprit, command: proven.request.command, source: proven.source }
        : null,
    verified: verified
      ? { proof_id: verified.id, command: verified.request.command, check: verified.request.check }
      : null,
  };
}

/** Compares what two patches change; git writes their headers in several ways. */
function isSamePatch(a: string | undefined, b: string | null): boolean {
  return a !== undefined && b !== null && changedLines(a) === changedLines(b);
}

function changedLines(patch: string): string {
  return patch
    .split('\n')
    .filter((line) => /^[+-]/.test(line))
    .join('\n');
}

/** The verification of a patch of a session that makes exactly this tree; null without any that the user may see. */
export async function findVerifiedTree(
  db: Kysely<Database>,
  { project_id, id }: SessionKey,
  { tree, userId }: { tree: string; userId: string },
): Promise<PatchProof | null> {
  const row = await db
    .selectFrom('proofs')
    .select(['id', 'request'])
    .where('project_id', '=', project_id)
    .where('session_id', '=', id)
    .where('verified_tree', '=', tree)
    .where((eb) => eb.or([eb('draft', '=', false), eb('user_id', '=', userId)]))
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ? { proof_id: row.id, command: row.request.command, check: row.request.check } : null;
}
