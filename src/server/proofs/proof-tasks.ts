import { debugBody } from '#contract/debug.ts';
import { AppError } from '#contract/errors.ts';
import { createSentence } from '#contract/sentence.ts';
import type { JobContext, JobDefinition } from '#db/job-queue.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { requireIndex } from '../project-data/storage.ts';
import { announceProof } from './announce-proof.ts';
import { openKeptResults } from './kept-results.ts';
import { findKnownRepeat, loadProofSession, type ProofSession } from './load-session.ts';
import { openSandboxRunner } from './open-runner.ts';
import { readCulprit, saveProvenLabel } from './proven-commit.ts';
import { findUnfinishedProof, listProofRuns, type ProofRow, updateProof } from './queries.ts';
import { createRunRecorder } from './record-runs.ts';
import { type ConcludedProof, runProof } from './run-proof.ts';

const QUEUE = 'proofs';
/** A proof whose server was killed so many times is given up. */
const RETRY_LIMIT = 2;
/** Time of one proof from its first run. */
const MAX_PROOF_MS = 4 * 3_600_000;

interface ProofJob {
  proof_id: string;
  user_id: string;
}

/** Enqueues a proof. */
export async function requestProof({ jobs }: Pick<Deps, 'jobs'>, id: string, userId: string): Promise<void> {
  await jobs.send(QUEUE, { proof_id: id, user_id: userId } satisfies ProofJob);
}

/** Controllers of the proofs that this process runs, by id. */
type RunningProofs = Map<string, AbortController>;

/**
 * Returns the job that runs proofs, one at a time, the users in turns. A proof that was interrupted goes on from the results that
 * are kept.
 */
export function proofJob(deps: Deps): JobDefinition<ProofJob> {
  const running: RunningProofs = new Map();
  deps.events.subscribe('proof-cancelled', ({ proofId }) => running.get(proofId)?.abort());
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    singletonKey: ({ proof_id }) => proof_id,
    group: async ({ user_id }) => user_id,
    run: (job, context) => runQueuedProof(deps, job.proof_id, running, context),
  };
}

async function runQueuedProof(
  deps: Deps,
  id: string,
  running: RunningProofs,
  context: JobContext,
): Promise<void> {
  const proof = await findUnfinishedProof(deps.db, id);
  if (proof === null) return;
  const lost = new AbortController();
  running.set(id, lost);
  const ended = deps.projectCancellation.signalFor(proof.project_id, lost.signal);
  const deadline = AbortSignal.timeout(remainingMs(proof, deps.now()));
  const signal = AbortSignal.any([context.signal, ended, deadline]);
  try {
    await updateProof(deps.db, proof, { state: 'running', started: true });
    announceProof(deps, proof, 'running');
    const conclusion = await conclude(deps, proof, lost, signal);
    await finish(deps, proof, conclusion);
  } catch (error) {
    // On shutdown the job is returned to the queue, and the next attempt goes on from the kept results.
    if (context.signal.aborted) throw error;
    if (ended.aborted) return;
    if (!deadline.aborted && !(error instanceof AppError) && context.attempt <= RETRY_LIMIT) throw error;
    await fail(deps, proof, deadline.aborted ? 'timeout' : error);
  } finally {
    running.delete(id);
  }
}

function remainingMs({ started_at }: ProofRow, now: Date): number {
  return Math.max(1_000, MAX_PROOF_MS - (started_at ? now.getTime() - started_at.getTime() : 0));
}

interface Concluded extends ConcludedProof {
  result: NonNullable<ProofRow['result']>;
}

async function conclude(
  deps: Deps,
  proof: ProofRow,
  lost: AbortController,
  signal: AbortSignal,
): Promise<Concluded> {
  const session = await loadProofSession(deps.db, proof);
  const repo = await deps.projectFiles.repositories.open(proof.project_id);
  const index = await requireIndex(deps, session.project);
  const runner = await openSandboxRunner(deps, { proof, project: session.project, repo });
  const runs = await listProofRuns(deps.db, proof);
  const recorder = createRunRecorder(deps, {
    proof,
    lastNumber: runs.at(-1)?.number ?? 0,
    subjectOf: (commit) => findSubject(index, commit),
    onLost: (error) => lost.abort(error),
  });
  const { bad } = proof.request;
  const conclusion = await runProof({
    ...{ proof, repo, runner, recorder, signal },
    errorText: session.errorText,
    results: openKeptResults(deps.db, proof.project_id),
    repeat: await findKnownRepeat(deps.db, proof),
    loadSuspects: () => loadSuspects(deps, { session, index, bad, repo, signal }),
  });
  await recorder.settle();
  const culprit = conclusion.first_bad ? await readCulprit(repo, conclusion.first_bad) : undefined;
  return {
    ...conclusion,
    result: { ...recorder.result, current: null, runs_left: null, ...(culprit && { culprit }) },
  };
}

function findSubject({ commits }: RepositoryIndex, oid: string): string {
  const commit = commits.find(oid);
  return commit < 0 ? '' : commits.subject(commit).slice(0, 500);
}

interface SuspectsOptions {
  session: ProofSession;
  index: RepositoryIndex;
  bad: string;
  repo: string;
  signal: AbortSignal;
}

/** The unfiltered ranking of the session's error; empty when it cannot be computed, since it only orders the runs. */
async function loadSuspects(
  deps: Deps,
  { session, index, bad, repo, signal }: SuspectsOptions,
): Promise<ReadonlyMap<string, number>> {
  const { project, userId, request } = session;
  const at = bad === index.revision ? null : { revision: bad, limits: deps.config.git };
  const task = {
    ...{ repo, at, hunks: hunksFolder(deps.config.dataDir, project.id), shared: index.shared },
    ...{
      request: debugBody.parse(request),
      pathMappings: project.path_mappings,
      now: deps.now().toISOString(),
    },
  };
  return await deps.pool.estimateSuspects(task, { userId, signal }).catch((error) => {
    signal.throwIfAborted();
    if (error instanceof AppError) return new Map<string, number>();
    throw error;
  });
}

/** Stores the conclusion, and a proven commit as a label. */
async function finish(deps: Deps, proof: ProofRow, conclusion: Concluded): Promise<void> {
  const { ending, result, first_bad = null, verified_tree = null } = conclusion;
  await deps.db.transaction().execute(async (trx) => {
    const ended = { state: 'done' as const, ending, first_bad, verified_tree, result };
    const isStored = await updateProof(trx, proof, ended);
    if (isStored && ending === 'proven') await saveProvenLabel(trx, { ...proof, first_bad });
  });
  announceProof(deps, proof, 'done');
}

async function fail(deps: Deps, proof: ProofRow, cause: unknown): Promise<void> {
  const failure =
    cause === 'timeout'
      ? createSentence('proofs.stopped.timeout', { hours: MAX_PROOF_MS / 3_600_000 })
      : cause instanceof AppError
        ? createSentence(`errors.${cause.messageKey}`, cause.params as Record<string, string | number>)
        : createSentence('proofs.stopped.interrupted');
  await updateProof(deps.db, proof, { state: 'failed', failure });
  announceProof(deps, proof, 'failed');
}
