import { access, constants, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandLimits } from './sandbox.ts';

/** A cgroup of one command. */
export interface RunCgroup {
  /** Absolute path; a process joins by writing its number to `cgroup.procs`. */
  folder: string;
  /** True when the kernel has ended a process for lack of memory. */
  wasOutOfMemory(): Promise<boolean>;
  /** Kills what is left in it, and removes it. */
  remove(): Promise<void>;
}

/** Creates the cgroup of one command. */
type CreateCgroup = (limits: CommandLimits) => Promise<RunCgroup | null>;

const MOUNT = '/sys/fs/cgroup';
const CONTROLLERS = ['memory', 'pids'];
const REMOVE_ATTEMPTS = 50;
const REMOVE_DELAY_MS = 20;

/**
 * Finds the cgroup (version 2) that the system has delegated to the server, as systemd does with `Delegate=yes`, and prepares it:
 * a cgroup that limits others must contain no process itself, so that the server moves to a leaf. Without one, `create` returns
 * null, and the watchdog alone knows the limits on all processes together.
 */
export async function openCgroups(mount = MOUNT): Promise<CreateCgroup> {
  const folder = await findDelegated(mount);
  const isReady = folder !== null && (await enableControllers(folder).catch(() => false));
  let count = 0;
  return async (limits) => {
    if (!isReady) return null;
    return await createRunCgroup(join(folder, `hindsight-run-${process.pid}-${++count}`), limits);
  };
}

async function findDelegated(mount: string): Promise<string | null> {
  const own = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const [, path] = /^0::(\/.*)$/m.exec(own) ?? [];
  if (path === undefined) return null;
  const folder = join(mount, path);
  const controllers = await readFile(join(folder, 'cgroup.controllers'), 'utf8').catch(() => '');
  if (!CONTROLLERS.every((name) => controllers.split(/\s/).includes(name))) return null;
  const isWritable = await access(join(folder, 'cgroup.subtree_control'), constants.W_OK).then(
    () => true,
    () => false,
  );
  return isWritable ? folder : null;
}

async function enableControllers(folder: string): Promise<boolean> {
  const enable = () =>
    writeFile(join(folder, 'cgroup.subtree_control'), CONTROLLERS.map((name) => `+${name}`).join(' '));
  try {
    await enable();
  } catch {
    const leaf = join(folder, 'hindsight-server');
    await mkdir(leaf, { recursive: true });
    const pids = await readFile(join(folder, 'cgroup.procs'), 'utf8');
    for (const pid of pids.split('\n').filter(Boolean)) await writeFile(join(leaf, 'cgroup.procs'), pid);
    await enable();
  }
  return true;
}

async function createRunCgroup(folder: string, limits: CommandLimits): Promise<RunCgroup> {
  await mkdir(folder);
  const set = (name: string, value: string | number) => writeFile(join(folder, name), String(value));
  await set('memory.max', limits.memoryMb * 2 ** 20);
  await set('pids.max', limits.processes * 4);
  // Absent where the kernel has no swap; an older one lacks group kills.
  await set('memory.swap.max', 0).catch(() => {});
  await set('memory.oom.group', 1).catch(() => {});
  return {
    folder,
    async wasOutOfMemory() {
      const events = await readFile(join(folder, 'memory.events'), 'utf8').catch(() => '');
      return /^oom_kill [1-9]/m.test(events);
    },
    async remove() {
      await set('cgroup.kill', 1).catch(() => {});
      for (let attempt = 0; attempt < REMOVE_ATTEMPTS; attempt += 1) {
        const isGone = await rmdir(folder).then(
          () => true,
          () => false,
        );
        if (isGone) return;
        await sleep(REMOVE_DELAY_MS);
      }
    },
  };
}
