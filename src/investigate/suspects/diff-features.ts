import type { FileDiff, Hunk } from '#contract/projects.ts';
import { isNonSource } from '#evolution/fixes.ts';
import { isFormattingOnly } from '#evolution/hunk-text.ts';
import type { TermCounter, TermCounts } from '#search/lexical/term-counter.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { RenameHistory } from '../history/renames.ts';
import { type ErrorWords, termSimilarity } from '../locate/error-words.ts';
import type { LocatedError, LocatedFunction, LocatedPlace } from '../locate/locate.ts';
import { type ChangesFunction, unqualifiedName } from './changed-functions.ts';

/** The hunk of a candidate that is most similar to the error. */
export interface BestHunk {
  path: string;
  hunk: Hunk;
  /** Similarity of its changed lines, halved outside the located files; Number.MAX_VALUE for a blamed hunk. */
  score: number;
  /** The place whose function the hunk changes. */
  place: LocatedPlace | null;
}

/** Features of a commit's diff, relative to the error. */
export interface DiffFeatures {
  /** The error's terms in added and in removed lines. */
  added: TermCounts;
  removed: TermCounts;
  best: BestHunk | null;
  /** Share of the changed lines in source code, rather than tests or documentation. */
  sourceShare: number;
  lines: number;
  /** Changed functions, as git prints them after the second `@@`. */
  functions: Set<string>;
  /** Score of the best located function that it changes; a new file changes none. */
  bestFunction: number;
  /** Names of the places' functions in changed lines. */
  mentions: Set<string>;
  /** True when only formatting changed in the located files, or anywhere if it touched none of them. */
  isFormattingOnly: boolean;
}

interface DiffFeaturesContext {
  counter: TermCounter;
  words: ErrorWords;
  located: LocatedError;
  renames: RenameHistory;
  changesFunction: ChangesFunction;
  scoreOf(path: string): number;
}

/** Changed lines read per commit; more are an import or a move. */
const MAX_CHANGED_LINES = 2_000;
/** Hunks of tests and documentation say less about what a commit did. */
const NON_SOURCE_WEIGHT = 0.5;
const IN_FUNCTION_WEIGHT = 1.25;
/** The first version of a file seldom broke it. */
const NEW_FILE_WEIGHT = 0.6;

/** Extracts the features of a commit's diff in one pass. */
export function extractDiffFeatures(
  files: FileDiff[],
  blamed: BlamedCommit | null,
  context: DiffFeaturesContext,
): DiffFeatures {
  const added: TermCounts = { counts: new Map(), length: 0 };
  const removed: TermCounts = { counts: new Map(), length: 0 };
  let best: BestHunk | null = null;
  const functions = new Set<string>();
  const mentions = new Set<string>();
  const placeFunctions = context.located.places.flatMap(({ symbol }) =>
    symbol ? [unqualifiedName(symbol)] : [],
  );
  let bestFunction = 0;
  let lines = 0;
  let sourceLines = 0;
  for (const file of files) {
    const path = file.new_path ?? file.old_path;
    if (path === null) continue;
    const nonSource = isNonSource(path);
    const locatedFunctions = context.located.functions.filter(
      (one) => one.path === context.renames.currentPath(path),
    );
    for (const hunk of file.hunks) {
      const counts = countHunk(hunk, context.counter);
      const changed = counts.lines;
      lines += changed;
      if (!nonSource) sourceLines += changed;
      if (lines > MAX_CHANGED_LINES) break;
      const name = FUNCTION_NAME.exec(hunk.header)?.[1];
      if (name) functions.add(name);
      bestFunction = Math.max(bestFunction, bestChangedFunctionScore(hunk, locatedFunctions, context));
      for (const one of placeFunctions) if (changesLineWith(hunk, one)) mentions.add(one);
      addTermCounts(added, counts.added);
      addTermCounts(removed, counts.removed);
      const found = scoreHunk(path, hunk, nonSource, counts.all, blamed, context);
      if (!best || found.score > best.score) best = found;
    }
  }
  // Changes elsewhere do not make a change of formatting in the located files the cause.
  const located = files.filter((file) => context.scoreOf(file.new_path ?? file.old_path ?? '') > 0);
  return {
    added,
    removed,
    best,
    lines,
    functions,
    bestFunction,
    mentions,
    sourceShare: lines === 0 ? 0 : sourceLines / lines,
    isFormattingOnly: isFormattingOnly((located.length > 0 ? located : files).flatMap(({ hunks }) => hunks)),
  };
}

function scoreHunk(
  path: string,
  hunk: Hunk,
  nonSource: boolean,
  counts: TermCounts,
  blamed: BlamedCommit | null,
  { words, located, renames, changesFunction, scoreOf }: DiffFeaturesContext,
): BestHunk {
  const place =
    located.places.find(
      ({ path: own, symbol }) =>
        own === renames.currentPath(path) && symbol !== null && changesFunction(hunk, symbol),
    ) ?? null;
  const similarity = termSimilarity(words, counts).score * (nonSource ? NON_SOURCE_WEIGHT : 1);
  // Similarity in a file that was not located counts half.
  const locationWeight =
    (0.5 + 0.5 * scoreOf(path)) *
    (place ? IN_FUNCTION_WEIGHT : 1) *
    (isNewFileHunk(hunk) ? NEW_FILE_WEIGHT : 1);
  const score =
    blamed && hunkContainsLine(hunk, path, blamed.origin) ? Number.MAX_VALUE : similarity * locationWeight;
  return { path, hunk, score, place };
}

/** Score of the first changed function, since functions are listed best first. */
function bestChangedFunctionScore(
  hunk: Hunk,
  locatedFunctions: LocatedFunction[],
  { changesFunction }: DiffFeaturesContext,
): number {
  if (isNewFileHunk(hunk)) return 0;
  return locatedFunctions.find(({ symbol }) => changesFunction(hunk, symbol))?.score ?? 0;
}

function countHunk(hunk: Hunk, counter: TermCounter) {
  const added: TermCounts = { counts: new Map(), length: 0 };
  const removed: TermCounts = { counts: new Map(), length: 0 };
  let lines = 0;
  for (const { kind, text } of hunk.lines) {
    if (kind === 'context') continue;
    lines++;
    counter.count(text, kind === 'add' ? added : removed);
  }
  return { added, removed, all: sumTermCounts(added, removed), lines };
}

function sumTermCounts(added: TermCounts, removed: TermCounts): TermCounts {
  // Most hunks only add lines.
  if (removed.length === 0) return added;
  const all: TermCounts = { counts: new Map(added.counts), length: added.length };
  addTermCounts(all, removed);
  return all;
}

function addTermCounts(into: TermCounts, { counts, length }: TermCounts): void {
  into.length += length;
  for (const [term, count] of counts) into.counts.set(term, (into.counts.get(term) ?? 0) + count);
}

/** True when a hunk is the whole of a new file. */
export function isNewFileHunk(hunk: Hunk): boolean {
  return hunk.old_lines === 0 && hunk.new_start <= 1;
}

/** True when a hunk contains a line of the commit's own version of the file. */
function hunkContainsLine(hunk: Hunk, path: string, { path: own, line }: BlamedCommit['origin']): boolean {
  return path === own && line >= hunk.new_start && line < hunk.new_start + hunk.new_lines;
}

const FUNCTION_NAME = /([\p{L}_$][\w$]*)\s*\(/u;

function changesLineWith(hunk: Hunk, name: string): boolean {
  return hunk.lines.some(({ kind, text }) => kind !== 'context' && text.includes(name));
}
