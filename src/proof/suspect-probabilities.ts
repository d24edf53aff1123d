import { isNonSource } from '#evolution/fixes.ts';
import { collectHistory } from '#investigate/collect-history.ts';
import type { RenameHistory } from '#investigate/history/renames.ts';
import { analyzeError, type InvestigateDeps } from '#investigate/investigate.ts';
import type { ErrorReport } from '#investigate/locate/error-report.ts';
import type { LocatedError } from '#investigate/locate/locate.ts';
import { softmax } from '#investigate/locate/softmax.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { buildSuspectInput } from '#investigate/suspects/rank-suspects.ts';
import { measureSuspectSignals, scoreSuspects } from '#investigate/suspects/score-suspects.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

/** Shares of the two rankings: of the candidates by all signals, and of every commit by the files that it changed. */
const RANKED_SHARE = 0.65;
const FILES_SHARE = 1 - RANKED_SHARE;
/** Located files that count. */
const MAX_FILES = 12;
/** Commits of more files count proportionally less. */
const NARROW_COMMIT_FILES = 5;

/**
 * Estimates for every commit how probable it is that it introduced the failure, by its full hash: the unfiltered ranking, whatever
 * an answer would accuse. Commits that changed no located file have no entry unless they are candidates otherwise.
 */
export async function estimateSuspects(
  report: ErrorReport,
  deps: InvestigateDeps,
): Promise<Map<string, number>> {
  const { repo, index, hunks, signal } = deps;
  const now = Date.parse(deps.now) / 1000;
  const sources = openSourceReader(repo, index, signal);
  try {
    const { query, words, located } = await analyzeError(report, deps, sources);
    const history = await collectHistory({ query, words, located }, { repo, hunks, index, signal, now });
    const { candidates, diffs, renames, blame } = history;
    const input = buildSuspectInput({
      ...{ index, query, words, located, renames, candidates, diffs, now },
      blamed: blame.commits,
    });
    const scores = softmax(scoreSuspects(measureSuspectSignals(input, 'text'), input.commits.length));
    const estimate = new Map<string, number>();
    const add = (commit: number, probability: number) => {
      const oid = index.commits.oid(commit);
      estimate.set(oid, (estimate.get(oid) ?? 0) + probability);
    };
    for (const [at, { commit }] of candidates.entries()) add(commit, RANKED_SHARE * scores[at]!);
    for (const [commit, share] of weighByFiles(located, renames, index)) add(commit, FILES_SHARE * share);
    return estimate;
  } finally {
    sources.close();
  }
}

/** Shares of the commits that changed the located files, under their earlier paths too. */
function weighByFiles(
  located: LocatedError,
  renames: RenameHistory,
  { commits }: RepositoryIndex,
): Map<number, number> {
  const weights = new Map<number, number>();
  for (const { path, score } of located.files.slice(0, MAX_FILES)) {
    const factor = isNonSource(path) ? 0.2 : 1;
    const touching = new Set(
      renames.allPaths(path).flatMap((name) => {
        const number = commits.pathNumber(name);
        return number < 0 ? [] : [...commits.touching(number)];
      }),
    );
    for (const commit of touching) {
      const width = Math.min(1, NARROW_COMMIT_FILES / commits.paths(commit).length);
      weights.set(commit, (weights.get(commit) ?? 0) + score * factor * width);
    }
  }
  const total = [...weights.values()].reduce((sum, one) => sum + one, 0);
  return total === 0 ? weights : new Map([...weights].map(([commit, weight]) => [commit, weight / total]));
}
