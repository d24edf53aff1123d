import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A place in a source, counted from line 1 and column 0. */
export interface MappedPosition {
  path: string;
  line: number;
  column: number;
  /** Identifier at the place. */
  name: string | null;
  /** The line and those around it, where the map has the source. */
  text: string | null;
  before: string[];
  after: string[];
}

/** Positions to look up in a map. */
export interface SourceMapTask {
  id: number;
  /** Path of a compressed file, or content. */
  map: string | Uint8Array;
  /** Names the content; with it the parsed map is kept for further tasks. */
  key?: string;
  positions: { line: number; column: number }[];
}

/** Positions in the order of the task; `problem` is set for a map that cannot be read. */
export interface SourceMapTaskResult {
  id: number;
  positions: (MappedPosition | null)[];
  problem: string | null;
}

const TASK_TIMEOUT_MS = 10_000;
const IDLE_MS = 60_000;
const MAX_HEAP_MB = 768;

/** Reads source maps in a thread with limits of time and memory, since they are written by others. */
export interface SourceMapReader {
  read(task: Omit<SourceMapTask, 'id'>): Promise<Omit<SourceMapTaskResult, 'id'>>;
  close(): Promise<void>;
}

/** Creates a reader. Its thread starts with the first task, and ends when idle or when a map exceeds a limit. */
export function createSourceMapReader({ timeoutMs = TASK_TIMEOUT_MS } = {}): SourceMapReader {
  let worker: Worker | null = null;
  let nextId = 1;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const stop = async () => {
    clearTimeout(idle);
    const stopped = worker;
    worker = null;
    await stopped?.terminate();
  };

  const run = async (task: Omit<SourceMapTask, 'id'>): Promise<Omit<SourceMapTaskResult, 'id'>> => {
    clearTimeout(idle);
    worker ??= new Worker(new URL(`./source-map-worker${extname(import.meta.url)}`, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const thread = worker;
    thread.unref();
    const { promise, resolve } = Promise.withResolvers<Omit<SourceMapTaskResult, 'id'>>();
    const fail = (problem: string) => resolve({ positions: [], problem });
    const onError = (error: Error) => fail(error.message);
    const onExit = () => fail('it needs too much memory');
    const timer = setTimeout(() => fail('it takes too long'), timeoutMs);
    const id = nextId++;
    const onMessage = (result: SourceMapTaskResult) => result.id === id && resolve(result);
    thread.on('message', onMessage).once('error', onError).once('exit', onExit);
    thread.postMessage({ ...task, id });
    let isDone = false;
    void promise.then(() => (isDone = true));
    const result = await promise;
    clearTimeout(timer);
    thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    const isAlive = isDone && !/too (?:long|much)/.test(result.problem ?? '');
    if (!isAlive) {
      thread.on('error', () => {});
      await stop();
    } else idle = setTimeout(() => void stop(), IDLE_MS).unref();
    return result;
  };

  return {
    async read(task) {
      // One after the other: each may take the memory of the thread.
      const result = last.then(() => run(task));
      last = result.catch(() => {});
      return await result;
    },
    close: stop,
  };
}
