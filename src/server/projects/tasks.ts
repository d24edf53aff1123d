import { access, rm } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';
import type { Activity } from '#contract/projects.ts';
import { fetchUpstream } from '#git/fetch.ts';
import { importRepository } from '#git/import.ts';
import { indexChangedPaths } from '#git/remote.ts';
import type { JobContext } from '#jobs/queue.ts';
import { buildIndex } from '#memory/index/build-index.ts';
import { createFairQueue, type FairQueue } from '#scheduling/fair-queue.ts';
import type { Deps } from '../deps.ts';
import { recordTransfers } from '../llm/egress-record.ts';
import { byProject } from '../project-data/project-owner.ts';
import { projectStorage } from '../project-data/storage.ts';
import { decryptCredential, pinHostKeys } from './credentials.ts';
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

const INGEST = 'ingest';

/** Two indexers at once leave the machine usable; more may wait for slow git servers beside them. */
const INDEXERS = { maxRunning: 2, maxRunningPerUser: 1, maxWaiting: 1000, maxWaitingPerUser: 1000 };
const DOWNLOADS = 4;
const MAX_INDEXING_MS = 23 * 3600_000;
const RETRIES = 2;

interface IngestJob {
  project_id: string;
}

/** What the jobs of a project work with. */
export type IngestDeps = ProjectJobDeps & Pick<Deps, 'keys' | 'jobs' | 'egress' | 'events'>;

/** The project was deleted, or another process has taken over the job: the run has no business going on. */
class Superseded extends Error {}

