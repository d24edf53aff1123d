import { sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { ProofRun } from '#contract/proofs.ts';
import { newId } from '#db/ids.ts';
import { readCommitSummaries } from '#git/branches.ts';
import { type BisectLog, parseBisectLog } from '#proof/bisect-log.ts';
import { readCommitRange } from '#proof/bisection/commit-range.ts';
import { judgeBisectLog } from '#proof/bisection/judge-log.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { EMPTY_RESULT, readCulprit, saveProvenLabel } from './proven-commit.ts';

/** Tested commits of a log that are stored. */
const MAX_LOG_RUNS = 500;

interface UploadedLog {
  sessionId: string;
  userId: string;
  command: string;
  log: string;
  /** True when the session is visible to its author only. */
  draft: boolean;
}

/**
 * Stores a bisection that was done elsewhere, if the outcomes of its log prove a commit of this repository. Returns the id of the
 * proof. Throws `invalid_input`.
 */
export async function saveUploadedLog(
  deps: Deps,
  project: AccessibleProject,
  { sessionId, userId, command, log, draft }: UploadedLog,
): Promise<string> {
  const parsed = parseBisectLog(log);
  if (parsed === null || parsed.runs.length > MAX_LOG_RUNS) throw invalidLog('bisect_log_unreadable');
  const bad = parsed.runs.find(({ outcome }) => outcome === 'bad')?.commit;
  if (bad === undefined) throw invalidLog('bisect_log_inconclusive');
  const isDraft = (await requireVisible(deps, project, userId, bad)) || draft;
  const repo = await deps.projectFiles.repositories.open(project.id);
  const firstBad = await concludeLog(repo, bad, parsed);
  const culprit = await readCulprit(repo, firstBad);
  const summaries = await readCommitSummaries(repo, [...new Set(parsed.runs.map(({ commit }) => commit))]);
  const id = newId();
  const owner = { project_id: project.id, session_id: sessionId, user_id: userId };
  await deps.db.transaction().execute(async (trx) => {
    const request = { command, setup: null, check: null, script: null, good: null, bad, patch: null };
    await trx
      .insertInto('proofs')
      .values({
        ...{
          ...owner,
          id,
          draft: isDraft,
          kind: 'bisect',
          source: 'upload',
          state: 'done',
          ending: 'proven',
        },
        ...{ first_bad: firstBad, started_at: sql<Date>`now()`, finished_at: sql<Date>`now()` },
        request: JSON.stringify(request),
        result: JSON.stringify({ ...EMPTY_RESULT, culprit }),
      })
      .execute();
    const runs = parsed.runs.map(({ commit, outcome }, at) => ({
      ...{ project_id: project.id, proof_id: id, number: at + 1, commit, outcome, ms: 0, log: null },
      ...{ message: summaries.get(commit)?.subject ?? '', skip_reason: null },
      purpose: (commit === bad ? 'bad' : 'bisect') satisfies ProofRun['purpose'] as ProofRun['purpose'],
    }));
    await trx.insertInto('proof_runs').values(runs).execute();
    await saveProvenLabel(trx, { ...owner, first_bad: firstBad });
  });
  return id;
}

/** True for a commit of the user's own branch. Throws for one that the user may not see or that is not here. */
async function requireVisible(
  deps: Deps,
  project: AccessibleProject,
  userId: string,
  commit: string,
): Promise<boolean> {
  try {
    return (await resolveRevision(deps, { project, userId, name: commit })).isDraft;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw invalidLog('bisect_log_unknown', commit);
  }
}

/** The commit that the outcomes prove, over the history of the bad end: every tested commit is an ancestor of it. */
async function concludeLog(repo: string, bad: string, log: BisectLog): Promise<string> {
  const conclusion = judgeBisectLog(log, await readCommitRange(repo, { good: null, bad }));
  if (conclusion.state === 'proven') return conclusion.firstBad;
  if (conclusion.state === 'inconclusive') throw invalidLog('bisect_log_inconclusive');
  const key = conclusion.state === 'unknown_commit' ? 'bisect_log_unknown' : 'bisect_log_contradiction';
  throw invalidLog(key, conclusion.commit);
}

type LogProblem =
  | 'bisect_log_unreadable'
  | 'bisect_log_inconclusive'
  | 'bisect_log_unknown'
  | 'bisect_log_contradiction';

function invalidLog(key: LogProblem, commit = ''): AppError {
  const params = { commit: commit.slice(0, 7) };
  return new AppError('invalid_input', key, { params, fields: { log: { key, params } } });
}
