import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';

/** Finds the owner of a project, whom its jobs are queued for; null when the project was deleted. */
async function findProjectOwner(db: Kysely<Database>, projectId: string): Promise<string | null> {
  const row = await db
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('direct_role', '=', 'owner')
    .orderBy('created_at')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

interface ProjectJob {
  project_id: string;
}

/** Options of jobs that run once per project, and whose owners take turns. */
export function projectJobOptions(deps: Pick<Deps, 'db'>) {
  return {
    singletonKey: ({ project_id }: ProjectJob) => project_id,
    group: ({ project_id }: ProjectJob) => findProjectOwner(deps.db, project_id),
  };
}
