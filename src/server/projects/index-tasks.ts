import { access, rm } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';
import type { IngestReason } from '#contract/project-settings.ts';
import type { Activity } from '#contract/projects.ts';
import type { JobContext, JobDefinition } from '#db/job-queue.ts';
import { countCommits } from '#git/count-commits.ts';
import { fetchUpstream } from '#git/fetch.ts';
import { importRepository } from '#git/import.ts';
import { readRefs } from '#git/refs.ts';
import { indexChangedPaths, type UpstreamHead } from '#git/remote.ts';
import { buildIndex } from '#memory/index/build-index.ts';
import { prepareIndexProcesses } from '#memory/index/index-process.ts';
import { failpoint } from '#scheduling/failpoint.ts';
import { createFairQueue, type FairQueue } from '#scheduling/fair-queue.ts';
import type { Deps } from '../deps.ts';
import { recordTransfers } from '../llm/egress-record.ts';
import { decryptCredential, pinHostKeys } from '../project-data/credentials.ts';
import { CHANGE_INDEX_JOB } from '../project-data/hunks.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { generationPath, isDamage, openProjectIndex, projectStorage } from '../project-data/storage.ts';
import { countCommitWeeks } from './commit-weeks.ts';
import { failureMessage } from './failure-message.ts';
import { finishIngestRun, startIngestRun } from './ingest-runs.ts';
import { createLatestValueWriter, type LatestValueWriter } from './latest-value-writer.ts';
import {
  findProjectRow,
  isFullyIndexed,
  type ProjectRow,
  type ProjectUpdate,
  updateProject,
} from './queries.ts';
import { type ProjectJobDeps, runExclusive } from './run-exclusive.ts';

const QUEUE = 'ingest';

/** Two concurrent indexers keep the machine responsive; more jobs may wait for slow git servers. */
const INDEXER_LIMITS = { maxRunning: 2, maxRunningPerUser: 1, maxWaiting: 1000, maxWaitingPerUser: 1000 };
const DEFAULT_CONCURRENCY = 4;
const MAX_INDEXING_MS = 23 * 3600_000;
const RETRY_LIMIT = 2;

interface IngestJob {
  project_id: string;
  /** Absent in jobs that an earlier version enqueued. */
  reason?: IngestReason;
}

export type IngestDeps = ProjectJobDeps &
  Pick<Deps, 'keys' | 'jobs' | 'egress' | 'events' | 'indexCache' | 'projectFiles' | 'now'>;

/** The project was deleted, or another process has claimed the job. */
class Superseded extends Error {}

