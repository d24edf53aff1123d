import type { CodeTable } from '#memory/repository-index.ts';
import type { Query } from '../query/parse-query.ts';
import type { FrameHint } from '../signals/signal.ts';
import type { CodeWorkspace } from '../workspace.ts';
import type { FunctionDefinition } from './list-functions.ts';

/** A function of one of the ranked files. */
export interface FunctionCandidate extends FunctionDefinition {
  readonly file: number;
  /** What the ranking of files says of its file: the difference to the best one, in nats, at most 0. */
  readonly fileScoreGap: number;
}

/** All that a signal of functions may look at. */
export interface FunctionInput {
  readonly code: CodeTable;
  readonly query: Query;
  readonly frames: readonly FrameHint[];
  /** Its scorers hold what the ranking of files by the same text left there. */
  readonly space: CodeWorkspace;
  readonly candidates: readonly FunctionCandidate[];
}

/** All signals of every candidate. */
export type FunctionSignals = Record<string, Float64Array>;

/** Each value as a share of the most, or of the most in its file when the candidates are given. */
export function normalizeByMax(values: Float64Array, within?: readonly FunctionCandidate[]): Float64Array {
  const most = new Map<number, number>();
  const group = (index: number) => (within ? within[index]!.file : 0);
  for (const [index, value] of values.entries()) {
    most.set(group(index), Math.max(most.get(group(index)) ?? 0, value));
  }
  return values.map((value, index) => value / (most.get(group(index)) || 1));
}
