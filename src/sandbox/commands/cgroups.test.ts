import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openCgroups } from './cgroups.ts';
import { DEFAULT_COMMAND_LIMITS } from './sandbox.ts';

/** Files in place of the kernel's interface: what is written can be read again, and nothing is enforced. */
const mount = mkdtempSync(join(tmpdir(), 'hindsight-cgroup-'));
const CGROUP_FILE = '/proc/self/cgroup';
const own = existsSync(CGROUP_FILE) ? /^0::(\/.*)$/m.exec(readFileSync(CGROUP_FILE, 'utf8'))?.[1] : undefined;
afterAll(() => rmSync(mount, { recursive: true }));

function delegate(name: string, controllers: string): { place: string; folder: string } {
  const place = join(mount, name);
  const folder = join(place, own!);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cgroup.controllers'), `${controllers}\n`);
  writeFileSync(join(folder, 'cgroup.subtree_control'), '');
  return { place, folder };
}

test.skipIf(own === undefined)('a delegated cgroup limits memory and tasks of a command', async () => {
  const { place, folder } = delegate('delegated', 'cpu memory pids');
  const create = await openCgroups(place);
  const limits = { ...DEFAULT_COMMAND_LIMITS, memoryMb: 192, processes: 60 };
  const [first, second] = [await create(limits), await create(limits)];
  expect(readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('+memory +pids');
  const read = (name: string) => readFileSync(join(first!.folder, name), 'utf8');
  expect(['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max'].map(read)).toEqual([
    String(192 * 2 ** 20),
    ...['0', '1', '240'],
  ]);
  expect(second!.folder).not.toBe(first!.folder);
  expect(await first!.wasOutOfMemory()).toBe(false);
  writeFileSync(join(first!.folder, 'memory.events'), 'max 12\noom 1\noom_kill 1\n');
  expect([await first!.wasOutOfMemory(), await second!.wasOutOfMemory()]).toEqual([true, false]);
});

test.skipIf(own === undefined)('without both controllers there is none', async () => {
  for (const controllers of ['', 'memory', 'cpu pids']) {
    const { place } = delegate(`without-${controllers}`, controllers);
    expect(await (await openCgroups(place))(DEFAULT_COMMAND_LIMITS)).toBeNull();
  }
});
