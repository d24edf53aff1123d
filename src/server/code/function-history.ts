import type { CHANGE_EVENTS, CHANGE_LABELS, FunctionChange } from '#contract/code.ts';
import { MAX_FUNCTION_CHANGES } from '#contract/code.ts';
import { AppError } from '#contract/errors.ts';
import { isoTime } from '#contract/iso-time.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { parseDiff } from '#git/diff.ts';
import type { LineChange } from '#git/line-history.ts';
import { lineage } from '#git/lineage.ts';
import { hasSameRuntimeTokensInProcess } from '#memory/chunk/parser-processes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';

type Label = (typeof CHANGE_LABELS)[number];
type Event = (typeof CHANGE_EVENTS)[number];

interface FunctionRequest {
  repo: string;
  index: RepositoryIndex;
  path: string;
  name: string;
  signal: AbortSignal;
}

/** Follows a function back through renames and moves; every change is labelled. Throws `not_found`. */
export async function listFunctionChanges({ repo, index, path, name, signal }: FunctionRequest) {
  const span = index.code && findSpan(index.code, path, name);
  if (!span) throw new AppError('not_found', 'definition_not_found');
  const history = await lineage(repo, {
    commit: index.revision,
    ...{ path, from: span.start, to: span.end },
    maxCommits: MAX_FUNCTION_CHANGES,
    signal,
  });
  const changes: FunctionChange[] = [];
  for (const [i, change] of history.entries()) {
    signal.throwIfAborted();
    const older = history[i + 1];
    const presented = await presentChange(index, change, { older, name: span.name });
    if (presented) changes.push(presented);
    const move = presented?.event === 'moved' ? null : findMove(index, change, older);
    if (move) changes.push(move);
  }
  const complete = history.length < MAX_FUNCTION_CHANGES;
  return { ...span, path, commit: index.revision, changes, complete };
}

/** Lines of the definition with this full name in a file, or of the only one with its last part. */
function findSpan(code: CodeTable, path: string, name: string) {
  const file = code.fileNumber(path);
  if (file < 0) return null;
  const { first, count } = code.filePassages(file);
  const passages = Array.from({ length: count }, (_, i) => first + i);
  const symbolOf = (passage: number) => code.passageSymbol(passage) ?? '';
  const exact = passages.filter((passage) => symbolOf(passage) === name);
  const last = name.split('.').at(-1);
  const found =
    exact.length > 0 ? exact : passages.filter((passage) => symbolOf(passage).split('.').at(-1) === last);
  if (found.length === 0) return null;
  // A long definition is cut into several passages of one symbol.
  const lines = found
    .filter((one) => symbolOf(one) === symbolOf(found[0]!))
    .map((one) => code.passageLines(one));
  return {
    name: symbolOf(found[0]!),
    start: Math.min(...lines.map(({ start }) => start)),
    end: Math.min(Math.max(...lines.map(({ end }) => end)), code.fileLines(file)),
  };
}

async function presentChange(
  index: RepositoryIndex,
  change: LineChange,
  { older, name }: { older: LineChange | undefined; name: string },
): Promise<FunctionChange | null> {
  const { commits } = index;
  const number = commits.find(change.oid);
  if (number < 0 || change.path === null) return null;
  const [file] = parseDiff(['--- a/x', '+++ b/x', ...change.patch, ''].join('\n'));
  const hunks = file?.hunks ?? [];
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const before = lines.filter(({ kind }) => kind !== 'add').map(({ text }) => text);
  const after = lines.filter(({ kind }) => kind !== 'delete').map(({ text }) => text);
  const isFirst = before.length === 0;
  const isMove = hasMoved(change, older) && (isFirst || renameCommit(index, change, older) === number);
  const formerName = renamedFrom(before, after, name);
  const label = isFirst
    ? 'behavior'
    : await labelChange({ path: change.path, before, after, subject: commits.subject(number) });
  // A fix of types, blanks or comments did not fix the function.
  const isFix = (label === 'behavior' || label === 'refactoring') && isFixCommit(index, number);
  return {
    ...presentMessage(index, number),
    path: change.path,
    event: eventOf({ isFirst: isFirst && !older, isMove, isRename: formerName !== null, isFix }),
    label: isMove && isFirst ? 'refactoring' : label,
    from: isMove ? older!.path : formerName,
    diff: hunks,
  };
}

function hasMoved(change: LineChange, older: LineChange | undefined): boolean {
  return older !== undefined && older.path !== null && older.path !== change.path;
}

