import { extname } from 'node:path';
import type { AppError } from '#contract/errors.ts';
import { superviseProcess, type TaskProcess } from '#sandbox/child-process.ts';
import { encodeFrame } from '#sandbox/frames.ts';
import { taskFailure } from '#sandbox/process-failure.ts';
import { startProcess } from '#sandbox/start-process.ts';
import { timedOut } from '#scheduling/fair-queue.ts';
import type { TypeReply, TypeTask } from './type-task.ts';

/** A process with the program of one project. */
export interface TypeProcess {
  readonly projectId: string;
  /** Commit whose files it knows, and their contents by path; null for none. */
  version: { commit: string; oids: ReadonlyMap<string, string> } | null;
  /**
   * Does a task, and returns how long its work took. Kills the process after the timeout.
   * @throws AppError `timed_out`, or that of the process
   */
  run(task: TypeTask, timeoutMs: number): Promise<{ reply: TypeReply; ms: number }>;
}

/** Processes by project, each used by one check at a time. */
interface TypeProcesses {
  /** The process of a project, once it is free; a new one in place of another where there are too many. */
  acquire(projectId: string, userId: string): Promise<TypeProcess>;
  release(process: TypeProcess): void;
  /** True when a process of the project would be new, and take no other's place. */
  mayOpen(projectId: string): boolean;
  close(): Promise<void>;
}

interface Entry extends TypeProcess {
  child: TaskProcess<never, TypeReply>;
  userId: string;
  isGone: boolean;
  /** Memory after the last task, in bytes. */
  rss: number;
  /** Resolves when the check that uses it is over; null when it is free. */
  busy: { promise: Promise<void>; resolve(): void } | null;
  idleTimer: NodeJS.Timeout | undefined;
}

/** A program of 1,500 files takes less than 400 MiB. */
const LIMITS = { heapMb: 640, memoryMb: 1024, cpuS: 1_800, fileBytes: 0, nurseryMb: 32, compilesEarly: true };
/** A process with more memory is not kept: it would reach its limit while checking. */
const MAX_IDLE_BYTES = 640 * 2 ** 20;
const IDLE_MS = 5 * 60_000;
const MAX_OUTPUT_BYTES = 8 * 2 ** 20;
/** Grace period of the start, which the work does not count. */
const START_TIMEOUT_MS = 10_000;

/** Creates the processes; each starts on demand and ends when idle. */
export function createTypeProcesses(maxProcesses: number): TypeProcesses {
  /** Least recently used first. */
  let entries: Entry[] = [];

  const discard = (entry: Entry) => {
    clearTimeout(entry.idleTimer);
    entry.isGone = true;
    entries = entries.filter((one) => one !== entry);
    entry.child.kill();
  };
  const open = (projectId: string, userId: string): Entry => {
    const free = entries.filter(({ busy }) => busy === null);
    // A user who goes through many projects replaces the user's own.
    const replaced = free.find((one) => one.userId === userId) ?? free[0];
    if (entries.length >= maxProcesses && replaced) discard(replaced);
    const entry = startEntry(projectId, userId);
    entries.push(entry);
    void entry.child.gone.then(() => discard(entry));
    return entry;
  };

  return {
    async acquire(projectId, userId) {
      const find = () => entries.find((one) => one.projectId === projectId && !one.isGone);
      let entry = find();
      while (entry?.busy) {
        await entry.busy.promise;
        entry = find();
      }
      entry ??= open(projectId, userId);
      clearTimeout(entry.idleTimer);
      entry.busy = Promise.withResolvers<void>();
      entry.userId = userId;
      entry.child.child.ref();
      return entry;
    },
    release(process) {
      const entry = process as Entry;
      entry.busy?.resolve();
      entry.busy = null;
      if (entry.isGone) return;
      if (entry.rss > MAX_IDLE_BYTES) return discard(entry);
      entries = [...entries.filter((one) => one !== entry), entry];
      entry.child.child.unref();
      entry.idleTimer = setTimeout(() => discard(entry), IDLE_MS).unref();
    },
    mayOpen: (projectId) =>
      entries.length < maxProcesses && !entries.some((entry) => entry.projectId === projectId),
    async close() {
      const all = entries;
      for (const entry of all) discard(entry);
      await Promise.all(all.map(({ child }) => child.gone));
    },
  };
}

function startEntry(projectId: string, userId: string): Entry {
  // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
  const program = new URL(`./type-program${extname(import.meta.url)}`, import.meta.url);
  const child = superviseProcess<never, TypeReply>(startProcess(program, LIMITS), {
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  const entry: Entry = {
    ...{ projectId, userId, child, version: null, isGone: false, rss: 0, busy: null, idleTimer: undefined },
    async run(task, timeoutMs) {
      let isLate = false;
      const killLate = () => {
        isLate = true;
        child.kill();
      };
      let timer = setTimeout(killLate, START_TIMEOUT_MS);
      let began = performance.now();
      const onStarted = () => {
        clearTimeout(timer);
        began = performance.now();
        timer = setTimeout(killLate, timeoutMs);
      };
      try {
        const last = await child.perform(encodeFrame({ type: 'task', task }), { onStarted, onProgress() {} });
        // The reply may have been on its way when the time was up; the process is killed all the same.
        if (isLate) throw timedOut();
        if (last.type === 'failed') throw taskFailure(last.error);
        entry.rss = last.rss;
        // This thread may have been too busy to see the task start.
        const ms = Math.max(last.ms, performance.now() - began);
        isLate = ms > timeoutMs;
        if (isLate) throw timedOut();
        return { reply: last.value, ms };
      } catch (error) {
        // A checker that has failed once may hold anything.
        entry.isGone = true;
        child.kill();
        throw isLate ? timedOut() : (error as AppError);
      } finally {
        clearTimeout(timer);
      }
    },
  };
  return entry;
}
