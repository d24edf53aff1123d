import { lowerBound } from '../../bytes/binary-search.ts';
import type { Sections } from '../../bytes/sections.ts';
import { VarintReader } from '../../bytes/varint.ts';
import { memoize } from '../../memoize.ts';
import type { TrigramQuery } from '../../repository-index.ts';
import { ASCII_LOWERCASE, riceParameter } from './trigram-coding.ts';

/** Finds the blobs that may contain a text. */
export interface TrigramIndex {
  readonly blobCount: number;
  /** Numbers of the blobs that may match, ascending; null for all. Every blob that matches is among them. */
  candidates(query: TrigramQuery): Uint32Array | null;
}

/** Opens the lists that `TrigramIndexBuilder` wrote. */
export function openTrigramIndex(file: Sections): TrigramIndex {
  const blobCount = file.number('trigrams.blobs');
  const keys = file.u32('trigrams.keys');
  const starts = file.u32('trigrams.starts');
  const lists = file.u8('trigrams.lists');

  const find = (trigram: string): Uint32Array => {
    const [a, b, c] = [0, 1, 2].map((i) => ASCII_LOWERCASE[trigram.charCodeAt(i)]!);
    const wanted = (a! << 16) | (b! << 8) | c!;
    const at = lowerBound(keys, wanted);
    return keys[at] === wanted ? readList(lists, starts[at]!, blobCount) : EMPTY;
  };

  return { blobCount, candidates: (query) => evaluate(query, memoize(find)) };
}

/** Evaluates a query; null stands for all blobs. */
function evaluate(query: TrigramQuery, find: (trigram: string) => Uint32Array): Uint32Array | null {
  if (query.kind === 'any') return null;
  if (query.kind === 'trigram') return find(query.trigram);
  let found: Uint32Array | null = query.kind === 'or' ? EMPTY : null;
  for (const part of query.parts) {
    const candidates = evaluate(part, find);
    if (query.kind === 'and') {
      if (candidates !== null) found = found === null ? candidates : intersect(found, candidates);
      if (found?.length === 0) break;
    } else {
      if (candidates === null) return null;
      found = union(found!, candidates);
    }
  }
  return found;
}

const EMPTY = new Uint32Array(0);

/** Reads a list that `writeList` of `trigram-builder.ts` wrote. */
function readList(lists: Uint8Array, start: number, blobs: number): Uint32Array {
  const reader = new VarintReader(lists, start);
  const count = reader.read();
  const bits = riceParameter(count, blobs);
  const docs = new Uint32Array(count);
  let bit = reader.position * 8;
  let doc = -1;
  const next = () => {
    const value = (lists[bit >>> 3]! >>> (bit & 7)) & 1;
    bit++;
    return value;
  };
  for (let i = 0; i < count; i++) {
    let gap = 0;
    while (next() === 1) gap++;
    gap <<= bits;
    for (let low = 0; low < bits; low++) gap |= next() << low;
    doc += gap + 1;
    docs[i] = doc;
  }
  return docs;
}

function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let length = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) both[length++] = a[i++]!;
    if (a[i]! < b[j]!) i++;
    else j++;
  }
  return both.subarray(0, length);
}

function union(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length);
  let length = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const next = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    if (a[i] === next) i++;
    if (b[j] === next) j++;
    all[length++] = next;
  }
  return all.subarray(0, length);
}
