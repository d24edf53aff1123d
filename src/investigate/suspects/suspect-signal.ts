import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '#search/query/parse-query.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { RenameHistory } from '../history/renames.ts';
import type { LocatedError } from '../locate/locate.ts';
import type { ErrorWords } from '../text/error-words.ts';
import type { DiffFeatures } from './diff-features.ts';
import type { SurvivingLines } from './surviving-lines.ts';

/** Who wrote the lines that a fix is about: how many of each kind, by commit. */
export interface BlamedFixLines {
  /** Lines that the fix took away or replaced. */
  deleted: Map<number, number>;
  /** The lines above and below those that it only added. */
  adjacent: Map<number, number>;
  /** Lines that its diff shows unchanged. */
  context: Map<number, number>;
  /** All lines of the functions that it changed. */
  functions: Map<number, number>;
}

/** All that may speak for or against a commit. `commits` are the candidates; `changes` lie beside them. */
export interface SuspectInput {
  memory: RepositoryIndex;
  query: Query;
  words: ErrorWords;
  located: LocatedError;
  renames: RenameHistory;
  blamed: Map<number, BlamedCommit>;
  /** Who wrote what the fix changed, where the fix is known. */
  fixLines?: BlamedFixLines;
  /** Seconds since 1970. */
  now: number;
  commits: number[];
  diffFeatures: DiffFeatures[];
  surviving: SurvivingLines;
  /** Score of a located file by its path, of today or former; 0 for others. */
  scoreOf(path: string): number;
}

/** One reason for or against: a number from 0 to 1 for every candidate, in their order. */
export type SuspectSignal = (input: SuspectInput) => ArrayLike<number>;

/** Divides by the highest, so that the best candidate has 1; all 0 where none has anything. */
export function scaleToUnit(values: ArrayLike<number>): Float64Array {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]!);
  return Float64Array.from(values, (value) => (most > 0 ? value / most : 0));
}
