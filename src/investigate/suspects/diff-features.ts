import type { FileDiff, Hunk } from '#contract/projects.ts';
import { isNonSource } from '#evolution/fixes.ts';
import type { TermCounter, TermCounts } from '#search/terms/term-counter.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { RenameHistory } from '../history/renames.ts';
import type { LocatedError, LocatedFunction, LocatedPlace } from '../locate/locate.ts';
import { isFormattingOnly } from '../patch/hunk-text.ts';
import { type ErrorWords, termSimilarity } from '../text/error-words.ts';
import { type ChangesFunction, unqualifiedName } from './changed-functions.ts';

/** A candidate's best hunk: where it touches what the error is about. */
export interface BestHunk {
  path: string;
  hunk: Hunk;
  /** Likeness of its changed lines, halved outside the located files; the highest of numbers where blame names it. */
  score: number;
  /** The place whose function the hunk changes. */
  place: LocatedPlace | null;
}

/** What a commit changed, measured against the error. */
export interface DiffFeatures {
  /** The error's terms in the lines that came, and in those that went. */
  added: TermCounts;
  removed: TermCounts;
  best: BestHunk | null;
  /** Share of the commit's changed lines that lie in the program, not in tests or documentation. */
  sourceShare: number;
  lines: number;
  /** Functions that it changed, as git names them behind the second `@@`. */
  functions: Set<string>;
  /** Score of the best located function that it changes; what a file begins with changes none. */
  bestFunction: number;
  /** Names of the places' functions that stand in changed lines. */
  mentions: Set<string>;
  /** Nothing that runs was changed in the located files; without any of these, nowhere. */
  isFormattingOnly: boolean;
}

export interface DiffFeaturesContext {
  counter: TermCounter;
  words: ErrorWords;
  located: LocatedError;
  names: RenameHistory;
  changesFunction: ChangesFunction;
  scoreOf(path: string): number;
}

/** Changed lines of one commit that are read: more is an import of somebody's library, or a move. */
const MAX_CHANGED_LINES = 2_000;
/** Hunks of tests and documentation say less of what a commit did. */
const NON_SOURCE_WEIGHT = 0.5;
const IN_FUNCTION_WEIGHT = 1.25;
/** What a file began with is seldom what broke it. */
const NEW_FILE_WEIGHT = 0.6;

/** Reads a commit's diff once: its terms by side, and its hunk that is most like the error. */
export function extractDiffFeatures(files: FileDiff[], blamed: BlamedCommit | null, context: DiffFeaturesContext): DiffFeatures {
  const added: TermCounts = { counts: new Map(), length: 0 };
  const removed: TermCounts = { counts: new Map(), length: 0 };
  let best: BestHunk | null = null;
  const functions = new Set<string>();
  const mentions = new Set<string>();
  const placed = context.located.places.flatMap(({ symbol }) => (symbol ? [unqualifiedName(symbol)] : []));
  let bestFunction = 0;
  let lines = 0;
  let inCode = 0;
  for (const file of files) {
    const path = file.new_path ?? file.old_path;
    if (path === null) continue;
    const beside = isNonSource(path);
    const inFile = context.located.functions.filter((one) => one.path === context.names.currentPath(path));
    for (const hunk of file.hunks) {
      const counted = countHunk(hunk, context.counter);
      const changed = counted.lines;
      lines += changed;
      if (!beside) inCode += changed;
      if (lines > MAX_CHANGED_LINES) break;
      const name = FUNCTION_NAME.exec(hunk.header)?.[1];
      if (name) functions.add(name);
      bestFunction = Math.max(bestFunction, bestChangedFunctionScore(hunk, inFile, context));
      for (const one of placed) if (changesLineWith(hunk, one)) mentions.add(one);
      addTermCounts(added, counted.added);
      addTermCounts(removed, counted.removed);
      const found = scoreHunk(path, hunk, beside, counted.all, blamed, context);
      if (!best || found.score > best.score) best = found;
    }
  }
  // What a commit did elsewhere does not make its comments in these files the cause.
  const near = files.filter((file) => context.scoreOf(file.new_path ?? file.old_path ?? '') > 0);
  const formatting = isFormattingOnly((near.length > 0 ? near : files).flatMap(({ hunks }) => hunks));
  return {
    added,
    removed,
    best,
    lines,
    functions,
    bestFunction,
    mentions,
    sourceShare: lines === 0 ? 0 : inCode / lines,
    isFormattingOnly: formatting,
  };
}

function scoreHunk(
  path: string,
  hunk: Hunk,
  beside: boolean,
  counted: TermCounts,
  blamed: BlamedCommit | null,
  { words, located, names, changesFunction, scoreOf }: DiffFeaturesContext,
): BestHunk {
  const place =
    located.places.find(
      ({ path: own, symbol }) =>
        own === names.currentPath(path) && symbol !== null && changesFunction(hunk, symbol),
    ) ?? null;
  const likeness = termSimilarity(words, counted).score * (beside ? NON_SOURCE_WEIGHT : 1);
  // Likeness in a file that the error is hardly about counts half.
  const there = (0.5 + 0.5 * scoreOf(path)) * (place ? IN_FUNCTION_WEIGHT : 1) * (isNewFileHunk(hunk) ? NEW_FILE_WEIGHT : 1);
  const score = blamed && hunkContainsLine(hunk, path, blamed.origin) ? Number.MAX_VALUE : likeness * there;
  return { path, hunk, score, place };
}

/** Functions stand best first: the first that the hunk changes is the best. */
function bestChangedFunctionScore(hunk: Hunk, inFile: LocatedFunction[], { changesFunction }: DiffFeaturesContext): number {
  if (isNewFileHunk(hunk)) return 0;
  return inFile.find(({ symbol }) => changesFunction(hunk, symbol))?.score ?? 0;
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

/** Most hunks only add. */
function sumTermCounts(added: TermCounts, removed: TermCounts): TermCounts {
  if (removed.length === 0) return added;
  const all: TermCounts = { counts: new Map(added.counts), length: added.length };
  addTermCounts(all, removed);
  return all;
}

function addTermCounts(into: TermCounts, { counts, length }: TermCounts): void {
  into.length += length;
  for (const [term, count] of counts) into.counts.set(term, (into.counts.get(term) ?? 0) + count);
}

/** Whether a hunk is the whole of a new file. */
export function isNewFileHunk(hunk: Hunk): boolean {
  return hunk.old_lines === 0 && hunk.new_start <= 1;
}

/** Whether a hunk holds a line of the commit's own version of the file. */
function hunkContainsLine(hunk: Hunk, path: string, { path: own, line }: BlamedCommit['origin']): boolean {
  return path === own && line >= hunk.new_start && line < hunk.new_start + hunk.new_lines;
}

const FUNCTION_NAME = /([\p{L}_$][\w$]*)\s*\(/u;

function changesLineWith(hunk: Hunk, name: string): boolean {
  return hunk.lines.some(({ kind, text }) => kind !== 'context' && text.includes(name));
}
