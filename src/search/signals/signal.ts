import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '../query/parse-query.ts';
import type { CodeWorkspace, FileHistory } from '../workspace.ts';

/** A place that a trace names, innermost first. `path` may be another machine's. */
export interface FrameHint {
  readonly path: string;
  readonly line?: number;
  readonly symbol?: string;
}

/** All that a signal may look at. */
export interface SignalInput {
  readonly memory: RepositoryIndex;
  readonly code: CodeTable;
  readonly query: Query;
  readonly frames: readonly FrameHint[];
  /** Pieces of text that the code itself is thought to contain, such as an error message. */
  readonly literals: readonly string[];
  readonly space: CodeWorkspace;
  readonly history: FileHistory;
}

/**
 * One reason why a file may be meant: a number from 0 for every file, in a unit of the signal's own. Ranking
 * divides it by its maximum over all files, so that signals can be added.
 */
export type Signal = (input: SignalInput) => Float32Array;

/** How far each file fits by the other signals, from 0 for what fits not at all to 1 for the best. */
export interface FirstPass {
  /** The mean of a few signals that say roughly where to look. */
  readonly rough: Float32Array;
  /** How likely the file is beside the best one, by all of them and by weights set by hand. */
  readonly odds: Float32Array;
}

/** A reason that lies in other files. */
export type NeighborSignal = (input: SignalInput, first: FirstPass) => Float32Array;
