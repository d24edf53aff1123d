import type { Kysely, Selectable } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { ProjectsTable } from '#db/project-tables.ts';
import type { Database } from '#db/schema.ts';
import type { ProofRow } from './queries.ts';

/** Error that a proof is about, and its project. */
export interface ProofSession {
  project: Selectable<ProjectsTable>;
  /** User for whom the proof runs: its author, or that of the session. */
  userId: string;
  request: Record<string, unknown>;
  errorText: string;
}

/** Loads the error of a proof. Throws `not_found` when it was deleted. */
export async function loadProofSession(
  db: Kysely<Database>,
  proof: Pick<ProofRow, 'project_id' | 'session_id' | 'user_id'>,
): Promise<ProofSession> {
  const [project, session] = await Promise.all([
    db.selectFrom('projects').selectAll().where('id', '=', proof.project_id).executeTakeFirst(),
    db
      .selectFrom('debug_sessions')
      .select(['request', 'user_id'])
      .where('project_id', '=', proof.project_id)
      .where('id', '=', proof.session_id)
      .executeTakeFirst(),
  ]);
  if (!project || !session) throw new AppError('not_found', 'debug_session_not_found');
  const errorText = String(session.request.error_message ?? '');
  return { project, userId: proof.user_id ?? session.user_id, request: session.request, errorText };
}

/** Good runs after which a commit counts as good, by the newest reproduction of the same command in the session; 1 without any. */
export async function findKnownRepeat(
  db: Kysely<Database>,
  { project_id, session_id, request, kind }: ProofRow,
): Promise<number> {
  if (kind !== 'bisect') return 1;
  const rows = await db
    .selectFrom('proofs')
    .select(['request', 'result'])
    .where('project_id', '=', project_id)
    .where('session_id', '=', session_id)
    .where('kind', '=', 'reproduce')
    .where('state', '=', 'done')
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
  return rows.find((row) => row.request.command === request.command)?.result?.repeat ?? 1;
}
