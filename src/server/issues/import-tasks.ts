import { sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { createSentence } from '#contract/sentence.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import { requirePublicAccess } from '../code-hosts/code-host.ts';
import type { HostAccess } from '../code-hosts/host-request.ts';
import type { Deps } from '../deps.ts';
import { readOnlyByPlan } from '../identity/plan-access.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { openProjectIndex } from '../project-data/storage.ts';
import { saveCommentCounts, saveComments } from './comment-queries.ts';
import { findCommitLinks } from './commit-links.ts';
import { type HostList, listsOfHost } from './host-lists.ts';
import type { ParsedIssue } from './parse-issue.ts';
import {
  findImport,
  type ImportRow,
  listLinkableIssues,
  MAX_STORED,
  measureIssues,
  replaceLinks,
  type StoredIssues,
  type saveImport,
  saveIssues,
  saveProgress,
} from './queries.ts';
import { completeProgress, HostWait, readList } from './read-list.ts';
import { refreshComments } from './refresh-comments.ts';

const QUEUE = 'issue-import';
const SCHEDULE_QUEUE = 'issue-imports';
/** Interval between looks for due imports, and between the imports of one project. */
const [SCHEDULE_MS, INTERVAL] = [10 * 60_000, sql`interval '1 hour'`];
const MAX_DUE = 100;

interface ImportJob {
  project_id: string;
  /** Only links commits again, as after indexing and an upload. */
  links?: boolean;
  /** After a wait for the host; nothing where the import goes on already. */
  retry?: boolean;
}

type ImportDeps = Pick<
  Deps,
  | 'db'
  | 'config'
  | 'keys'
  | 'egress'
  | 'events'
  | 'jobs'
  | 'indexCache'
  | 'projectFiles'
  | 'projectCancellation'
  | 'now'
>;

/** Returns the job that imports the issues of a project from its code host, and links them to commits. */
export function issueImportJob(deps: ImportDeps) {
  return {
    name: QUEUE,
    concurrency: 2,
    retryLimit: 3,
    ...projectJobOptions(deps),
    // A wait does not hold up what is asked for meanwhile.
    singletonKey: ({ project_id, retry }: ImportJob) => (retry ? `${project_id} retry` : project_id),
    afterIndexing: ({ projectId }: { projectId: string }) => ({ project_id: projectId, links: true }),
    run: async ({ project_id: id, links, retry }: ImportJob, context) => {
      const signal = deps.projectCancellation.signalFor(id, context.signal);
      const row = await findImport(deps.db, id);
      if (row === null || (retry && row.state !== 'waiting')) return;
      if (row.enabled && (!links || row.state === 'queued' || row.state === 'running')) {
        await importFromHost(deps, row, signal);
      }
      await linkCommits(deps, id, signal);
      deps.events.emit({ type: 'project-changed', projectId: id });
    },
  } satisfies JobDefinition<ImportJob> & { afterIndexing: unknown };
}

/** Returns the job that enqueues the imports that are due. */
export function issueScheduleJob(deps: Pick<Deps, 'db' | 'config' | 'jobs' | 'now'>): JobDefinition {
  return {
    name: SCHEDULE_QUEUE,
    concurrency: 1,
    retryLimit: 1,
    everyMs: SCHEDULE_MS,
    singletonKey: () => 'all',
    run: async () => {
      const due = await deps.db
        .selectFrom('issue_imports')
        .select('project_id')
        .where('enabled', '=', true)
        .where(({ not }) => not(readOnlyByPlan(deps, 'issue_imports.project_id')))
        .where(
          sql<boolean>`coalesce(retry_at, started_at + ${INTERVAL}, '-infinity') <= ${deps.now()}::timestamptz`,
        )
        .orderBy('started_at', (order) => order.asc().nullsFirst())
        .limit(MAX_DUE)
        .execute();
      for (const { project_id } of due) await requestImport(deps, project_id);
    },
  };
}

/** Enqueues the import of a project; with `links`, only the links to its commits. */
export async function requestImport(
  { jobs }: Pick<Deps, 'jobs'>,
  projectId: string,
  options: Pick<ImportJob, 'links'> = {},
): Promise<void> {
  await jobs.send<ImportJob>(QUEUE, { project_id: projectId, ...options });
}

/** Imports what has changed, from where the last import stopped. The reason of a failure is stored with it. */
async function importFromHost(deps: ImportDeps, row: ImportRow, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  const id = row.project_id;
  try {
    const project = await db
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const access = await requirePublicAccess(deps, project, null);
    await begin(deps, row, access);
    for (const list of listsOfHost(access.kind, access.path))
      await importList(deps, access, { list, signal });
    const done = (await findImport(db, id))?.progress ?? {};
    const progress = Object.fromEntries(
      Object.entries(done).map(([name, place]) => [name, completeProgress(place)]),
    );
    // The lists are complete, so that a failure from here on does not keep the next import from reading them.
    await updateImport(deps, id, { progress: JSON.stringify(progress) });
    const lock = (trx: Pick<Deps, 'db'>) => requireEnabled(trx, id);
    await refreshComments(deps, access, { lock, signal });
    await updateImport(deps, id, {
      ...{ state: 'idle', imported_at: deps.now(), failure: null, retry_at: null },
    });
  } catch (error) {
    if (error instanceof HostWait) {
      const retryAt = new Date(deps.now().getTime() + error.seconds * 1000);
      await updateImport(deps, id, { state: 'waiting', retry_at: retryAt, failure: null });
      // A retry that an earlier, longer wait has queued comes as early as this one.
      const options = { delayS: error.seconds, expedite: true };
      await deps.jobs.send<ImportJob>(QUEUE, { project_id: id, retry: true }, options);
      return;
    }
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    if (error.messageKey === 'issues_import_disabled') return;
    const failure = JSON.stringify(createSentence(`errors.${error.messageKey}`, error.params));
    await updateImport(deps, id, { state: 'failed', failure, retry_at: null });
  }
}

/** Marks an import as running. One that was interrupted goes on; another repository is read from its beginning. */
async function begin(deps: ImportDeps, row: ImportRow, access: HostAccess): Promise<void> {
  const apiUrl = `${access.apiUrl}/${access.path}`;
  const isSame = row.api_url === apiUrl;
  const isResumed =
    isSame && Object.values(row.progress).some(({ page, isDone }) => page !== undefined || isDone);
  await updateImport(deps, row.project_id, {
    ...{ state: 'running', api_url: apiUrl, started_at: deps.now(), retry_at: null, failure: null },
    ...(!isSame && { progress: '{}' }),
    ...(!isResumed && { received: 0 }),
  });
  deps.events.emit({ type: 'project-changed', projectId: row.project_id });
}

type ImportValues = Parameters<typeof saveImport>[2];

/** Changes an import unless it was deleted meanwhile. */
async function updateImport(
  { db }: Pick<Deps, 'db'>,
  projectId: string,
  values: ImportValues,
): Promise<void> {
  await db.updateTable('issue_imports').set(values).where('project_id', '=', projectId).execute();
}

async function importList(
  deps: ImportDeps,
  access: HostAccess,
  { list, signal }: { list: HostList; signal: AbortSignal },
): Promise<void> {
  const { projectId } = access;
  const start = (await requireEnabled(deps, projectId)).progress[list.name] ?? {};
  let stored = await measureIssues(deps.db, projectId);
  for await (const { issues, comments, counts, progress } of readList(deps, access, list, {
    start,
    signal,
  })) {
    stored = await deps.db.transaction().execute(async (trx) => {
      await requireEnabled({ db: trx }, projectId);
      const total = await storeIssues(trx, projectId, { issues, stored });
      await saveCommentCounts(trx, projectId, counts);
      await saveComments(trx, projectId, comments);
      const received = issues.length + comments.length;
      await saveProgress(trx, projectId, { list: list.name, progress, received });
      return total;
    });
  }
}

/** The import, locked against its deletion. Throws where it was turned off meanwhile. */
async function requireEnabled({ db }: Pick<Deps, 'db'>, projectId: string): Promise<ImportRow> {
  const row = await db
    .selectFrom('issue_imports')
    .selectAll()
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirst();
  if (!row?.enabled) throw new AppError('conflict', 'issues_import_disabled');
  return row;
}

/**
 * Stores issues and their comments within the limits of a project, and returns what it stores then: `stored` is what it stored
 * before, so that a page costs no count of all. Throws `too_large` for issues beyond the limits.
 */
export async function storeIssues(
  db: Deps['db'],
  projectId: string,
  { issues, stored }: { issues: readonly ParsedIssue[]; stored: StoredIssues },
): Promise<StoredIssues> {
  if (issues.length === 0) return stored;
  const before = await measureIssues(db, projectId, issues);
  await saveIssues(db, projectId, issues);
  const after = await measureIssues(db, projectId, issues);
  await saveComments(
    db,
    projectId,
    issues.flatMap(({ comments }) => comments),
  );
  const total = {
    issues: stored.issues + after.issues - before.issues,
    bytes: stored.bytes + after.bytes - before.bytes,
  };
  if (total.issues <= MAX_STORED.issues && total.bytes <= MAX_STORED.bytes) return total;
  const params = { issues: MAX_STORED.issues, megabytes: MAX_STORED.bytes / 2 ** 20 };
  throw new AppError('too_large', 'issues_limit_reached', { params, reason: 'issues_limit_reached' });
}

/** Links the commits of the index to the issues of a project. */
async function linkCommits(deps: ImportDeps, projectId: string, signal: AbortSignal): Promise<void> {
  const project = await deps.db
    .selectFrom('projects')
    .select(['id', 'shard_generation'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  const issues = await listLinkableIssues(deps.db, projectId);
  const index = project && issues.length > 0 ? await openProjectIndex(deps, project) : null;
  if (index === null) return;
  await replaceLinks(deps.db, projectId, await findCommitLinks(index.commits, issues, signal));
}
