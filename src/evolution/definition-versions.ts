import { detectLanguage } from '#memory/chunk/languages.ts';
import type { Definition } from '#memory/chunk/outline.ts';
import { findDefinitionsInText } from '#memory/chunk/parser-processes.ts';

/** A definition in one version of a file, with its comments and annotations. */
export interface DefinitionVersion {
  /** Full name such as `Session.request`. */
  name: string;
  /** True for classes and the like. */
  container: boolean;
  /** First line, from 1: a comment or annotation above the definition, or the definition itself. */
  start: number;
  end: number;
  /** All lines, with leading comments. */
  text: string;
  /** `text` and the line above it, by which an unchanged version is recognized. */
  fingerprint: string;
  /** Lines of the definition without leading comments. */
  code: string;
  /** Parameters as written, without blanks. */
  parameters: string;
}

/** A definition of another name is the same one from this similarity on. */
const MIN_RENAMED = 0.6;
/** Likewise for one of the same name whose parameters or file differ. */
const MIN_SAME_NAME = 0.3;

/** A definition outside of others, with those inside of it. Rows count from 0. */
interface TopDefinition {
  start: number;
  end: number;
  /** The definition and those inside of it, in the order of their lines. */
  versions: DefinitionVersion[];
}

/** Lines and definitions of one version of a file. */
export interface ParsedVersion {
  lines: string[];
  tops: TopDefinition[];
}

/** A version is parsed as a whole where more of its lines than this differ from the known one. */
const MAX_CHANGED_SHARE = 0.7;

/** Lists the definitions of a file in the order of its lines; empty without a grammar. */
export async function listDefinitionVersions(
  path: string,
  text: string,
  signal?: AbortSignal,
): Promise<DefinitionVersion[]> {
  return flattenVersions(await parseFileVersion(path, text, { ...(signal && { signal }) }));
}

/** Definitions of a version, those inside of others included, in the order of their lines. */
export function flattenVersions({ tops }: ParsedVersion): DefinitionVersion[] {
  return tops.flatMap(({ versions }) => versions);
}

/**
 * Parses a version of a file. Of one that differs in some lines from a known one, only the definitions around these lines are
 * parsed: versions of 7,000 lines in C took 40 ms instead of 81.
 */
export async function parseFileVersion(
  path: string,
  text: string,
  { known, signal }: { known?: ParsedVersion | null; signal?: AbortSignal } = {},
): Promise<ParsedVersion> {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const same = known ? unchangedDefinitions(known, lines) : { before: [], after: [] };
  const from = (same.before.at(-1)?.end ?? -1) + 1;
  const next = same.after[0];
  const to = next ? firstLeadingRow(next.start, lines) : lines.length;
  const isWhole = to - from > MAX_CHANGED_SHARE * lines.length;
  const [first, part] = isWhole ? [0, text] : [from, lines.slice(from, to).join('\n')];
  const found = await findDefinitionsInText(detectLanguage(path, text), part, { ...(signal && { signal }) });
  const describe = (definition: Definition): DefinitionVersion[] => {
    const { start, end } = definition;
    const here = { ...definition, start: start + first, end: end + first };
    return [toText(here, lines), ...definition.children.flatMap(describe)];
  };
  const tops = found.map((one) => ({
    start: one.start + first,
    end: one.end + first,
    versions: describe(one),
  }));
  return { lines, tops: isWhole ? tops : [...same.before, ...tops, ...same.after] };
}

/** Definitions that lie within the lines at the beginning or at the end that are the same in a known version. */
function unchangedDefinitions({ lines: old, tops }: ParsedVersion, lines: string[]) {
  const most = Math.min(old.length, lines.length);
  let [begin, end] = [0, 0];
  while (begin < most && old[begin] === lines[begin]) begin++;
  while (end < most - begin && old[old.length - 1 - end] === lines[lines.length - 1 - end]) end++;
  const firstChanged = tops.findIndex((one) => one.end >= begin);
  const before = firstChanged === -1 ? tops : tops.slice(0, firstChanged);
  const rest = tops.slice(before.length);
  // What is above the first of them may have changed.
  const after = rest.slice(rest.findIndex((one) => one.start >= old.length - end) + 1 || rest.length);
  const shift = lines.length - old.length;
  return { before, after: after.map((one) => moveDefinition(one, shift)) };
}

function moveDefinition({ start, end, versions }: TopDefinition, shift: number): TopDefinition {
  const move = (one: DefinitionVersion) => ({ ...one, start: one.start + shift, end: one.end + shift });
  return { start: start + shift, end: end + shift, versions: shift === 0 ? versions : versions.map(move) };
}

