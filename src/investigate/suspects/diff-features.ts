import type { FileDiff, Hunk } from '#contract/projects.ts';
import { isBesideTheCode } from '#evolution/fixes.ts';
import type { TermCounter, TermCounts } from '#search/terms/term-counter.ts';
import type { Blamed } from '../history/blame-places.ts';
import type { FormerNames } from '../history/renames.ts';
import type { Located, LocatedFunction, LocatedPlace } from '../locate/locate.ts';
import { isFormatting } from '../patch/hunk-text.ts';
import { type ErrorWords, likenessOf } from '../text/error-words.ts';
import { type FunctionChanges, lastName } from './changed-functions.ts';

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
export interface Change {
  /** The error's terms in the lines that came, and in those that went. */
  added: TermCounts;
  removed: TermCounts;
  best: BestHunk | null;
  /** Share of the commit's changed lines that lie in the program, not in tests or documentation. */
  code: number;
  lines: number;
  /** Functions that it changed, as git names them behind the second `@@`. */
  functions: Set<string>;
  /** Score of the best located function that it changes; what a file begins with changes none. */
  bestFunction: number;
  /** Names of the places' functions that stand in changed lines. */
  mentions: Set<string>;
  /** Nothing that runs was changed in the located files; without any of these, nowhere. */
  formatting: boolean;
}

export interface ChangeContext {
  counter: TermCounter;
  words: ErrorWords;
  located: Located;
  names: FormerNames;
  changesFunction: FunctionChanges;
  scoreOf(path: string): number;
}

/** Changed lines of one commit that are read: more is an import of somebody's library, or a move. */
const MOST_LINES = 2_000;
/** Hunks of tests and documentation say less of what a commit did. */
const BESIDE_THE_CODE = 0.5;
const IN_FUNCTION = 1.25;
/** What a file began with is seldom what broke it. */
const BEGAN = 0.6;

/** Reads a commit's diff once: its terms by side, and its hunk that is most like the error. */
export function readChange(files: FileDiff[], blamed: Blamed | null, context: ChangeContext): Change {
  const added: TermCounts = { counts: new Map(), length: 0 };
  const removed: TermCounts = { counts: new Map(), length: 0 };
  let best: BestHunk | null = null;
  const functions = new Set<string>();
  const mentions = new Set<string>();
  const placed = context.located.places.flatMap(({ symbol }) => (symbol ? [lastName(symbol)] : []));
  let bestFunction = 0;
  let lines = 0;
  let inCode = 0;
  for (const file of files) {
    const path = file.new_path ?? file.old_path;
    if (path === null) continue;
    const beside = isBesideTheCode(path);
    const inFile = context.located.functions.filter((one) => one.path === context.names.current(path));
    for (const hunk of file.hunks) {
      const counted = countHunk(hunk, context.counter);
      const changed = counted.lines;
      lines += changed;
      if (!beside) inCode += changed;
      if (lines > MOST_LINES) break;
      const name = FUNCTION_NAME.exec(hunk.header)?.[1];
      if (name) functions.add(name);
      bestFunction = Math.max(bestFunction, changedFunction(hunk, inFile, context));
      for (const one of placed) if (changesLineWith(hunk, one)) mentions.add(one);
      merge(added, counted.added);
      merge(removed, counted.removed);
      const found = weighHunk(path, hunk, beside, counted.all, blamed, context);
      if (!best || found.score > best.score) best = found;
    }
  }
  // What a commit did elsewhere does not make its comments in these files the cause.
  const near = files.filter((file) => context.scoreOf(file.new_path ?? file.old_path ?? '') > 0);
  const formatting = isFormatting((near.length > 0 ? near : files).flatMap(({ hunks }) => hunks));
  return {
    added,
    removed,
    best,
    lines,
    functions,
    bestFunction,
    mentions,
    code: lines === 0 ? 0 : inCode / lines,
    formatting,
  };
}

function weighHunk(
  path: string,
  hunk: Hunk,
  beside: boolean,
  counted: TermCounts,
  blamed: Blamed | null,
  { words, located, names, changesFunction, scoreOf }: ChangeContext,
): BestHunk {
  const place =
    located.places.find(
      ({ path: own, symbol }) =>
        own === names.current(path) && symbol !== null && changesFunction(hunk, symbol),
    ) ?? null;
  const likeness = likenessOf(words, counted).score * (beside ? BESIDE_THE_CODE : 1);
  // Likeness in a file that the error is hardly about counts half.
  const there = (0.5 + 0.5 * scoreOf(path)) * (place ? IN_FUNCTION : 1) * (begins(hunk) ? BEGAN : 1);
  const score = blamed && wrote(hunk, path, blamed.origin) ? Number.MAX_VALUE : likeness * there;
  return { path, hunk, score, place };
}

/** Functions stand best first: the first that the hunk changes is the best. */
function changedFunction(hunk: Hunk, inFile: LocatedFunction[], { changesFunction }: ChangeContext): number {
  if (begins(hunk)) return 0;
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
  return { added, removed, all: sumOf(added, removed), lines };
}

/** Most hunks only add. */
function sumOf(added: TermCounts, removed: TermCounts): TermCounts {
  if (removed.length === 0) return added;
  const all: TermCounts = { counts: new Map(added.counts), length: added.length };
  merge(all, removed);
  return all;
}

function merge(into: TermCounts, { counts, length }: TermCounts): void {
  into.length += length;
  for (const [term, count] of counts) into.counts.set(term, (into.counts.get(term) ?? 0) + count);
}

/** Whether a hunk is the whole of a new file. */
export function begins(hunk: Hunk): boolean {
  return hunk.old_lines === 0 && hunk.new_start <= 1;
}

/** Whether a hunk holds a line of the commit's own version of the file. */
function wrote(hunk: Hunk, path: string, { path: own, line }: Blamed['origin']): boolean {
  return path === own && line >= hunk.new_start && line < hunk.new_start + hunk.new_lines;
}

const FUNCTION_NAME = /([\p{L}_$][\w$]*)\s*\(/u;

function changesLineWith(hunk: Hunk, name: string): boolean {
  return hunk.lines.some(({ kind, text }) => kind !== 'context' && text.includes(name));
}
