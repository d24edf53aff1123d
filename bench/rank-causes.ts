import type { FileDiff } from '../src/contract/projects.ts';
import { collectHistory } from '../src/investigate/collect-history.ts';
import { analyzeErrorWords } from '../src/investigate/locate/error-words.ts';
import { type LocatedError, readFileLines } from '../src/investigate/locate/locate.ts';
import { openSourceReader } from '../src/investigate/locate/source-reader.ts';
import { buildSuspectInput } from '../src/investigate/suspects/rank-suspects.ts';
import { measureSuspectSignals, scoreSuspects } from '../src/investigate/suspects/score-suspects.ts';
import type { SuspectInput } from '../src/investigate/suspects/suspect-signal.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { blameFixedLines } from './blame-fixed-lines.ts';

type HistoryDeps = Parameters<typeof collectHistory>[1];

/** A fix whose cause is ranked. */
interface FixToExplain {
  message: string;
  diffs: FileDiff[];
}

/** Files of a fix that count as located. */
const MAX_FIXED_FILES = 12;
/** Candidates per kind of blamed lines. */
const MAX_CANDIDATES_PER_KIND = 60;

/**
 * Ranks commits by how likely they caused the fault that a fix repaired: by blame of its deleted and adjacent lines and
 * by similarity of message and diff. `index` is the state before the fix.
 */
export async function rankCauses(fix: FixToExplain, deps: HistoryDeps): Promise<number[]> {
  const input = await measureCauses(fix, deps);
  const scores = scoreSuspects(measureSuspectSignals(input, 'fix'), input.commits.length, 'fix');
  return Array.from(scores.keys())
    .sort((a, b) => scores[b]! - scores[a]!)
    .map((i) => input.commits[i]!);
}

/** Builds the input of the signals for the candidates of `rankCauses`. */
export async function measureCauses(
  { message, diffs: fixed }: FixToExplain,
  deps: HistoryDeps,
): Promise<SuspectInput> {
  const { index, now } = deps;
  const query = parseQuery(message);
  const words = analyzeErrorWords(message, index);
  const located = await locateFixedFiles(fixed, deps);
  const fixLines = await blameFixedLines(fixed, deps);
  const extraCandidates = Object.values(fixLines).flatMap((lines) => topCommits(lines));
  const found = await collectHistory({ query, words, located, extraCandidates }, deps);
  const input = buildSuspectInput({
    ...found,
    index,
    query,
    words,
    located,
    now,
    blamed: found.blame.commits,
  });
  return { ...input, fixLines };
}

async function locateFixedFiles(
  diffs: FileDiff[],
  { repo, index, signal }: HistoryDeps,
): Promise<LocatedError> {
  const sizes = diffs
    .filter(({ old_path }) => old_path !== null)
    .map(({ old_path, hunks }) => ({
      path: old_path!,
      lines: hunks.reduce((sum, { lines }) => sum + lines.length, 0),
    }))
    .sort((a, b) => b.lines - a.lines)
    .slice(0, MAX_FIXED_FILES);
  const most = sizes[0]?.lines || 1;
  const files = sizes.map(({ path, lines }) => ({ path, score: Math.sqrt(lines / most) }));
  const sources = openSourceReader(repo, index, signal);
  try {
    const paths = files.map(({ path }) => path);
    return {
      files,
      places: [],
      functions: [],
      topKProbability: 0,
      texts: await readFileLines(paths, sources),
    };
  } finally {
    sources.close();
  }
}

function topCommits(lines: Map<number, number>): number[] {
  return Array.from(lines)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_CANDIDATES_PER_KIND)
    .map(([commit]) => commit);
}
