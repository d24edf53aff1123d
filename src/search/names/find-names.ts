import { yieldIfDue } from '#scheduling/yield.ts';
import { TopK } from '../lexical/top-k.ts';
import { fuzzyScore, type NameSpan, type NameTerm } from './fuzzy-score.ts';
import { foldCase, maskOf, type NameList, nameAt } from './name-list.ts';
import type { NameTable } from './name-table.ts';

/** A name that matches, with its score and the places of its matching characters. */
interface NameMatch {
  name: string;
  positions: number[];
  score: number;
  number: number;
}

interface FindOptions {
  limit: number;
  signal?: AbortSignal | undefined;
}

const NON_SOURCE_PENALTY = 40;
/** Names that score less than this share of the best are noise beside it. */
const WEAK_SHARE = 0.3;
const MAX_TERMS = 6;
/** Names that are compared between two looks at the clock. */
const STEP = 4_000;
const MIN_HASH_DIGITS = 4;
const SLASH = 47;

/** Finds files by parts of their paths, or by characters in their order. */
export async function findFilesByName(
  table: NameTable,
  q: string,
  options: FindOptions,
): Promise<NameMatch[]> {
  const penalty = (file: number) => table.nonSource[file]! * NON_SOURCE_PENALTY;
  return await findInList(table.files, q, { ...options, penalty, isSeparator: (byte) => byte === SLASH });
}

/** Finds symbols likewise, with their places. */
export async function findSymbolsByName(table: NameTable, q: string, options: FindOptions) {
  const penalty = (symbol: number) => table.nonSource[table.symbolFiles[symbol]!]! * NON_SOURCE_PENALTY;
  const isSeparator = (byte: number) => byte === 46 || byte === 58 || byte === 35;
  const found = await findInList(table.symbols, q, { ...options, penalty, isSeparator });
  return found.map((match) => ({
    ...match,
    path: nameAt(table.files, table.symbolFiles[match.number]!),
    start: table.symbolStarts[match.number]!,
    end: table.symbolEnds[match.number]!,
  }));
}

interface ListOptions extends FindOptions {
  penalty(number: number): number;
  /** True for the bytes between the segments of a name. */
  isSeparator(byte: number): boolean;
}

async function findInList(
  list: NameList,
  q: string,
  { limit, signal, penalty, isSeparator }: ListOptions,
): Promise<NameMatch[]> {
  const terms = splitWords(q).map((word) => ({ folded: foldWord(word), typed: Buffer.from(word) }));
  if (terms.length === 0) return [];
  const wanted = terms.reduce((mask, { folded }) => mask | maskOf(folded, 0, folded.length), 0);
  const top = new TopK(limit);
  for (let number = 0; number < list.count; number++) {
    if (number % STEP === 0) await yieldIfDue(signal);
    if ((list.masks[number]! & wanted) !== wanted) continue;
    const score = scoreName(spanOf(list, number, isSeparator), terms);
    if (score > 0) top.push(number, score - penalty(number));
  }
  const ranked = top.sorted();
  const lowest = (ranked[0]?.score ?? 0) * WEAK_SHARE;
  return ranked
    .filter(({ score }) => score >= lowest)
    .map(({ doc, score }) => {
      const positions: number[] = [];
      scoreName(spanOf(list, doc, isSeparator), terms, positions);
      const name = nameAt(list, doc);
      // Positions count bytes: other names than those in ASCII go without.
      const isAscii = list.offsets[doc + 1]! - list.offsets[doc]! === name.length;
      return {
        name,
        score,
        number: doc,
        positions: isAscii ? [...new Set(positions)].sort((a, b) => a - b) : [],
      };
    });
}

const splitWords = (q: string): string[] => q.split(/\s+/).filter(Boolean).slice(0, MAX_TERMS);

/** Lower case of a word, whose ASCII letters alone are folded in names. */
const foldWord = (word: string): Buffer => Buffer.from(word).map(foldCase) as Buffer;

function spanOf(
  { bytes, offsets }: NameList,
  number: number,
  isSeparator: (byte: number) => boolean,
): NameSpan {
  const [from, to] = [offsets[number]!, offsets[number + 1]!];
  let base = to;
  while (base > from && !isSeparator(bytes[base - 1]!)) base--;
  return { bytes, from, base, to };
}

/** Sum of the scores of all terms; 0 when one is missing. */
function scoreName(span: NameSpan, terms: readonly NameTerm[], positions?: number[]): number {
  let sum = 0;
  for (const term of terms) {
    const score = fuzzyScore(span, term, positions);
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

/** Commit by its subject or hash. */
interface CommitMatch {
  hash: string;
  subject: string;
  /** Seconds since 1970. */
  time: number;
}

/** Finds commits by the beginning of the hash, and the newest whose subject has every term. */
export function findCommitsByName(
  table: NameTable,
  q: string,
  { limit }: Pick<FindOptions, 'limit'>,
): CommitMatch[] {
  const text = q.trim().toLowerCase();
  const numbers = [...new Set([...findByHash(table, text, limit), ...findBySubject(table, text, limit)])];
  return numbers.slice(0, limit).map((commit) => commitAt(table, commit));
}

/** Newest commits of a table. */
export function newestCommits(table: NameTable, limit: number): CommitMatch[] {
  return Array.from({ length: Math.min(limit, table.times.length) }, (_, commit) => commitAt(table, commit));
}

function commitAt({ hashes, hashLength, subjects, times }: NameTable, commit: number): CommitMatch {
  const { text, offsets } = subjects;
  return {
    hash: hashes.toString('latin1', commit * hashLength, (commit + 1) * hashLength),
    subject: text.toString('utf8', offsets[commit]! + 1, offsets[commit + 1]!),
    time: times[commit]!,
  };
}

/** Words such as `deadbeef` need seven digits to count as a hash; with a figure among them, four. */
function findByHash({ hashes, hashLength, times }: NameTable, text: string, limit: number): number[] {
  const isHash = /^[0-9a-f]+$/.test(text) && text.length <= hashLength;
  if (!isHash || text.length < (/\d/.test(text) ? MIN_HASH_DIGITS : 7)) return [];
  const found: number[] = [];
  const digits = Buffer.from(text);
  for (let commit = 0; commit < times.length && found.length < limit; commit++) {
    const from = commit * hashLength;
    if (hashes[from] !== digits[0] || hashes[from + 1] !== digits[1]) continue;
    if (hashes.compare(digits, 0, digits.length, from, from + digits.length) === 0) found.push(commit);
  }
  return found;
}

/** Looks for the longest term, newest first, and stops once enough subjects have all terms. */
function findBySubject({ subjects }: NameTable, text: string, limit: number): number[] {
  const terms = splitWords(text)
    .map((word) => Buffer.from(word))
    .sort((a, b) => b.length - a.length);
  const [longest, ...others] = terms;
  if (!longest || longest.length < 2) return [];
  const { folded, offsets } = subjects;
  const found: number[] = [];
  let at = folded.indexOf(longest);
  while (at !== -1 && found.length < limit) {
    const commit = rowAt(offsets, at);
    const row = folded.subarray(offsets[commit]!, offsets[commit + 1]!);
    if (others.every((term) => row.includes(term))) found.push(commit);
    at = folded.indexOf(longest, offsets[commit + 1]!);
  }
  return found;
}

/** Number of the row that contains a place. */
function rowAt(offsets: Uint32Array, place: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= place) low = middle;
    else high = middle;
  }
  return low;
}
