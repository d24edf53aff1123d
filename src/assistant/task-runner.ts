import { BroadcastChannel, workerData } from 'node:worker_threads';
import { AppError, type SerializedAppError, serializeAppError } from '#contract/errors.ts';

/** A task as it is sent to a worker thread. */
export interface TaskMessage {
  /** Unique in the pool; sent on the channel for stop messages, it aborts the task. */
  id: number;
  name: string;
  input: unknown;
}

/** Data that a pool starts its threads with. */
export interface ThreadData {
  /** Name of the broadcast channel for stop messages: one for all tasks, since a port for each costs more than a short task. */
  stopChannel: string;
}

/** Result of a task: errors travel as plain data, since structured cloning strips them of their class and code. */
export type ThreadTaskOutcome = { value: unknown } | { error: SerializedAppError };

/** Tasks by name. Each has its own input type, which the pool checks where a task is called. */
type TaskMap = Record<string, (input: never, signal: AbortSignal) => Promise<unknown>>;

/** Entry point of a worker thread: runs the named task of the map. */
export function createTaskRunner(
  tasks: TaskMap,
  { beforeEach }: { beforeEach?: () => void } = {},
): (message: TaskMessage) => Promise<ThreadTaskOutcome> {
  const running = new Map<number, AbortController>();
  const stops = new BroadcastChannel((workerData as ThreadData).stopChannel);
  stops.onmessage = ({ data }) => running.get(data as number)?.abort();
  stops.unref();
  return async ({ id, name, input }) => {
    beforeEach?.();
    const controller = new AbortController();
    running.set(id, controller);
    try {
      return { value: await tasks[name]!(input as never, controller.signal) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { error: serializeAppError(error) };
    } finally {
      running.delete(id);
    }
  };
}
