import type { CodeTable } from '#memory/repository-index.ts';
import type { Query } from '../lexical/parse-query.ts';
import type { CodeWorkspace } from '../lexical/workspace.ts';
import type { FrameHint } from '../signals/signal.ts';
import type { FunctionBody } from './body-signals.ts';
import type { FunctionDefinition } from './list-functions.ts';

/** A function of one of the ranked files. */
export interface FunctionCandidate extends FunctionDefinition {
  readonly file: number;
  /** Last part of its qualified name. */
  readonly name: string;
  readonly body: FunctionBody;
  /** Score of its file minus that of the best file, in nats; at most 0. */
  readonly fileScoreGap: number;
}

/** Input of all function signals. */
export interface FunctionInput {
  readonly code: CodeTable;
  readonly query: Query;
  readonly frames: readonly FrameHint[];
  /** Scorers with the scores of the same query, as ranking files left them. */
  readonly space: CodeWorkspace;
  readonly candidates: readonly FunctionCandidate[];
}

/** Signals by name, each a value per candidate. */
export type FunctionSignals = Record<string, Float64Array>;

/** Divides values by their maximum. */
export function divideByMax(values: Float64Array): Float64Array {
  const max = values.reduce((a, b) => Math.max(a, b), 0) || 1;
  return values.map((value) => value / max);
}
