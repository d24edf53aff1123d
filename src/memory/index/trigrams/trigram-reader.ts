import type { ShardFile } from '../../bytes/container.ts';
import { memoize } from '../../memoize.ts';
import { ASCII_LOWERCASE, riceParameter } from './trigram-coding.ts';
import type { TrigramQuery } from './trigram-query.ts';

/** Which blobs may hold a text. */
export interface TrigramIndex {
  readonly blobCount: number;
  /** Numbers of the blobs that may match, ascending; null when the query tells nothing. None that match is missing. */
  candidates(query: TrigramQuery): Uint32Array | null;
}

/** Opens the lists that `TrigramsBuilder` wrote. */
export function openTrigramIndex(file: ShardFile): TrigramIndex {
  const blobCount = file.number('trigrams.blobs');
  const keys = file.u32('trigrams.keys');
  const starts = file.u32('trigrams.starts');
  const lists = file.u8('trigrams.lists');

  const find = (trigram: string): Uint32Array => {
    const [a, b, c] = [0, 1, 2].map((i) => ASCII_LOWERCASE[trigram.charCodeAt(i)]!);
    const wanted = (a! << 16) | (b! << 8) | c!;
    let low = 0;
    for (let high = keys.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (keys[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return keys[low] === wanted ? readList(lists, starts[low]!, blobCount) : NONE;
  };

  return { blobCount, candidates: (query) => evaluate(query, memoize(find)) };
}

/** Null stands for all blobs. */
function evaluate(query: TrigramQuery, find: (trigram: string) => Uint32Array): Uint32Array | null {
  if (query.kind === 'any') return null;
  if (query.kind === 'trigram') return find(query.trigram);
  let found: Uint32Array | null = query.kind === 'or' ? NONE : null;
  for (const part of query.parts) {
    const mine = evaluate(part, find);
    if (query.kind === 'and') {
      if (mine !== null) found = found === null ? mine : intersect(found, mine);
      if (found?.length === 0) break;
    } else {
      if (mine === null) return null;
      found = union(found!, mine);
    }
  }
  return found;
}

const NONE = new Uint32Array(0);

/** Reads what `writeList` of `build.ts` writes. */
function readList(lists: Uint8Array, start: number, blobs: number): Uint32Array {
  let at = start;
  let count = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = lists[at++]!;
    count |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  const bits = riceParameter(count, blobs);
  const docs = new Uint32Array(count);
  let bit = at * 8;
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
