import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '#search/lexical/parse-query.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { RenameHistory } from '../history/renames.ts';
import type { SurvivingLines } from '../history/surviving-lines.ts';
import type { ErrorWords } from '../locate/error-words.ts';
import type { LocatedError } from '../locate/locate.ts';
import type { DiffFeatures } from './diff-features.ts';

/** Blame of the lines that a fix concerns: number of lines of each kind, by commit. */
export interface BlamedFixLines {
  /** Lines that the fix deleted or replaced. */
  deleted: Map<number, number>;
  /** Lines above and below pure additions. */
  adjacent: Map<number, number>;
  /** Context lines of its diff. */
  context: Map<number, number>;
  /** All lines of the functions that it changed. */
  functions: Map<number, number>;
}

/** Input of all suspect signals. `diffFeatures` has an entry for every candidate in `commits`. */
export interface SuspectInput {
  index: RepositoryIndex;
  query: Query;
  words: ErrorWords;
  located: LocatedError;
  renames: RenameHistory;
  blamed: Map<number, BlamedCommit>;
  /** Blame of the lines of the fix, where it is known. */
  fixLines?: BlamedFixLines;
  /** Unix time in seconds. */
  now: number;
  commits: number[];
  diffFeatures: DiffFeatures[];
  surviving: SurvivingLines;
  /** Score of a located file by its current or former path; 0 for others. */
  scoreOf(path: string): number;
}

/** A signal for or against a commit: a value from 0 to 1 for every candidate, in their order. */
export type SuspectSignal = (input: SuspectInput) => ArrayLike<number>;

/** Divides by the maximum, so that the best candidate has 1; all 0 when no value is above 0. */
export function scaleToUnit(values: ArrayLike<number>): Float64Array {
  let max = 0;
  for (let i = 0; i < values.length; i++) max = Math.max(max, values[i]!);
  return Float64Array.from(values, (value) => (max > 0 ? value / max : 0));
}
