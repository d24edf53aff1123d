import type { Kysely } from 'kysely';
import type { Proof } from '#contract/proofs.ts';
import { renderSentence } from '#contract/sentence.ts';
import type { Database } from '#db/schema.ts';
import { formatMessage } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';
import { countAhead, listProofRuns, type ProofRow } from './queries.ts';

interface Reader {
  language: Language;
  userId: string;
  /** True for members who may cancel any proof of the project. */
  isOwner: boolean;
}

/** Formats a proof with its runs for a reader. */
export async function presentProof(db: Kysely<Database>, row: ProofRow, reader: Reader): Promise<Proof> {
  const { id, project_id, session_id, kind, state, source, ending, first_bad, request } = row;
  const [runs, ahead, author] = await Promise.all([
    listProofRuns(db, row),
    countAhead(db, row),
    findUsername(db, row.user_id),
  ]);
  const isUnfinished = state === 'queued' || state === 'running';
  const message = formatConclusion(row, reader.language);
  return {
    ...{ id, project_id, session_id, kind, state, source, ending, first_bad, ahead, author },
    ...request,
    result: row.started_at === null && source === 'server' ? null : presentResult(row, runs),
    ...(message !== null && { message }),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    is_cancellable: isUnfinished && (row.user_id === reader.userId || reader.isOwner),
  };
}

type StoredRuns = Awaited<ReturnType<typeof listProofRuns>>;

function presentResult({ first_bad, ending, result }: ProofRow, runs: StoredRuns): Proof['result'] {
  const executed = new Set(runs.map(({ commit }) => commit));
  return {
    first_bad,
    ending,
    runs: runs.map(({ number, commit, outcome, ms, purpose, message, skip_reason, has_log }) => ({
      ...{ number, commit, outcome, ms, purpose, message, skip_reason, has_log },
    })),
    reused: (result?.reused ?? []).filter(({ commit }) => !executed.has(commit)),
    current: result?.current ?? null,
    runs_left: result?.runs_left ?? null,
    candidates: result?.candidates ?? [],
    failure: result?.failure ?? null,
    ...(result?.verified !== undefined && { verified: result.verified }),
  };
}

/** Conclusion of a proof, or the reason for which it has none; null while it runs and after it was cancelled. */
function formatConclusion(
  { ending, failure, first_bad, result }: ProofRow,
  language: Language,
): string | null {
  if (failure) return renderSentence(failure, language);
  if (ending === null) return null;
  const commit = (first_bad ?? '').slice(0, 7);
  const count = result?.candidates.length ?? 0;
  return formatMessage(language, `proofs.ending.${ending}`, { commit, count });
}

async function findUsername(db: Kysely<Database>, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst();
  return row?.username ?? null;
}
