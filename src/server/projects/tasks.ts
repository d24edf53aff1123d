import { access, rm } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';
import type { Activity } from '#contract/projects.ts';
import { fetchUpstream } from '#git/fetch.ts';
import { importRepository } from '#git/import.ts';
import { indexChangedPaths } from '#git/remote.ts';
import type { JobContext } from '#jobs/queue.ts';
import { remember } from '#memory/ingest.ts';
import type { Deps } from '../deps.ts';
import { recordTransfers } from '../egress-record.ts';
import { projectStorage } from '../storage.ts';
import { openCredential, pinHostKeys } from './credentials.ts';
import { failureSentence } from './failure.ts';
import { type Latest, latest } from './progress.ts';
import { changeProject, findProjectRow, isWhole, type ProjectChange, type ProjectRow } from './queries.ts';
import { finishRun, startRun } from './runs.ts';

const INGEST = 'ingest';

/** Two clones or indexers at once leave the machine usable. */
const CONCURRENCY = 2;
const RETRIES = 2;

interface IngestJob {
  project_id: string;
}

/** What the job works with; `lock` lets one process at a time write a project's repository and shard. */
export type IngestDeps = Pick<Deps, 'db' | 'config' | 'keys' | 'jobs' | 'egress' | 'events'> & {
  lock<T>(projectId: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
};

/** The project was deleted, or another process has taken over the job: the run has no business going on. */
class Superseded extends Error {}

/** One run of the job. */
interface Run {
  project: ProjectRow;
  /** Aborted when the server stops or the run is superseded. */
  signal: AbortSignal;
  /** Writes a change to the project's row and tells everyone who looks at it; throws `Superseded`. */
  report(change: ProjectChange): Promise<void>;
  /** The same for counts, of which only the newest matters. */
  progress: Latest<ProjectChange>;
}

/** Puts a run of this project into the queue; one that waits already is joined. */
export async function requestIngest(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send<IngestJob>(INGEST, { project_id: projectId });
}

/** Registers the job that clones or fetches a repository and remembers it. It can run twice without harm. */
export function defineIngest(deps: IngestDeps): void {
  deps.jobs.define<IngestJob>(
    INGEST,
    { concurrency: CONCURRENCY, retryLimit: RETRIES, singleton: (job) => job.project_id },
    async (job, context) => {
      await deps.lock(job.project_id, () => ingest(deps, job.project_id, context), context.signal);
    },
  );
}

async function ingest(deps: IngestDeps, projectId: string, context: JobContext): Promise<void> {
  const project = await findProjectRow(deps.db, projectId);
  if (project === null) return;
  const record = await startRun(deps.db, project);
  const run = openRun(deps, project, context);
  try {
    const { phases, head } = await cloneAndRemember(deps, run);
    await finishRun(deps.db, projectId, record, { phases });
    if (head !== project.indexed_commit) {
      const previous = project.indexed_commit;
      deps.events.emit({ type: 'project-indexed', projectId, previous, commit: head });
    }
    await indexPaths(deps, run);
  } catch (error) {
    if (error instanceof Superseded || run.signal.reason instanceof Superseded)
      return await leave(deps, projectId);
    // A stopping server gives the job back; the next run goes on from what lies on disk.
    if (context.signal.aborted) throw error;
    await fail(deps, run, record, error);
    const triedAgain = !(error instanceof AppError);
    if (!triedAgain || context.attempt > RETRIES) deps.events.emit({ type: 'project-failed', projectId });
    if (triedAgain) throw error;
  }
}

function openRun(deps: IngestDeps, project: ProjectRow, context: JobContext): Run {
  const superseded = new AbortController();
  const report = async (change: ProjectChange) => {
    const publishes = change.shard_generation !== undefined || change.status === 'ready';
    if (publishes && !(await context.claimed())) throw new Superseded();
    if (!(await changeProject(deps.db, project.id, change))) throw new Superseded();
    deps.events.emit({ type: 'project-changed', projectId: project.id });
  };
  return {
    project,
    signal: AbortSignal.any([context.signal, superseded.signal]),
    report,
    progress: latest(report, (error) => superseded.abort(error)),
  };
}

async function fail(deps: IngestDeps, run: Run, record: string, error: unknown): Promise<void> {
  const failure = failureSentence(error);
  await finishRun(deps.db, run.project.id, record, { failure });
  await run.progress.settle();
  const now = await findProjectRow(deps.db, run.project.id);
  if (now === null) return await leave(deps, run.project.id);
  // What was published before goes on serving.
  await run.report({ status: isWhole(now) ? 'ready' : 'failed', activity: null, failure });
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

  if (isWhole(project) && project.indexed_commit === upstream.head) {
    await report({ status: 'ready', activity: null, failure: null, branch: upstream.branch });
    return { head: upstream.head, phases: { clone } };
  }

  const first = !isWhole(project);
  const { coverage, phases } = await remember({
    repo: storage.repo,
    revision: upstream.head,
    directory: storage.shard,
    previous: project.shard_generation,
    limits: git,
    signal,
    onProgress: (activity) =>
      progress.tell({
        activity,
        ...(first && { status: activity.phase === 'commits' ? 'reading' : 'indexing' }),
      }),
    onGeneration: ({ name }) => report({ shard_generation: name }),
  });
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
async function indexPaths(deps: IngestDeps, { project, signal }: Run): Promise<void> {
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  await indexChangedPaths(repo, { limits: deps.config.git, signal }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

async function bringUpToDate(deps: IngestDeps, run: Run, repo: string) {
  const { project, signal, report, progress } = run;
  const { git } = deps.config;
  const known = await exists(repo);
  const phase: Activity['phase'] = known ? 'fetching' : 'cloning';
  const start: Activity = { phase, done: 0, total: null, unit: 'objects' };
  await report({ activity: start, ...(!isWhole(project) && { status: 'cloning' }) });
  const common = {
    url: project.git_url,
    egress: deps.egress,
    limits: git,
    credential: await openCredential(deps, project.id),
    onHostKeys: (lines: string) => pinHostKeys(deps.db, project.id, lines),
    onTransfer: recordTransfers(deps, project.id),
    signal,
    onProgress: ({ done, total }: { done: number; total: number }) =>
      progress.tell({ activity: { phase, done, total, unit: 'objects' } }),
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
