import type { TrigramQuery } from '../../repository-index.ts';
import type { ByteSet, Regex } from './regex-parser.ts';

/** Limits of the sets of strings, as in codesearch. */
const MAX_EXACT_STRINGS = 7;
const MAX_AFFIXES = 20;
/** Larger sets of bytes are treated as any byte: they exclude too little. */
const MAX_SET_BYTES = 6;

/**
 * Properties of the texts that a part of an expression matches.
 * Source: Russ Cox, "Regular Expression Matching with a Trigram Index", 2012.
 */
interface RegexInfo {
  canBeEmpty: boolean;
  /** All matching texts, if they are few; otherwise `prefixes` and `suffixes` hold their beginnings and ends. */
  exact: Set<string> | null;
  prefixes: Set<string>;
  suffixes: Set<string>;
  query: TrigramQuery;
}

const ANY: TrigramQuery = { kind: 'any' };
const EMPTY = new Set(['']);

/** Query for blobs that contain one of these texts. */
export function literalQuery(texts: string[]): TrigramQuery {
  return anyOf(new Set(texts.map((text) => toAsciiLowerCase(Buffer.from(text).toString('latin1')))));
}

/** Query for blobs in which a regular expression matches. */
export function regexQuery(regex: Regex): TrigramQuery {
  const info = analyze(regex);
  return info.exact === null ? info.query : and(info.query, anyOf(info.exact));
}

function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function analyze(regex: Regex): RegexInfo {
  switch (regex.kind) {
    case 'unknown':
      return matchAny(true);
    case 'assertion':
      return matchExact(EMPTY);
    case 'set': {
      const bytes = lowerCaseBytes(regex.bytes);
      return bytes.size > MAX_SET_BYTES ? matchAny(false) : matchExact(bytes);
    }
    case 'sequence':
      return regex.parts.map(analyze).reduce(concatenate, matchExact(EMPTY));
    case 'choice':
      return regex.parts.map(analyze).reduce(alternate);
    case 'repeat': {
      if (regex.min === 0) return matchAny(true);
      const once = analyze(regex.part);
      return simplify({ ...dropExact(once), canBeEmpty: once.canBeEmpty });
    }
  }
}

function lowerCaseBytes(set: ByteSet): Set<string> {
  const bytes = new Set<string>();
  set.forEach((isMember, byte) => {
    if (isMember === 1) bytes.add(toAsciiLowerCase(String.fromCharCode(byte)));
  });
  return bytes;
}

function matchAny(canBeEmpty: boolean): RegexInfo {
  return { canBeEmpty, exact: null, prefixes: EMPTY, suffixes: EMPTY, query: ANY };
}

function matchExact(exact: Set<string>): RegexInfo {
  return { canBeEmpty: exact.has(''), exact, prefixes: EMPTY, suffixes: EMPTY, query: ANY };
}

/** Replaces the exact set by prefixes and suffixes. */
function dropExact(info: RegexInfo): RegexInfo {
  const { exact, query } = info;
  if (exact === null) return info;
  return { ...info, exact: null, prefixes: exact, suffixes: exact, query: and(query, anyOf(exact)) };
}

function concatenate(a: RegexInfo, b: RegexInfo): RegexInfo {
  const canBeEmpty = a.canBeEmpty && b.canBeEmpty;
  const query = and(a.query, b.query);
  if (a.exact && b.exact) {
    return simplify({ ...matchExact(crossProduct(a.exact, b.exact)), canBeEmpty, query });
  }
  const prefixes = a.exact
    ? crossProduct(a.exact, b.prefixes)
    : a.canBeEmpty
      ? union(a.prefixes, b.exact ?? b.prefixes)
      : a.prefixes;
  const suffixes = b.exact
    ? crossProduct(a.suffixes, b.exact)
    : b.canBeEmpty
      ? union(b.suffixes, a.exact ?? a.suffixes)
      : b.suffixes;
  const joint = crossProduct(a.exact ?? a.suffixes, b.exact ?? b.prefixes);
  return simplify({ canBeEmpty, exact: null, prefixes, suffixes, query: and(query, anyOf(joint)) });
}

function alternate(a: RegexInfo, b: RegexInfo): RegexInfo {
  const canBeEmpty = a.canBeEmpty || b.canBeEmpty;
  if (a.exact && b.exact) {
    return simplify({ ...matchExact(union(a.exact, b.exact)), canBeEmpty, query: or(a.query, b.query) });
  }
  const [first, second] = [dropExact(a), dropExact(b)];
  return simplify({
    canBeEmpty,
    exact: null,
    prefixes: union(first.prefixes, second.prefixes),
    suffixes: union(first.suffixes, second.suffixes),
    query: or(first.query, second.query),
  });
}

/** Moves the trigrams of the sets to the query, and truncates the sets to what may form trigrams with neighbors. */
function simplify(info: RegexInfo): RegexInfo {
  if (info.exact !== null && info.exact.size <= MAX_EXACT_STRINGS && minLength(info.exact) < 4) return info;
  const { canBeEmpty, exact, prefixes, suffixes, query } = info;
  const trigrams = exact === null ? and(anyOf(prefixes), anyOf(suffixes)) : anyOf(exact);
  return {
    canBeEmpty,
    exact: null,
    prefixes: truncate(exact ?? prefixes, (text, length) => text.slice(0, length)),
    suffixes: truncate(exact ?? suffixes, (text, length) => (length === 0 ? '' : text.slice(-length))),
    query: and(query, trigrams),
  };
}

/** Truncates strings to two bytes, or to fewer until there are at most MAX_AFFIXES. */
function truncate(texts: Set<string>, shorter: (text: string, length: number) => string): Set<string> {
  for (let length = 2; ; length--) {
    const short = new Set(Array.from(texts, (text) => shorter(text, length)));
    if (short.size <= MAX_AFFIXES || length === 0) return short;
  }
}

function crossProduct(a: Set<string>, b: Set<string>): Set<string> {
  const all = new Set<string>();
  for (const first of a) for (const second of b) all.add(first + second);
  return all;
}

function union(a: Set<string>, b: Set<string>): Set<string> {
  return new Set([...a, ...b]);
}

const minLength = (texts: Set<string>) => Math.min(...Array.from(texts, ({ length }) => length));

/** Query for one of these texts; matches all when one has no trigram. */
function anyOf(texts: Set<string>): TrigramQuery {
  if (minLength(texts) < 3 || texts.size > MAX_AFFIXES * 2) return ANY;
  const parts = Array.from(texts, trigramsOf);
  return parts.length === 1 ? parts[0]! : { kind: 'or', parts };
}

function trigramsOf(text: string): TrigramQuery {
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at++) trigrams.add(text.slice(at, at + 3));
  return { kind: 'and', parts: Array.from(trigrams, (trigram) => ({ kind: 'trigram', trigram })) };
}

function and(a: TrigramQuery, b: TrigramQuery): TrigramQuery {
  if (a.kind === 'any') return b;
  if (b.kind === 'any') return a;
  const parts = (query: TrigramQuery) => (query.kind === 'and' ? query.parts : [query]);
  return { kind: 'and', parts: [...parts(a), ...parts(b)] };
}

function or(a: TrigramQuery, b: TrigramQuery): TrigramQuery {
  if (a.kind === 'any' || b.kind === 'any') return ANY;
  const parts = (query: TrigramQuery) => (query.kind === 'or' ? query.parts : [query]);
  return { kind: 'or', parts: [...parts(a), ...parts(b)] };
}
