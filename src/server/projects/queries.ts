import { type Kysely, type Selectable, sql } from 'kysely';
import { MAX_LIST, type Sentence } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { CommitWeeks } from '#contract/project-overview.ts';
import type { ProjectSettings } from '#contract/project-settings.ts';
import type { Activity, Coverage, PartialIndex, Project, ProjectStatus } from '#contract/projects.ts';
import { newId } from '#db/ids.ts';
import type { ProjectsTable } from '#db/project-tables.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { readOnlyByPlan } from '../identity/plan-access.ts';
import { alignCommitWeeks } from './commit-weeks.ts';

export type ProjectRow = Selectable<ProjectsTable>;
type ProjectRole = 'owner' | 'editor' | 'viewer';

const QUEUED_ACTIVITY: Activity = { phase: 'queued', done: 0, total: null, unit: 'steps' };

/** Formats a project for a member with this role. */
export function presentProject(
  row: ProjectRow & { read_only_by_plan?: boolean },
  role: ProjectRole,
): Project {
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
    ...(row.partial_index && { partial_index: row.partial_index }),
    coverage: row.coverage,
    fetched_at: row.fetched_at?.toISOString() ?? null,
    behind: row.behind,
    weeks: alignCommitWeeks(row.commit_weeks, new Date()),
    may_push: row.may_push,
    may_push_default: row.may_push_default,
    may_run: row.may_run,
    ...(row.read_only_by_plan && { read_only_by_plan: true }),
  };
}

/**
 * True when code and history of a commit are indexed; false while only commits of the first run are published.
 */
export function isFullyIndexed(project: Pick<ProjectRow, 'shard_generation' | 'indexed_commit'>): boolean {
  return project.shard_generation !== null && project.indexed_commit !== null;
}

/** Lists the user’s projects, newest first; an API key may be restricted to one of them. */
export async function listProjects(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  userId: string,
  onlyProjectId: string | null = null,
): Promise<Project[]> {
  const rows = await deps.db
    .selectFrom('projects')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .where('project_members.user_id', '=', userId)
    .$if(onlyProjectId !== null, (query) => query.where('projects.id', '=', onlyProjectId))
    .selectAll('projects')
    .select('project_members.role')
    .select(readOnlyByPlan(deps, 'projects.id').as('read_only_by_plan'))
    .orderBy('projects.id', 'desc')
    .limit(MAX_LIST)
    .execute();
  return rows.map((row) => presentProject(row, row.role));
}

/** Finds the user’s oldest project with the same URL. */
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

/** Ids of the user’s projects by URL; a URL may or may not end with `.git`. */
export async function findProjectsByUrls(
  db: Kysely<Database>,
  userId: string,
  urls: readonly string[],
): Promise<Map<string, string>> {
  const variants = new Map(
    urls.flatMap((url) => {
      const bare = url.replace(/\.git$/, '');
      return [[bare, url] as const, [`${bare}.git`, url] as const, [`${bare}/`, url] as const];
    }),
  );
  if (variants.size === 0) return new Map();
  const rows = await db
    .selectFrom('projects')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .where('project_members.user_id', '=', userId)
    .where('projects.git_url', 'in', [...variants.keys()])
    .select(['projects.id', 'projects.git_url'])
    .orderBy('projects.id', 'desc')
    .execute();
  return new Map(rows.map(({ id, git_url }) => [variants.get(git_url)!, id]));
}

/**
 * Inserts a project and its owner. Requires a transaction, since a project without an owner is inaccessible.
 */
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
      activity: JSON.stringify(QUEUED_ACTIVITY),
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
  partial_index?: PartialIndex | null;
  fetched_at?: Date;
  behind?: number;
  indexed_exclusions?: string[];
  commit_weeks?: CommitWeeks;
}

/** Updates a project from an ingest run; false when the project was deleted. */
export async function updateProject(
  db: Kysely<Database>,
  projectId: string,
  update: ProjectUpdate,
): Promise<boolean> {
  const { activity, failure, coverage, partial_index, indexed_exclusions, commit_weeks, ...columns } = update;
  const result = await db
    .updateTable('projects')
    .set({
      ...columns,
      ...(activity !== undefined && { activity: activity && JSON.stringify(activity) }),
      ...(failure !== undefined && { failure: failure && JSON.stringify(failure) }),
      ...(coverage !== undefined && { coverage: JSON.stringify(coverage) }),
      ...(partial_index !== undefined && { partial_index: partial_index && JSON.stringify(partial_index) }),
      ...(indexed_exclusions && { indexed_exclusions: JSON.stringify(indexed_exclusions) }),
      ...(commit_weeks && { commit_weeks: JSON.stringify(commit_weeks) }),
      ...(update.indexed_commit !== undefined && { indexed_at: sql<Date>`now()` }),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', projectId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Updates the owner’s settings of a project; returns the new row. Throws `not_found`. */
export async function updateProjectDetails(
  db: Kysely<Database>,
  projectId: string,
  details: {
    name?: string;
    description?: string | null;
    git_url?: string;
    may_push?: boolean;
    may_push_default?: boolean;
    may_run?: boolean;
  } & Partial<ProjectSettings>,
): Promise<ProjectRow> {
  const { excluded_paths, model_excluded_paths, path_mappings, setup_hosts, ...columns } = details;
  const row = await db
    .updateTable('projects')
    .set({
      ...columns,
      ...(excluded_paths && { excluded_paths: JSON.stringify(excluded_paths) }),
      ...(model_excluded_paths && { model_excluded_paths: JSON.stringify(model_excluded_paths) }),
      ...(path_mappings && { path_mappings: JSON.stringify(path_mappings) }),
      ...(setup_hosts && { setup_hosts: JSON.stringify(setup_hosts) }),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', projectId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'project_not_found');
  return row;
}

/** Marks a project as queued unless a run is in progress; returns the new row. */
export async function markQueued(db: Kysely<Database>, projectId: string): Promise<ProjectRow> {
  await db
    .updateTable('projects')
    .set({
      // An indexed project stays ready during a refresh.
      status: sql`case when shard_generation is null or indexed_commit is null then 'queued' else 'ready' end`,
      activity: JSON.stringify(QUEUED_ACTIVITY),
      failure: null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', projectId)
    // Change indexing and embedding run alongside a refresh.
    .where(sql<boolean>`coalesce(activity->>'phase', 'hunks') in ('hunks', 'vectors')`)
    .execute();
  return await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow();
}

/**
 * Withdraws a damaged generation, so that the next run rebuilds the index. False when another generation is active
 * or it was withdrawn already.
 */
export async function retireGeneration(
  db: Kysely<Database>,
  projectId: string,
  generation: string,
): Promise<boolean> {
  const result = await db
    .updateTable('projects')
    .set({
      shard_generation: null,
      partial_index: null,
      status: 'queued',
      activity: JSON.stringify(QUEUED_ACTIVITY),
    })
    .where('id', '=', projectId)
    .where('shard_generation', '=', generation)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Finds a project without an access check. */
export async function findProjectRow(db: Kysely<Database>, projectId: string): Promise<ProjectRow | null> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst();
  return row ?? null;
}
