import { upperBound } from './binary-search.ts';
import type { ChunkedUint32Array } from './chunked-arrays.ts';
import { addSection, type SectionDraft, type Sections } from './sections.ts';

/** Values grouped by key (compressed sparse rows): those of key k are `values[starts[k]]` to before `starts[k + 1]`. */
export interface Groups {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** Groups `values` by their `keys` from 0 to `keyCount - 1` in a stable counting sort. */
export function groupByKey(keys: ChunkedUint32Array, values: ChunkedUint32Array, keyCount: number): Groups {
  const starts = new Uint32Array(keyCount + 1);
  for (let i = 0; i < keys.length; i++) starts[keys.at(i) + 1]!++;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  const ends = starts.slice();
  const grouped = new Uint32Array(values.length);
  for (let i = 0; i < keys.length; i++) grouped[ends[keys.at(i)]!++] = values.at(i);
  return { starts, values: grouped };
}

/** The values of one key. */
export function valuesOf(groups: Groups, key: number): Uint32Array {
  return groups.values.subarray(groups.starts[key], groups.starts[key + 1]);
}

/** Adds groups to a draft as `<name>.starts` and `<name>.values`. */
export function addGroups(draft: SectionDraft, name: string, groups: Groups): void {
  addSection(draft, `${name}.starts`, groups.starts);
  addSection(draft, `${name}.values`, groups.values);
}

/** Groups that were written as `<name>.starts` and `<name>.values`. */
export function openGroups(file: Sections, name: string): Groups {
  return { starts: file.u32(`${name}.starts`), values: file.u32(`${name}.values`) };
}

/** Starts of consecutive runs by their lengths, and the end of the last one. */
export function prefixSums(counts: readonly number[]): Uint32Array {
  const sums = new Uint32Array(counts.length + 1);
  counts.forEach((count, i) => {
    sums[i + 1] = sums[i]! + count;
  });
  return sums;
}

/** The run that contains `value`, by the `prefixSums` of their lengths. */
export function findRun(sums: Uint32Array, value: number): number {
  return Math.min(Math.max(upperBound(sums, value) - 1, 0), Math.max(sums.length - 2, 0));
}
