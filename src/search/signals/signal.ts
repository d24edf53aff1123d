import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '../lexical/parse-query.ts';
import type { CodeWorkspace, FileHistory } from '../lexical/workspace.ts';

/** A frame of a stack trace. `path` may be one of another machine. */
export interface FrameHint {
  readonly path: string;
  readonly line?: number;
  readonly symbol?: string;
}

/** Input of all signals. */
export interface SignalInput {
  readonly index: RepositoryIndex;
  readonly code: CodeTable;
  readonly query: Query;
  readonly frames: readonly FrameHint[];
  /** Texts that the code is expected to contain, such as an error message. */
  readonly literals: readonly string[];
  readonly space: CodeWorkspace;
  readonly history: FileHistory;
}

/**
 * A ranking signal: a value of at least 0 for every file, in the signal's own unit. Ranking divides it by its maximum
 * over the candidates before signals are summed.
 */
export type Signal = (input: SignalInput) => Float32Array;

/** First-pass scores of all files by the other signals, 0 to 1 for the best. */
export interface FirstPass {
  /** Mean of a few text signals. */
  readonly rough: Float32Array;
  /** Odds relative to the best file, by all signals with weights set by hand. */
  readonly odds: Float32Array;
}

/** A signal that propagates the scores of related files. */
export type NeighborSignal = (input: SignalInput, first: FirstPass) => Float32Array;
