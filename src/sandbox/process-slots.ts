import { superviseProcess, type TaskProcess } from './child-process.ts';
import type { LastMessage } from './messages.ts';
import { type ProcessLimits, startProcess } from './start-process.ts';

/** Bounds on processes and on how long they are kept. */
export interface SlotOptions {
  program: URL;
  label: string;
  limits: ProcessLimits;
  maxProcesses: number;
  maxOutputBytes: number;
  maxTasksPerProcess: number;
  maxIdleMb: number;
  maxIdle: number;
  idleMs: number;
}

/** A process and how many tasks it has done. */
export interface Slot {
  readonly process: TaskProcess<unknown, unknown>;
  tasks: number;
  idleTimer?: NodeJS.Timeout;
}

/** The processes of a pool. */
export interface ProcessSlots {
  /** Whether `take` is allowed. */
  isFree(): boolean;
  /** An idle process, or a new one. */
  take(): Slot;
  /** Keeps a process for the next task, or ends it; resolves once it is idle or gone. `last` is null when it must go. */
  release(slot: Slot, last: LastMessage<unknown> | null): Promise<void>;
  releaseIdle(): void;
  killAll(): Promise<void>;
}

/** Milliseconds after which a process that was told to end is killed. */
const END_GRACE_MS = 2000;

/** Creates the processes of a pool; `onFree` is called when one has ended. */
export function createProcessSlots(options: SlotOptions, onFree: () => void): ProcessSlots {
  const slots = new Set<Slot>();
  const idle: Slot[] = [];

  const forget = (slot: Slot) => {
    clearTimeout(slot.idleTimer);
    const at = idle.indexOf(slot);
    if (at !== -1) idle.splice(at, 1);
    return at !== -1;
  };
  const open = () => {
    const child = startProcess(options.program, options.limits);
    const slot: Slot = { process: superviseProcess(child, options), tasks: 0 };
    slots.add(slot);
    void slot.process.gone.then(() => {
      slots.delete(slot);
      forget(slot);
      onFree();
    });
    return slot;
  };
  const keep = (slot: Slot) => {
    idle.push(slot);
    slot.process.child.unref();
    slot.idleTimer = setTimeout(() => forget(slot) && void end(slot), options.idleMs).unref();
    const oldest = idle.length > options.maxIdle ? idle.shift() : undefined;
    if (oldest) void end(oldest);
  };
  return {
    isFree: () => idle.length > 0 || slots.size < options.maxProcesses,
    take() {
      const slot = idle.at(-1);
      if (slot === undefined) return open();
      forget(slot);
      slot.process.child.ref();
      return slot;
    },
    async release(slot, last) {
      slot.tasks += 1;
      if (last?.type === 'done' && !isWornOut(slot, last, options)) keep(slot);
      else await end(slot);
    },
    releaseIdle() {
      for (const slot of idle.splice(0)) void end(slot);
    },
    async killAll() {
      const all = [...slots];
      for (const { process } of all) process.kill('stopped');
      await Promise.all(all.map(({ process }) => process.gone));
    },
  };
}

async function end({ process, idleTimer }: Slot): Promise<void> {
  clearTimeout(idleTimer);
  const timer = setTimeout(() => process.kill('stopped'), END_GRACE_MS);
  await process.end();
  clearTimeout(timer);
}

/** A process near its limits would die of a task that is none too large. */
function isWornOut(
  { tasks }: Slot,
  { rss, cpuS }: Extract<LastMessage<unknown>, { type: 'done' }>,
  { maxTasksPerProcess, maxIdleMb, limits }: SlotOptions,
): boolean {
  return tasks >= maxTasksPerProcess || rss > maxIdleMb * 2 ** 20 || cpuS > limits.cpuS / 2;
}