/** The newest commit that renamed the older file to the file of the change; undefined where none did. */
function renameCommit(
  { commits }: RepositoryIndex,
  change: LineChange,
  older: LineChange | undefined,
): number | undefined {
  const path = commits.pathNumber(change.path ?? '');
  const former = commits.pathNumber(older?.path ?? '');
  if (path < 0 || former < 0) return undefined;
  return commits
    .touching(path)
    .find((commit) => commits.oldPaths(commit)[commits.paths(commit).indexOf(path)] === former);
}

/** Move of the file between two changes of the function, by a commit that did not touch its lines; null for none. */
function findMove(
  index: RepositoryIndex,
  change: LineChange,
  older: LineChange | undefined,
): FunctionChange | null {
  const number = hasMoved(change, older) ? renameCommit(index, change, older) : undefined;
  if (number === undefined || change.path === null) return null;
  return {
    ...presentMessage(index, number),
    ...{ path: change.path, event: 'moved', label: 'refactoring', from: older!.path, diff: [] },
  };
}

function presentMessage({ commits }: RepositoryIndex, number: number) {
  return {
    hash: commits.oid(number),
    subject: commits.subject(number).slice(0, 300),
    body: commits
      .message(number)
      .replace(/^.*\n?/, '')
      .trim()
      .slice(0, 4_000),
    author: commits.author(number),
    timestamp: isoTime(commits.time(number)),
  };
}

function eventOf(facts: { isFirst: boolean; isMove: boolean; isRename: boolean; isFix: boolean }): Event {
  if (facts.isFirst) return 'introduced';
  if (facts.isMove) return 'moved';
  if (facts.isRename) return 'renamed';
  return facts.isFix ? 'fixed' : 'changed';
}

const DEFINITION_WORDS =
  /\b(?:def|function|func|fn|class|sub|fun)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)/u;

/** Name on the first defining line before the change, where it differs from the one after it; null otherwise. */
function renamedFrom(before: string[], after: string[], name: string): string | null {
  const definedIn = (lines: string[]) =>
    lines.map((line) => DEFINITION_WORDS.exec(line)?.[1]).find((found) => found !== undefined);
  const [old, fresh] = [definedIn(before), definedIn(after)];
  return old && fresh && old !== fresh && name.endsWith(fresh) ? old : null;
}

const REFACTORING_SUBJECT =
  /\b(?:refactor(?:s|ed|ing)?|renam(?:e[sd]?|ing)|extract(?:s|ed)?|clean(?:s|ed|ing)?[- ]?up|simplif(?:y|ies|ied)|reorgani[sz]e[sd]?|restructure[sd]?|moderni[sz]e[sd]?|inline[sd]?|dedup(?:licate[sd]?)?)\b/i;

interface ChangedText {
  path: string;
  before: string[];
  after: string[];
  subject: string;
}

/** Classifies a function's change by its tokens first and by the words of its author second. */
async function labelChange({ path, before, after, subject }: ChangedText): Promise<Label> {
  if (compact(before) === compact(after)) return 'formatting';
  const isSame = await hasSameRuntimeTokensInProcess(path, dedent(before), dedent(after));
  if (isSame)
    return compact(withoutComments(before)) === compact(withoutComments(after))
      ? 'documentation'
      : 'formatting';
  if (compact(withoutComments(before)) === compact(withoutComments(after))) return 'documentation';
  if (isConsistentRenaming(before, after) || REFACTORING_SUBJECT.test(subject)) return 'refactoring';
  return 'behavior';
}

const compact = (lines: string[]) => lines.join('').replaceAll(/\s+/g, '');

/** Drops lines that hold nothing but a comment. */
function withoutComments(lines: string[]): string[] {
  return lines.filter((line) => !/^\s*(?:#|\/\/|\/\*|\*|--|;)/.test(line));
}

function dedent(lines: string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)![0].length);
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join('\n');
}

/** True where the texts differ in names alone, each replaced by one other everywhere. */
function isConsistentRenaming(before: string[], after: string[]): boolean {
  const words = (lines: string[]) => lines.join('\n').match(/[\p{L}_$][\p{L}\p{N}_$]*|\S/gu) ?? [];
  const [old, fresh] = [words(before), words(after)];
  if (old.length !== fresh.length) return false;
  const names = new Map<string, string>();
  const taken = new Map<string, string>();
  return old.every((word, i) => {
    const other = fresh[i]!;
    const isName = /^[\p{L}_$]/u.test(word) && /^[\p{L}_$]/u.test(other);
    if (word !== other && !isName) return false;
    if ((names.get(word) ?? other) !== other || (taken.get(other) ?? word) !== word) return false;
    names.set(word, other);
    taken.set(other, word);
    return true;
  });
}
