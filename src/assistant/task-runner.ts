import type { MessagePort } from 'node:worker_threads';
import { AppError, type SerializedAppError, serializeAppError } from '#contract/errors.ts';

/** A task as it is sent to a worker thread; a message on `stop` aborts it. */
export interface TaskMessage {
  name: string;
  input: unknown;
  stop: MessagePort;
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
  return async ({ name, input, stop }) => {
    beforeEach?.();
    const controller = new AbortController();
    stop.once('message', () => controller.abort());
    try {
      return { value: await tasks[name]!(input as never, controller.signal) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { error: serializeAppError(error) };
    } finally {
      stop.close();
    }
  };
}