/** One run of the job. */
interface Run {
  project: ProjectRow;
  /** Aborted when the server stops or the run is superseded. */
  signal: AbortSignal;
  /** Writes a change to the project's row and tells everyone who looks at it; throws `Superseded`. */
  report(change: ProjectUpdate): Promise<void>;
  /** The same for counts, of which only the newest matters. */
  progress: LatestValueWriter<ProjectUpdate>;
  /** Waits for its turn to use the processor. */
  index<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Puts a run of this project into the queue; one that waits already is joined. */
export async function requestIngest(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send<IngestJob>(INGEST, { project_id: projectId });
}

/** Registers the job that clones or fetches a repository and remembers it. It can run twice without harm. */
export function defineIngest(deps: IngestDeps): void {
  const concurrency = deps.config.git.concurrency ?? DOWNLOADS;
  const indexers = createFairQueue(INDEXERS);
  deps.jobs.define<IngestJob>(
    INGEST,
    { concurrency, retryLimit: RETRIES, ...byProject(deps) },
    async ({ project_id: projectId }, context) => {
      await runExclusive(deps, { projectId, context }, (alone) =>
        ingest({ ...deps, indexers }, projectId, alone),
      );
    },
  );
}

type Indexing = IngestDeps & { indexers: FairQueue };

async function ingest(deps: Indexing, projectId: string, context: JobContext): Promise<void> {
  const project = await findProjectRow(deps.db, projectId);
  if (project === null) return;
  const record = await startIngestRun(deps.db, project);
  const run = openRun(deps, project, context);
  try {
    const { phases, head } = await cloneAndRemember(deps, run);
    await finishIngestRun(deps.db, projectId, record, { phases });
    if (head !== project.indexed_commit) {
      const previous = project.indexed_commit;
      deps.events.emit({ type: 'project-indexed', projectId, previous, commit: head });
    }
    await indexPaths(deps, run);
  } catch (error) {
    if (error instanceof Superseded || run.signal.reason instanceof Superseded)
      return await leave(deps, projectId);
    if (context.signal.aborted) {
      // A stopping server gives the job back; the next run goes on from what lies on disk.
      if (!(await context.cancelled())) throw error;
      return await fail(deps, run, record, STOPPED);
    }
    await fail(deps, run, record, error);
    const triedAgain = !(error instanceof AppError);
    if (!triedAgain || context.attempt > RETRIES) deps.events.emit({ type: 'project-failed', projectId });
    if (triedAgain) throw error;
  }
}

const STOPPED = new AppError(
  'unavailable',
  'An administrator stopped this. Refresh the project to try again.',
  {
    reason: 'stopped',
  },
);

function openRun(deps: Indexing, project: ProjectRow, context: JobContext): Run {
  const superseded = new AbortController();
  const report = async (change: ProjectUpdate) => {
    const publishes = change.shard_generation !== undefined || change.status === 'ready';
    if (publishes && !(await context.claimed()) && !(await context.cancelled())) throw new Superseded();
    if (!(await updateProject(deps.db, project.id, change))) throw new Superseded();
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

async function fail(deps: IngestDeps, run: Run, record: string, error: unknown): Promise<void> {
  const failure = failureMessage(error);
  await finishIngestRun(deps.db, run.project.id, record, { failure });
  await run.progress.settle();
  const now = await findProjectRow(deps.db, run.project.id);
  if (now === null) return await leave(deps, run.project.id);
  // What was published before goes on serving.
  await run.report({ status: isFullyIndexed(now) ? 'ready' : 'failed', activity: null, failure });
}

/** Brings the repository up to date on disk, then its memory; returns where it stands, and milliseconds by phase. */
async function cloneAndRemember(
  deps: IngestDeps,
  run: Run,
): Promise<{ head: string; phases: Record<string, number> }> {
  const { project, signal, report, progress } = run;
  const { git } = deps.config;
  const storage = projectStorage(deps.config.dataDir, project.id);
  const started = performance.now();
  const upstream = await bringUpToDate(deps, run, storage.repo);
  const clone = Math.round(performance.now() - started);

  if (isFullyIndexed(project) && project.indexed_commit === upstream.head) {
    await report({ status: 'ready', activity: null, failure: null, branch: upstream.branch });
    return { head: upstream.head, phases: { clone } };
  }

  const first = !isFullyIndexed(project);
  const buildIndex = () =>
    buildIndex({
      repo: storage.repo,
      revision: upstream.head,
      directory: storage.shard,
      previous: project.shard_generation,
      limits: git,
      signal,
      onProgress: (activity) =>
        progress.push({
          activity,
          ...(first && { status: activity.phase === 'commits' ? 'reading' : 'indexing' }),
        }),
      onGeneration: ({ name }) => report({ shard_generation: name }),
    });
  const { coverage, phases } = await run.index(buildIndex, signal);
  await progress.settle();
  await report({
    status: 'ready',
    activity: null,
    failure: null,
    branch: upstream.branch,
    indexed_commit: upstream.head,
    coverage,
  });
  return { head: upstream.head, phases: { clone, ...phases } };
}

/** Makes later answers quicker, no more: a failure says nothing of the project. */
async function indexPaths(deps: IngestDeps, { project, signal, index }: Run): Promise<void> {
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const work = () => indexChangedPaths(repo, { limits: deps.config.git, signal });
  await index(work, signal).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

async function bringUpToDate(deps: IngestDeps, run: Run, repo: string) {
  const { project, signal, report, progress } = run;
  const { git } = deps.config;
  const known = await exists(repo);
  const phase: Activity['phase'] = known ? 'fetching' : 'cloning';
  const start: Activity = { phase, done: 0, total: null, unit: 'objects' };
  await report({ activity: start, ...(!isFullyIndexed(project) && { status: 'cloning' }) });
  const common = {
    url: project.git_url,
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
  const upstream = known
    ? await fetchUpstream({ repo, ...common })
    : await importRepository({ into: repo, ...common });
  await progress.settle();
  await report({ fetched_at: new Date() });
  return upstream;
}

/** Cleans up behind a project that was deleted while it was being read. */
async function leave(deps: IngestDeps, projectId: string): Promise<void> {
  if ((await findProjectRow(deps.db, projectId)) !== null) return;
  await rm(projectStorage(deps.config.dataDir, projectId).root, { recursive: true, force: true });
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