interface IngestRun {
  project: ProjectRow;
  /** Aborted when the server stops or the run is superseded. */
  signal: AbortSignal;
  /** Writes an update to the project’s row and emits it; throws `Superseded`. */
  report(update: ProjectUpdate): Promise<void>;
  /** Same for progress counts, of which only the latest matters. */
  progress: LatestValueWriter<ProjectUpdate>;
  /** Runs work in the indexer queue. */
  index<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Enqueues an ingest run of the project; a queued one is joined. */
export async function requestIngest(
  deps: Pick<Deps, 'jobs'>,
  projectId: string,
  reason: IngestReason,
): Promise<void> {
  await deps.jobs.send<IngestJob>(QUEUE, { project_id: projectId, reason });
}

/** Returns the job that fetches and indexes a repository. */
export function ingestJob(deps: IngestDeps): JobDefinition<IngestJob> {
  const indexers = createFairQueue(INDEXER_LIMITS);
  return {
    name: QUEUE,
    concurrency: deps.config.git.concurrency ?? DEFAULT_CONCURRENCY,
    retryLimit: RETRY_LIMIT,
    ...projectJobOptions(deps),
    run: async ({ project_id: projectId, reason = 'manual' }, context) => {
      await runExclusive(deps, { projectId, context }, (exclusive) =>
        ingest({ ...deps, indexers }, { projectId, reason }, exclusive),
      );
    },
  };
}

type IndexingDeps = IngestDeps & { indexers: FairQueue };

async function ingest(
  deps: IndexingDeps,
  { projectId, reason }: { projectId: string; reason: IngestReason },
  context: JobContext,
): Promise<void> {
  const project = await findProjectRow(deps.db, projectId);
  if (project === null) return;
  const runId = await startIngestRun(deps.db, project, reason);
  const run = openRun(deps, project, context);
  try {
    const { phases, head, fetchError, ...counts } = await fetchAndIndex(deps, run);
    const details = { reason, commit: head, previous: project.indexed_commit, ...counts };
    await finishIngestRun(deps.db, projectId, runId, { phases, details });
    // Changes of excluded files leave the index of changes too.
    if (!hasCurrentExclusions(project)) await deps.jobs.send(CHANGE_INDEX_JOB, { project_id: projectId });
    if (head !== project.indexed_commit) {
      const previous = project.indexed_commit;
      deps.events.emit({ type: 'project-indexed', projectId, previous, commit: head });
    }
    if (fetchError !== null) await run.report({ failure: failureMessage(fetchError) });
    await indexChangedPathsOptionally(deps, run);
  } catch (error) {
    if (error instanceof Superseded || run.signal.reason instanceof Superseded)
      return await removeOrphanedFiles(deps, projectId);
    if (context.signal.aborted) {
      // On shutdown the job is returned to the queue; the next run resumes from the files on disk.
      if (!(await context.isCancelled())) throw error;
      return await recordFailure(deps, run, runId, STOPPED_BY_ADMIN);
    }
    await recordFailure(deps, run, runId, error);
    const willRetry = !(error instanceof AppError);
    if (!willRetry || context.attempt > RETRY_LIMIT) deps.events.emit({ type: 'project-failed', projectId });
    if (willRetry) throw error;
  }
}

const STOPPED_BY_ADMIN = new AppError('unavailable', 'indexing_stopped', {
  reason: 'stopped',
});

function openRun(deps: IndexingDeps, project: ProjectRow, context: JobContext): IngestRun {
  const superseded = new AbortController();
  const report = async (update: ProjectUpdate) => {
    const isPublishing = update.shard_generation !== undefined || update.status === 'ready';
    if (isPublishing && !(await context.isClaimed()) && !(await context.isCancelled()))
      throw new Superseded();
    if (!(await updateProject(deps.db, project.id, update))) throw new Superseded();
    deps.events.emit({ type: 'project-changed', projectId: project.id });
  };
  return {
    project,
    signal: AbortSignal.any([context.signal, superseded.signal]),
    report,
    progress: createLatestValueWriter(report, (error) => superseded.abort(error)),
    index: (work, signal) =>
      deps.indexers.run({ userId: project.id, deadlineMs: MAX_INDEXING_MS, ...(signal && { signal }) }, work),
  };
}

async function recordFailure(deps: IngestDeps, run: IngestRun, runId: string, error: unknown): Promise<void> {
  const failure = failureMessage(error);
  await finishIngestRun(deps.db, run.project.id, runId, { failure });
  await run.progress.settle();
  const current = await findProjectRow(deps.db, run.project.id);
  if (current === null) return await removeOrphanedFiles(deps, run.project.id);
  // A published index keeps serving.
  await run.report({ status: isFullyIndexed(current) ? 'ready' : 'failed', activity: null, failure });
}

interface IngestResult {
  head: string;
  /** Error of the fetch, when the commits that are here were indexed instead. */
  fetchError: unknown;
  /** Milliseconds by phase. */
  phases: Record<string, number>;
  new_commits: number | null;
  files?: number;
  skipped?: number;
}

/** Fetches the repository, then indexes it unless the index is up to date. */
async function fetchAndIndex(deps: IngestDeps, run: IngestRun): Promise<IngestResult> {
  const { project, report } = run;
  const storage = projectStorage(deps.config.dataDir, project.id);
  const started = performance.now();
  const { upstream, fetchError } = await fetchOrReuse(deps, run, storage.repo);
  await deps.projectFiles.repositories.publish(project.id);
  const clone = Math.round(performance.now() - started);
  const isCurrent = isFullyIndexed(project) && project.indexed_commit === upstream.head;
  if (isCurrent && hasCurrentExclusions(project) && project.commit_weeks !== null) {
    await report({ status: 'ready', activity: null, failure: null, branch: upstream.branch, behind: 0 });
    return { head: upstream.head, fetchError, phases: { clone }, new_commits: 0 };
  }
  const newCommits = await countNewCommits(storage.repo, project, upstream.head);
  if (isFullyIndexed(project) && newCommits !== null) await report({ behind: newCommits });
  const { coverage, phases } = await indexHead(deps, run, upstream);
  return {
    head: upstream.head,
    fetchError,
    phases: { clone, ...phases },
    new_commits: project.indexed_commit === null ? coverage.commits : newCommits,
    files: coverage.indexed,
    skipped: coverage.skipped,
  };
}

/** Indexes the upstream's head and publishes it. */
async function indexHead(deps: IngestDeps, run: IngestRun, upstream: UpstreamHead) {
  const { project, signal, report, progress } = run;
  const { id, excluded_paths: excludedPaths } = project;
  const previous = await fetchGeneration(deps, project);
  const storage = projectStorage(deps.config.dataDir, id);
  const isFirst = !isFullyIndexed(project);
  let generation = previous;
  const runIndexer = () =>
    buildIndex({
      repo: storage.repo,
      revision: upstream.head,
      directory: storage.shard,
      previous,
      inStages: true,
      rebuildCode: !hasCurrentExclusions(project),
      limits: { ...deps.config.git, excludedPaths },
      signal,
      onProgress: (activity) =>
        progress.push({
          activity,
          ...(isFirst && { status: activity.phase === 'commits' ? 'reading' : 'indexing' }),
        }),
      onGeneration: async ({ name, pending }) => {
        const replaced = generation;
        generation = name;
        failpoint('index-generation');
        await publishGenerationFiles(deps, id, { name, replaced });
        const isSearchable = pending.includes('symbols');
        const partial_index = isSearchable ? { commit: upstream.head, pending: [...pending] } : null;
        await report({ shard_generation: name, partial_index });
      },
    });
  const result = await run.index(runIndexer, signal);
  await progress.settle();
  const index = await openProjectIndex(deps, { id, shard_generation: generation });
  failpoint('index-built');
  await report({
    ...{ status: 'ready', activity: null, failure: null, branch: upstream.branch, behind: 0 },
    indexed_commit: upstream.head,
    indexed_exclusions: excludedPaths,
    coverage: result.coverage,
    ...(index && { commit_weeks: await countCommitWeeks(index.commits, deps.now()) }),
  });
  return result;
}

/** Fetches the current generation to build upon; null where there is none, or none that can be used. */
async function fetchGeneration(
  { projectFiles }: Pick<Deps, 'projectFiles'>,
  { id, shard_generation: generation }: ProjectRow,
): Promise<string | null> {
  if (generation === null) return null;
  try {
    await projectFiles.fetch(id, generationPath(generation));
    return generation;
  } catch (error) {
    if (error instanceof AppError && isDamage(error)) return null;
    throw error;
  }
}

/** Publishes a generation before the project's row selects it. The replaced one stays for requests that have read the row before. */
async function publishGenerationFiles(
  { projectFiles }: Pick<Deps, 'projectFiles'>,
  projectId: string,
  { name, replaced }: { name: string; replaced: string | null },
): Promise<void> {
  const paths = [name, ...(replaced === null ? [] : [replaced])].map(generationPath);
  await projectFiles.publish(projectId, paths[0]!, paths[1] ?? null);
  await projectFiles.withdrawOthers(projectId, 'shard', paths);
}

/** True when the index was built with the excluded paths of the settings. */
function hasCurrentExclusions(project: ProjectRow): boolean {
  return JSON.stringify(project.excluded_paths) === JSON.stringify(project.indexed_exclusions);
}

/** Commits from the indexed one to the new head; null without an index, or when the history was rewritten. */
async function countNewCommits(repo: string, project: ProjectRow, head: string): Promise<number | null> {
  if (project.indexed_commit === null) return null;
  return await countCommits(repo, { from: head, not: project.indexed_commit }).catch(() => null);
}

/** Speeds up later answers; a failure does not fail the run. */
async function indexChangedPathsOptionally(
  deps: IngestDeps,
  { project, signal, index }: IngestRun,
): Promise<void> {
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const work = () => indexChangedPaths(repo, { limits: deps.config.git, signal });
  await index(work, signal).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

/**
 * Fetches the repository. A project whose index is missing, as after a restore, is indexed from the commits that are here
 * when its upstream cannot be reached.
 */
async function fetchOrReuse(
  deps: IngestDeps,
  run: IngestRun,
  repo: string,
): Promise<{ upstream: UpstreamHead; fetchError: unknown }> {
  try {
    return { upstream: await fetchRepository(deps, run, repo), fetchError: null };
  } catch (fetchError) {
    const { branch } = run.project;
    if (!(fetchError instanceof AppError) || run.signal.aborted) throw fetchError;
    if (isFullyIndexed(run.project) || branch === null || !(await pathExists(repo))) throw fetchError;
    const ref = `refs/remotes/origin/${branch}`;
    const head = (await readRefs(repo, [ref]).catch(() => null))?.get(ref);
    if (head === undefined) throw fetchError;
    return { upstream: { head, branch }, fetchError };
  }
}

async function fetchRepository(deps: IngestDeps, run: IngestRun, repo: string) {
  const { project, signal, report, progress } = run;
  const { git } = deps.config;
  const isCloned = await pathExists(repo);
  const phase: Activity['phase'] = isCloned ? 'fetching' : 'cloning';
  const start: Activity = { phase, done: 0, total: null, unit: 'objects' };
  await report({ activity: start, ...(!isFullyIndexed(project) && { status: 'cloning' }) });
  const common = {
    url: project.git_url,
    branch: project.chosen_branch,
    egress: deps.egress,
    limits: git,
    credential: await decryptCredential(deps, project),
    onHostKeys: (lines: string) => pinHostKeys(deps.db, project.id, lines),
    onTransfer: recordTransfers(deps, project.id),
    inTurn: run.index,
    signal,
    onProgress: ({ done, total }: { done: number; total: number }) =>
      progress.push({ activity: { phase, done, total, unit: 'objects' } }),
  };
  if (!isCloned) void prepareIndexProcesses();
  const upstream = isCloned
    ? await fetchUpstream({ repo, ...common })
    : await importRepository({ into: repo, ...common });
  await progress.settle();
  await report({ fetched_at: new Date() });
  return upstream;
}

/** Removes the files of a project that was deleted during the run. */
async function removeOrphanedFiles(deps: IngestDeps, projectId: string): Promise<void> {
  if ((await findProjectRow(deps.db, projectId)) !== null) return;
  await rm(projectStorage(deps.config.dataDir, projectId).root, { recursive: true, force: true });
}

async function pathExists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
