import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import { visibleSessions } from '../project-data/debug-sessions.ts';

const MAX_ANSWERS = 20;
/** Newest sessions of a project whose answers are read. */
const MAX_READ = 500;

/** Lists the newest answers of a project that point at a file, or at these lines of it, as far as the user may see them. */
export async function listAnswersAbout(
  db: Kysely<Database>,
  { projectId, userId, path }: { projectId: string; userId: string; path: string },
): Promise<{ id: string; title: string; created_at: string }[]> {
  const rows = await db
    .with('newest', () =>
      visibleSessions(db, userId)
        .where('s.project_id', '=', projectId)
        .select(['s.id', 's.title', 's.created_at', 's.answer'])
        .orderBy('s.id', 'desc')
        .limit(MAX_READ),
    )
    .selectFrom('newest')
    .select(['id', 'title', 'created_at'])
    .where(sql<boolean>`answer->'places' @> ${JSON.stringify([{ path }])}::jsonb`)
    .orderBy('id', 'desc')
    .limit(MAX_ANSWERS)
    .execute();
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
