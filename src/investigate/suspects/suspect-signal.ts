import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '#search/query/parse-query.ts';
import type { Blamed } from '../history/blame-places.ts';
import type { FormerNames } from '../history/renames.ts';
import type { Located } from '../locate/locate.ts';
import type { ErrorWords } from '../text/error-words.ts';
import type { Change } from './diff-features.ts';
import type { Standing } from './surviving-lines.ts';

/** Who wrote the lines that a fix is about: how many of each kind, by commit. */
export interface Mended {
  /** Lines that the fix took away or replaced. */
  deleted: Map<number, number>;
  /** The lines above and below those that it only added. */
  neighbours: Map<number, number>;
  /** Lines that its diff shows unchanged. */
  around: Map<number, number>;
  /** All lines of the functions that it changed. */
  functions: Map<number, number>;
}

/** All that may speak for or against a commit. `commits` are the candidates; `changes` lie beside them. */
export interface SuspectInput {
  memory: RepositoryIndex;
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
