import { parseRegex, type Regex } from './regex-parser.ts';

/** What must stand in a blob for a pattern to match in it. Trigrams are three bytes in Latin 1. */
export type TrigramQuery =
  | { kind: 'any' }
  | { kind: 'trigram'; trigram: string }
  | { kind: 'and' | 'or'; parts: TrigramQuery[] };

/** Sets of strings are kept this small; the figures are those of codesearch. */
const MOST_EXACT = 7;
const MOST_ENDS = 20;

/**
 * What is known of the texts that a part of an expression matches.
 * Source: Russ Cox, "Regular Expression Matching with a Trigram Index", 2012.
 */
interface Known {
  canBeEmpty: boolean;
  /** All of them, where they are few. `prefixes` and `suffixes` tell how they begin and end otherwise. */
  exact: Set<string> | null;
  prefixes: Set<string>;
  suffixes: Set<string>;
  query: TrigramQuery;
}

const ANY: TrigramQuery = { kind: 'any' };
const EMPTY = new Set(['']);

/** What a blob must hold that holds one of these texts. */
export function literalQuery(texts: string[]): TrigramQuery {
  return oneOf(new Set(texts.map((text) => fold(Buffer.from(text).toString('latin1')))));
}

/** What a blob must hold in which an extended regular expression matches. */
export function regexQuery(expression: string): TrigramQuery {
  const known = analyze(parseRegex(Buffer.from(expression).toString('latin1')));
  return known.exact === null ? known.query : and(known.query, oneOf(known.exact));
}

function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function analyze(regex: Regex): Known {
  switch (regex.kind) {
    case 'anything':
      return whatever(true);
    case 'byte':
      return regex.bytes === null
        ? whatever(false)
        : exactly(new Set(regex.bytes.map((byte) => String.fromCharCode(byte))));
    case 'sequence':
      return regex.parts.map(analyze).reduce(follow, exactly(EMPTY));
    case 'choice':
      return regex.parts.map(analyze).reduce(either);
    case 'repeat': {
      if (regex.min === 0) return whatever(true);
      const once = analyze(regex.part);
      return shorten({ ...openEnded(once), canBeEmpty: once.canBeEmpty });
    }
  }
}

function whatever(canBeEmpty: boolean): Known {
  return { canBeEmpty, exact: null, prefixes: EMPTY, suffixes: EMPTY, query: ANY };
}

function exactly(exact: Set<string>): Known {
  return { canBeEmpty: exact.has(''), exact, prefixes: EMPTY, suffixes: EMPTY, query: ANY };
}

/** The same, told by its ends alone. */
function openEnded(known: Known): Known {
  const { exact, query } = known;
  if (exact === null) return known;
  return { ...known, exact: null, prefixes: exact, suffixes: exact, query: and(query, oneOf(exact)) };
}

function follow(a: Known, b: Known): Known {
  const canBeEmpty = a.canBeEmpty && b.canBeEmpty;
  const query = and(a.query, b.query);
  if (a.exact && b.exact) {
    return shorten({ ...exactly(cross(a.exact, b.exact)), canBeEmpty, query });
  }
  const prefixes = a.exact
    ? cross(a.exact, b.prefixes)
    : a.canBeEmpty
      ? united(a.prefixes, b.exact ?? b.prefixes)
      : a.prefixes;
  const suffixes = b.exact
    ? cross(a.suffixes, b.exact)
    : b.canBeEmpty
      ? united(b.suffixes, a.exact ?? a.suffixes)
      : b.suffixes;
  const joint = cross(a.exact ?? a.suffixes, b.exact ?? b.prefixes);
  return shorten({ canBeEmpty, exact: null, prefixes, suffixes, query: and(query, oneOf(joint)) });
}

function either(a: Known, b: Known): Known {
  const canBeEmpty = a.canBeEmpty || b.canBeEmpty;
  if (a.exact && b.exact) {
    return shorten({ ...exactly(united(a.exact, b.exact)), canBeEmpty, query: or(a.query, b.query) });
  }
  const [first, second] = [openEnded(a), openEnded(b)];
  return shorten({
    canBeEmpty,
    exact: null,
    prefixes: united(first.prefixes, second.prefixes),
    suffixes: united(first.suffixes, second.suffixes),
    query: or(first.query, second.query),
  });
}

/** Puts into the query what the sets tell, and keeps of them what the neighbours may still make trigrams of. */
function shorten(known: Known): Known {
  if (known.exact !== null && known.exact.size <= MOST_EXACT && shortest(known.exact) < 4) return known;
  const { canBeEmpty, exact, prefixes, suffixes, query } = known;
  const told = exact === null ? and(oneOf(prefixes), oneOf(suffixes)) : oneOf(exact);
  return {
    canBeEmpty,
    exact: null,
    prefixes: cut(exact ?? prefixes, (text, length) => text.slice(0, length)),
    suffixes: cut(exact ?? suffixes, (text, length) => (length === 0 ? '' : text.slice(-length))),
    query: and(query, told),
  };
}

/** Strings of two bytes at most, or of fewer until they are few. */
function cut(texts: Set<string>, shorter: (text: string, length: number) => string): Set<string> {
  for (let length = 2; ; length--) {
    const short = new Set(Array.from(texts, (text) => shorter(text, length)));
    if (short.size <= MOST_ENDS || length === 0) return short;
  }
}

function cross(a: Set<string>, b: Set<string>): Set<string> {
  const all = new Set<string>();
  for (const first of a) for (const second of b) all.add(first + second);
  return all;
}

function united(a: Set<string>, b: Set<string>): Set<string> {
  return new Set([...a, ...b]);
}

const shortest = (texts: Set<string>) => Math.min(...Array.from(texts, ({ length }) => length));

/** The trigrams of one of these texts; anything when one has none. */
function oneOf(texts: Set<string>): TrigramQuery {
  if (shortest(texts) < 3 || texts.size > MOST_ENDS * 2) return ANY;
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
