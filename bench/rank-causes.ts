import type { FileDiff } from '../src/contract/projects.ts';
import { type HistoryDeps, readHistory } from '../src/investigate/history/collect-history.ts';
import { type Located, readTexts } from '../src/investigate/locate/locate.ts';
import { readCandidates } from '../src/investigate/suspects/rank-suspects.ts';
import { measure, weigh } from '../src/investigate/suspects/score-suspects.ts';
import type { SuspectInput } from '../src/investigate/suspects/suspect-signal.ts';
import { readErrorWords } from '../src/investigate/text/error-words.ts';
import { openSourceText } from '../src/investigate/text/source-reader.ts';
import { parseQuery } from '../src/search/query/parse-query.ts';
import { readMended } from './blame-fixed-lines.ts';

/** A fix whose cause is asked for: what it says, and what it changed. */
export interface KnownFix {
  message: string;
  diffs: FileDiff[];
}

/** Files of a fix that are taken for what the fault was about. */
const FIXED_FILES = 12;
/** Lines of one kind that name a commit as a candidate come from so many commits at most. */
const ALSO = 60;

/**
 * Commits that most likely brought the fault which a fix mended, likeliest first: who wrote what it took away or
 * stood beside what it added, weighed with the likeness of message and change. `memory` is the one before the fix.
 */
export async function rankCauses(fix: KnownFix, deps: HistoryDeps): Promise<number[]> {
  const input = await readCauses(fix, deps);
  const scores = weigh(measure(input, 'fix'), input.commits.length, 'fix');
  return Array.from(scores.keys())
    .sort((a, b) => scores[b]! - scores[a]!)
    .map((index) => input.commits[index]!);
}

/** The candidates of `rankCauses` with all that the signals measure. */
export async function readCauses(
  { message, diffs: fixed }: KnownFix,
  deps: HistoryDeps,
): Promise<SuspectInput> {
  const { memory, now } = deps;
  const query = parseQuery(message);
  const words = readErrorWords(message, memory);
  const located = await fixedFiles(fixed, deps);
  const mended = await readMended(fixed, deps);
  const also = Object.values(mended).flatMap((lines) => mostLines(lines));
  const found = await readHistory({ query, words, located, also }, deps);
  const input = readCandidates({ ...found, memory, query, words, located, now, blamed: found.blame.commits });
  return { ...input, mended };
}

async function fixedFiles(diffs: FileDiff[], { repo, memory, signal }: HistoryDeps): Promise<Located> {
  const sizes = diffs
    .filter(({ old_path }) => old_path !== null)
    .map(({ old_path, hunks }) => ({
      path: old_path!,
      lines: hunks.reduce((sum, { lines }) => sum + lines.length, 0),
    }))
    .sort((a, b) => b.lines - a.lines)
    .slice(0, FIXED_FILES);
  const most = sizes[0]?.lines || 1;
  const files = sizes.map(({ path, lines }) => ({ path, score: Math.sqrt(lines / most) }));
  const sources = openSourceText(repo, memory, signal);
  try {
    const paths = files.map(({ path }) => path);
    return { files, places: [], functions: [], lead: 0, texts: await readTexts(paths, sources) };
  } finally {
    sources.close();
  }
}

function mostLines(lines: Map<number, number>): number[] {
  return Array.from(lines)
    .sort((a, b) => b[1] - a[1])
    .slice(0, ALSO)
    .map(([commit]) => commit);
}
