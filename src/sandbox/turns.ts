import { AppError } from '#contract/errors.ts';
import { createTaskQueue } from './task-queue.ts';

/** Hands out slots of which there are only so many: groups take turns, and none has all of them. */
export interface Turns<S> {
  /** Resolves with a slot when it is the group's turn. Throws `unavailable` with reason `busy` or `stopped`. */
  acquire(group: string, signal: AbortSignal | undefined): Promise<S>;
  /** The group's slot is in use no longer. */
  finish(group: string): void;
  /** Gives free slots to those who wait. */
  dispatch(): void;
  /** Refuses all who wait and who come. */
  close(): void;
}

interface TurnOptions<S> {
  label: string;
  maxQueue: number;
  maxPerGroup: number;
  /** Milliseconds to wait at most. */
  timeoutMs: number;
  isFree(): boolean;
  take(): S;
}

interface Waiting<S> {
  start(slot: S): void;
  fail(error: unknown): void;
}

/** One group may have this part of the places in the queue. */
const GROUP_SHARE = 1 / 4;
const RETRY_AFTER_S = 5;

/** Creates an empty queue in front of slots. */
export function createTurns<S>(options: TurnOptions<S>): Turns<S> {
  const queue = createTaskQueue<Waiting<S>>();
  const running = new Map<string, number>();
  const mayRun = (group: string) => (running.get(group) ?? 0) < options.maxPerGroup;
  let closed = false;

  const finish = (group: string) => {
    const left = (running.get(group) ?? 1) - 1;
    if (left === 0) running.delete(group);
    else running.set(group, left);
    dispatch();
  };
  const dispatch = () => {
    while (queue.size > 0 && options.isFree()) {
      const next = queue.next(mayRun);
      if (next === undefined) return;
      const { group, task } = next;
      running.set(group, (running.get(group) ?? 0) + 1);
      try {
        task.start(options.take());
      } catch (error) {
        task.fail(error);
        finish(group);
      }
    }
  };
  return {
    async acquire(group, signal) {
      const most = Math.ceil(options.maxQueue * GROUP_SHARE);
      const isFull = queue.size >= options.maxQueue || queue.sizeOf(group) >= most;
      if (closed || isFull) throw busy(options.label);
      return await new Promise<S>((resolve, reject) => {
        const waiting: Waiting<S> = {
          start: (slot) => {
            settle();
            resolve(slot);
          },
          fail: (error) => {
            settle();
            reject(error);
          },
        };
        const settle = onGiveUp({ signal, timeoutMs: options.timeoutMs }, (why) => {
          if (queue.remove(group, waiting)) waiting.fail(why === 'stopped' ? stopped() : busy(options.label));
        });
        queue.add(group, waiting);
        dispatch();
      });
    },
    finish,
    dispatch,
    close() {
      closed = true;
      for (let next = queue.next(() => true); next; next = queue.next(() => true)) next.task.fail(stopped());
    },
  };
}

/** Calls back once when the caller has gone or waited too long; returns what takes that back. */
function onGiveUp(
  { signal, timeoutMs }: { signal: AbortSignal | undefined; timeoutMs: number },
  giveUp: (why: 'stopped' | 'late') => void,
): () => void {
  const timer = Number.isFinite(timeoutMs) ? setTimeout(() => giveUp('late'), timeoutMs) : undefined;
  const onAbort = () => giveUp('stopped');
  signal?.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
}

/** The error of a task whose caller has gone. */
export function stopped(): AppError {
  return new AppError('unavailable', 'The request was stopped.', { reason: 'stopped' });
}

function busy(label: string): AppError {
  return new AppError(
    'unavailable',
    `${label} is not possible now: too many tasks wait. Try again in a moment.`,
    {
      reason: 'busy',
      retryAfter: RETRY_AFTER_S,
    },
  );
}