function toText({ start, end, names, container }: Definition, lines: string[]): DefinitionVersion {
  const name = names[0] ?? '';
  const first = firstLeadingRow(start, lines);
  const code = lines.slice(start, end + 1).join('\n');
  return {
    ...{ name, container, start: first + 1, end: end + 1, code },
    text: lines.slice(first, end + 1).join('\n'),
    fingerprint: lines.slice(Math.max(0, first - 1), end + 1).join('\n'),
    parameters: parametersOf(code, lastName(name)),
  };
}

const LEADING = /^\s*(?:\/\/|\/\*|\*|@|--|#(?!\s*(?:if|el|end|include|define|undef|pragma|error)))/;

/** First row of the comments and annotations directly above a row. */
function firstLeadingRow(start: number, lines: string[]): number {
  let first = start;
  while (first > 0) {
    let above = first - 1;
    if (/\*\/$/.test(lines[above]!)) {
      while (above > 0 && !lines[above]!.includes('/*')) above--;
      if (!/^\s*\/\*/.test(lines[above]!)) break;
    } else if (!LEADING.test(lines[above]!)) break;
    first = above;
  }
  return first;
}

function parametersOf(code: string, name: string): string {
  const at = code.indexOf(`${name}(`);
  if (at < 0) return '';
  let depth = 0;
  for (let i = at + name.length; i < code.length; i++) {
    if (code[i] === '(') depth++;
    else if (code[i] === ')' && --depth === 0) return code.slice(at, i).replaceAll(/\s+/g, '');
  }
  return '';
}

export function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Share of equal words and signs in the code of two definitions, from 0 to 1. */
function similarity(one: DefinitionVersion, other: DefinitionVersion): number {
  if (one.code === other.code) return 1;
  const [words, others] = [wordsOf(one.code), wordsOf(other.code)];
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  let same = 0;
  for (const word of others) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    same++;
  }
  return (2 * same) / Math.max(1, words.length + others.length);
}

function wordsOf(code: string): string[] {
  return code.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$(){};,.]/gu) ?? [];
}

/** Finds the version of a definition among those of a later or earlier version of its file; null when there is none. */
export function matchDefinition(
  one: DefinitionVersion,
  { own, others }: { own: DefinitionVersion[]; others: DefinitionVersion[] },
): DefinitionVersion | null {
  const sameName = (all: DefinitionVersion[]) =>
    all.filter(({ name, container }) => lastName(name) === lastName(one.name) && container === one.container);
  const [rivals, candidates] = [sameName(own), sameName(others)];
  const pairs = rivals
    .flatMap((rival) => candidates.map((candidate) => ({ rival, candidate, score: score(rival, candidate) })))
    .sort((a, b) => b.score - a.score);
  // A definition that no version changed is one object in both lists.
  const [takenRivals, takenCandidates] = [new Set<DefinitionVersion>(), new Set<DefinitionVersion>()];
  for (const { rival, candidate } of pairs) {
    if (takenRivals.has(rival) || takenCandidates.has(candidate)) continue;
    if (rival.start === one.start && isVersion(one, candidate)) return candidate;
    takenRivals.add(rival);
    takenCandidates.add(candidate);
  }
  return findRenamed(one, { own, others });
}

/** Equal parameters outweigh an equal body, and either the name of the class. */
function score(one: DefinitionVersion, other: DefinitionVersion): number {
  return (
    similarity(one, other) + Number(one.parameters === other.parameters) + Number(one.name === other.name) / 2
  );
}

function isVersion(one: DefinitionVersion, other: DefinitionVersion): boolean {
  return one.parameters === other.parameters || similarity(one, other) >= MIN_SAME_NAME;
}

/** Most similar definition whose name is gone from the file of the other. */
function findRenamed(
  one: DefinitionVersion,
  { own, others }: { own: DefinitionVersion[]; others: DefinitionVersion[] },
): DefinitionVersion | null {
  const kept = new Set(own.map(signature));
  return mostSimilar(
    one,
    others.filter((other) => !kept.has(signature(other))),
  );
}

/** Name and parameters, which tell overloads apart. */
export function signature({ name, parameters }: DefinitionVersion): string {
  return `${name} ${parameters}`;
}

/** Most similar definition that is similar enough to be the same after a move; null when there is none. */
export function mostSimilar(one: DefinitionVersion, others: DefinitionVersion[]): DefinitionVersion | null {
  let best: DefinitionVersion | null = null;
  let most = 0;
  for (const other of others) {
    if (other.container !== one.container) continue;
    const value = similarity(one, other);
    const needed = lastName(one.name) === lastName(other.name) ? MIN_SAME_NAME : MIN_RENAMED;
    if (value < needed || value <= most) continue;
    [best, most] = [other, value];
  }
  return best;
}
