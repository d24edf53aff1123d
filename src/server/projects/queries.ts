import { type Kysely, type Selectable, sql } from 'kysely';
import { MAX_LIST, type Sentence } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { Activity, Coverage, Project, ProjectStatus } from '#contract/projects.ts';
import { newId } from '#db/ids.ts';
import type { Database, ProjectsTable } from '#db/schema.ts';

export type ProjectRow = Selectable<ProjectsTable>;
export type ProjectRole = 'owner' | 'editor' | 'viewer';

const WAITING: Activity = { phase: 'queued', done: 0, total: null, unit: 'steps' };

/** A row as the API shows it to a member with this role. */
export function presentProject(row: ProjectRow, role: ProjectRole): Project {
  return {
    id: row.id,
    name: row.name,
    git_url: row.git_url,
    description: row.description,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    role,
    status: row.status,
    activity: row.activity,
    failure: row.failure,
    branch: row.branch,
    indexed_commit: row.indexed_commit,
    indexed_at: row.indexed_at?.toISOString() ?? null,
    coverage: row.coverage,
  };
}

/** Whether code and history of some commit serve; false while the first run has published its commits only. */
export function isFullyIndexed(project: Pick<ProjectRow, 'shard_generation' | 'indexed_commit'>): boolean {
  return project.shard_generation !== null && project.indexed_commit !== null;
}

/** Projects that the user is a member of, newest first; `only` names the one that a program may see. */
export async function listProjects(
  db: Kysely<Database>,
  userId: string,
  only: string | null = null,
): Promise<Project[]> {
  const rows = await db
    .selectFrom('projects')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .where('project_members.user_id', '=', userId)
    .$if(only !== null, (query) => query.where('projects.id', '=', only))
    .selectAll('projects')
    .select('project_members.role')
    .orderBy('projects.id', 'desc')
    .limit(MAX_LIST)
    .execute();
  return rows.map((row) => presentProject(row, row.role));
}

/** An older project of this user with the same address, if there is one. */
export async function findProjectByUrl(
  db: Kysely<Database>,
  userId: string,
  gitUrl: string,
): Promise<{ id: string; name: string } | null> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .where('project_members.user_id', '=', userId)
    .where('projects.git_url', '=', gitUrl)
    .select(['projects.id', 'projects.name'])
    .orderBy('projects.id')
    .executeTakeFirst();
  return row ?? null;
}

/** Adds a project with its owner; in a transaction, since one without an owner belongs to nobody. */
export async function insertProject(
  db: Kysely<Database>,
  values: { name: string; gitUrl: string; description: string | null; ownerId: string },
): Promise<ProjectRow> {
  const row = await db
    .insertInto('projects')
    .values({
      id: newId(),
      name: values.name,
      git_url: values.gitUrl,
      description: values.description,
      status: 'queued',
      activity: JSON.stringify(WAITING),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto('project_members')
    .values({ project_id: row.id, user_id: values.ownerId, role: 'owner' })
    .execute();
  return row;
}

export interface ProjectUpdate {
  status?: ProjectStatus;
  activity?: Activity | null;
  failure?: Sentence | null;
  branch?: string;
  indexed_commit?: string;
  coverage?: Coverage;
  shard_generation?: string;
  fetched_at?: Date;
}

/** Writes what an ingest run has to say about a project; false when the project is gone. */
export async function updateProject(
  db: Kysely<Database>,
  projectId: string,
  change: ProjectUpdate,
): Promise<boolean> {
  const { activity, failure, coverage, ...plain } = change;
  const result = await db
    .updateTable('projects')
    .set({
      ...plain,
      ...(activity !== undefined && { activity: activity && JSON.stringify(activity) }),
      ...(failure !== undefined && { failure: failure && JSON.stringify(failure) }),
      ...(coverage !== undefined && { coverage: JSON.stringify(coverage) }),
      ...(change.indexed_commit !== undefined && { indexed_at: sql<Date>`now()` }),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', projectId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Changes what its owner says about a project; returns the row as it now is. Throws `not_found`. */
export async function updateProjectDetails(
  db: Kysely<Database>,
  projectId: string,
  words: { name?: string; description?: string | null; git_url?: string },
): Promise<ProjectRow> {
  const row = await db
    .updateTable('projects')
    .set({ ...words, updated_at: sql<Date>`now()` })
    .where('id', '=', projectId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'Project not found.');
  return row;
}

/** Marks a project as waiting for its next run, unless one is under way; returns the row as it now is. */
export async function markQueued(db: Kysely<Database>, projectId: string): Promise<ProjectRow> {
  await db
    .updateTable('projects')
    .set({
      // A project that already serves stays ready during a refresh.
      status: sql`case when shard_generation is null or indexed_commit is null then 'queued' else 'ready' end`,
      activity: JSON.stringify(WAITING),
      failure: null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', projectId)
    // Reading the changes of the history, or making vectors, goes on beside a refresh.
    .where(sql<boolean>`coalesce(activity->>'phase', 'hunks') in ('hunks', 'vectors')`)
    .execute();
  return await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow();
}

/**
 * Takes a generation that can't be read out of service, so that the next run builds it again.
 * False when another one serves already, or somebody else has noticed first.
 */
export async function retireGeneration(
  db: Kysely<Database>,
  projectId: string,
  generation: string,
): Promise<boolean> {
  const result = await db
    .updateTable('projects')
    .set({ shard_generation: null, status: 'queued', activity: JSON.stringify(WAITING) })
    .where('id', '=', projectId)
    .where('shard_generation', '=', generation)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The row itself, with no regard to who asks; null when the project is gone. */
export async function findProjectRow(db: Kysely<Database>, projectId: string): Promise<ProjectRow | null> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst();
  return row ?? null;
}
