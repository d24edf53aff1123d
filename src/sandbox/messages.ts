import type { SerializedAppError } from '#contract/errors.ts';

/** A message to a child process; it ends when its standard input does. */
export type ParentMessage<T> =
  | {
      type: 'task';
      task: T;
      /** The folder of the spawner by which it starts git; absent for programs that start nothing. */
      spawner?: string;
    }
  | { type: 'abort' };

/** A message from a child process: `started` once it has begun a task, which ends with a `LastMessage`. */
export type ChildMessage<P, V> = { type: 'started' } | { type: 'progress'; progress: P } | TaskOutcome<V>;

/**
 * The outcome of a task with its time in milliseconds, and what the process has used so far: bytes of memory now, seconds of
 * processor time in all.
 */
export type TaskOutcome<V> =
  | { type: 'done'; value: V; ms: number; rss: number; cpuS: number }
  | { type: 'failed'; error: TaskError };

/** An error on its way between processes, where it loses its class. */
export interface TaskError {
  message: string;
  stack: string | undefined;
  /** The AppError that it is; null for any other. */
  app: SerializedAppError | null;
}

/** Hears of a task's progress, and may end it. */
export interface TaskListener<P> {
  onProgress(progress: P): void;
  signal: AbortSignal;
}
