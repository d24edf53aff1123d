import { superviseProcess, type TaskProcess } from './child-process.ts';
import type { TaskOutcome } from './messages.ts';
import { type ProcessLimits, startProcess } from './start-process.ts';

/** Bounds on processes and on how long they are kept. */
export interface SlotOptions {
  program: URL;
  limits: ProcessLimits;
  /** Bytes of all that one task sends back. */
  maxOutputBytes: number;
  /** A process is not kept after so many tasks, nor with more memory, nor after half of its processor time. */
  maxTasksPerProcess: number;
  maxIdleMb: number;
  /** Idle processes that are kept, and their idle timeout. */
  maxIdle: number;
  idleMs: number;
}

/** A process and how many tasks it has done. */
export interface ProcessSlot {
  readonly process: TaskProcess<unknown, unknown>;
  tasks: number;
  idleTimer?: NodeJS.Timeout;
}

/** The processes of a pool. */
interface ProcessSlots {
  /** An idle process, or a new one. */
  take(): ProcessSlot;
  /** Keeps a process for the next task, or ends it; resolves once it is idle or gone. `last` is null when it must go. */
  release(slot: ProcessSlot, last: TaskOutcome<unknown> | null): Promise<void>;
  releaseIdle(): void;
  killAll(): Promise<void>;
}

/** Grace period in milliseconds before a process that should end is killed. */
const END_GRACE_MS = 2000;

/** Creates the processes of a pool. */
export function createProcessSlots(options: SlotOptions): ProcessSlots {
  const slots = new Set<ProcessSlot>();
  const idle: ProcessSlot[] = [];

  const forget = (slot: ProcessSlot) => {
    clearTimeout(slot.idleTimer);
    const at = idle.indexOf(slot);
    if (at !== -1) idle.splice(at, 1);
    return at !== -1;
  };
  const open = () => {
    const child = startProcess(options.program, options.limits);
    const slot: ProcessSlot = { process: superviseProcess(child, options), tasks: 0 };
    slots.add(slot);
    void slot.process.gone.then(() => {
      slots.delete(slot);
      forget(slot);
    });
    return slot;
  };
  const keep = (slot: ProcessSlot) => {
    idle.push(slot);
    slot.process.child.unref();
    slot.idleTimer = setTimeout(() => forget(slot) && void end(slot), options.idleMs).unref();
    const oldest = idle.length > options.maxIdle ? idle.shift() : undefined;
    if (oldest) void end(oldest);
  };
  return {
    take() {
      const slot = idle.at(-1);
      if (slot === undefined) return open();
      forget(slot);
      slot.process.child.ref();
      return slot;
    },
    async release(slot, last) {
      slot.tasks += 1;
      if (last?.type === 'done' && !needsReplacement(slot, last, options)) keep(slot);
      else await end(slot);
    },
    releaseIdle() {
      for (const slot of idle.splice(0)) void end(slot);
    },
    async killAll() {
      const all = [...slots];
      for (const { process } of all) process.kill();
      await Promise.all(all.map(({ process }) => process.gone));
    },
  };
}

async function end({ process, idleTimer }: ProcessSlot): Promise<void> {
  clearTimeout(idleTimer);
  const timer = setTimeout(process.kill, END_GRACE_MS);
  await process.end();
  clearTimeout(timer);
}

/** A process near its limits would die of a task that is none too large. */
function needsReplacement(
  { tasks }: ProcessSlot,
  { rss, cpuS }: Extract<TaskOutcome<unknown>, { type: 'done' }>,
  { maxTasksPerProcess, maxIdleMb, limits }: SlotOptions,
): boolean {
  return tasks >= maxTasksPerProcess || rss > maxIdleMb * 2 ** 20 || cpuS > limits.cpuS / 2;
}
