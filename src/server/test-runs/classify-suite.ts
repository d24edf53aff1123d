import type { StoredTestVerdict } from '#db/test-run-tables.ts';
import { splitLines } from '#git/refs.ts';
import { assertOid, gitStream } from '#git/run.ts';
import {
  classifyTest,
  type TestObservation,
  type TestState,
  withAncestors,
} from '#test-reports/classify-test.ts';
import type { Deps } from '../deps.ts';
import { projectStorage } from '../project-data/storage.ts';
import { listTestsToClassify, loadSuiteRuns, saveVerdicts } from './queries.ts';

type ClassifyDeps = Pick<Deps, 'db' | 'config'>;

/** Commits of the history that are read for the ancestry of runs. */
const MAX_GRAPH_COMMITS = 20_000;
const GIT_TIMEOUT_MS = 10_000;
/** Newest branches beside the default one on which a test may be broken. */
const MAX_BRANCHES = 20;
/** A run of fewer tests is no evidence of an outage. */
const MIN_OUTAGE_TESTS = 10;

type SuiteRuns = Awaited<ReturnType<typeof loadSuiteRuns>>;

/** Classifies the tests of a suite that have failed. Can run twice. */
export async function classifySuite(
  deps: ClassifyDeps,
  { id: projectId, branch: defaultBranch }: { id: string; branch: string | null },
  suite: string,
): Promise<void> {
  const ids = await listTestsToClassify(deps.db, projectId, suite);
  if (ids.length === 0) return;
  const runs = await loadSuiteRuns(deps.db, projectId, suite, ids);
  const graph = await readGraph(projectStorage(deps.config.dataDir, projectId).repo, runs);
  const heads = listHeads(runs, graph, defaultBranch);
  const suiteCommits = new Set(runs.map(({ commit }) => commit));
  const observations = groupObservations(runs);
  const verdicts = ids.map((id) => {
    const own = { observations: observations.get(id) ?? [], graph, suiteCommits };
    return { id, ...decide(own, heads) };
  });
  await saveVerdicts(deps.db, projectId, verdicts);
}

/** Verdict on the default branch, or on the first other branch on which the test does not pass. */
function decide(
  history: Omit<Parameters<typeof classifyTest>[0], 'head'>,
  heads: readonly { branch: string | null; commit: string }[],
): { state: TestState; verdict: StoredTestVerdict } {
  const tested = heads
    .map(({ branch, commit }) => ({ branch, ...classifyTest({ ...history, head: commit }) }))
    .filter(({ runs, bad }) => runs > 0 || bad !== null);
  const found = tested.find(({ state }) => state !== 'passing') ?? tested[0];
  if (!found) {
    const nothing = { branch: null, good: null, bad: null, candidates: 0, mixed: [], failures: 0, runs: 0 };
    return {
      state: history.observations.some(({ outcome }) => outcome === 'failed') ? 'unknown' : 'passing',
      verdict: nothing,
    };
  }
  const { state, ...verdict } = found;
  return { state, verdict };
}

/** Newest commit of each branch with runs, also when an older one was uploaded later: the default branch, then others. */
function listHeads(runs: SuiteRuns, graph: Map<string, string[]>, defaultBranch: string | null) {
  const newestFirst = Map.groupBy(runs.toReversed(), ({ branch }) => branch);
  const isDefault = (branch: string | null) => branch === defaultBranch;
  return [...newestFirst]
    .sort(([a], [b]) => Number(isDefault(b)) - Number(isDefault(a)))
    .slice(0, MAX_BRANCHES)
    .map(([branch, own]) => {
      const older = withAncestors(
        graph,
        own.flatMap(({ commit }) => graph.get(commit) ?? []),
      );
      const head = own.find(({ commit }) => !older.has(commit)) ?? own[0]!;
      return { branch, commit: head.commit };
    });
}

/** Parents of commits. A commit that the repository lacks follows the one that was uploaded before it for the same branch. */
async function readGraph(repo: string, runs: SuiteRuns): Promise<Map<string, string[]>> {
  const graph = new Map<string, string[]>();
  const commits = [...new Set(runs.map(({ commit }) => commit))];
  const args = ['rev-list', '--stdin', '--ignore-missing', '--parents', `--max-count=${MAX_GRAPH_COMMITS}`];
  const input = `${commits.map(assertOid).join('\n')}\n`;
  try {
    const output = gitStream(repo, args, { name: 'rev-list', input, timeoutMs: GIT_TIMEOUT_MS });
    for await (const line of splitLines(output)) {
      const [commit = '', ...parents] = line.split(' ');
      if (commit !== '') graph.set(commit, parents);
    }
  } catch {
    // Without a repository, and behind the time limit, the order of upload is what is known.
  }
  const last = new Map<string | null, string>();
  for (const { commit, branch } of runs) {
    const previous = last.get(branch);
    if (!graph.has(commit))
      graph.set(commit, previous === undefined || previous === commit ? [] : [previous]);
    last.set(branch, commit);
  }
  return graph;
}

function groupObservations(runs: SuiteRuns): Map<number, TestObservation[]> {
  const grouped = new Map<number, TestObservation[]>();
  for (const { commit, total, failed_total, ...results } of runs) {
    const runFailureShare = total >= MIN_OUTAGE_TESTS ? failed_total / total : 0;
    for (const outcome of ['passed', 'failed', 'flaky'] as const) {
      for (const id of results[outcome]) {
        const list = grouped.get(id) ?? [];
        list.push({ commit, outcome, runFailureShare });
        grouped.set(id, list);
      }
    }
  }
  return grouped;
}
