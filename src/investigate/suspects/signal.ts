import type { Memory } from '#memory/repository-index.ts';
import type { Query } from '#search/query.ts';
import type { Blamed } from '../blame-places.ts';
import type { FormerNames } from '../former-names.ts';
import type { Located } from '../locate.ts';
import type { Mended } from '../mended.ts';
import type { ErrorWords } from '../words.ts';
import type { Change } from './change.ts';
import type { Standing } from './standing.ts';

/** All that may speak for or against a commit. `commits` are the candidates; `changes` lie beside them. */
export interface SuspectInput {
  memory: Memory;
  query: Query;
  words: ErrorWords;
  located: Located;
  names: FormerNames;
  blamed: Map<number, Blamed>;
  /** Who wrote what the fix changed, where the fix is known. */
  mended?: Mended;
  /** Seconds since 1970. */
  now: number;
  commits: number[];
  changes: Change[];
  standing: Standing;
  /** Score of a located file by its path, of today or former; 0 for others. */
  scoreOf(path: string): number;
}

/** One reason for or against: a number from 0 to 1 for every candidate, in their order. */
export type SuspectSignal = (input: SuspectInput) => ArrayLike<number>;

/** Divides by the highest, so that the best candidate has 1; all 0 where none has anything. */
export function toUnit(values: ArrayLike<number>): Float64Array {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]!);
  return Float64Array.from(values, (value) => (most > 0 ? value / most : 0));
}
