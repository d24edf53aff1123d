import { spawnSync } from 'node:child_process';
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { makeDataDir, type Program, signUp, startProgram } from './testing-program.ts';

const MIB = 2 ** 20;

/** A mount of its own, by root or in a user namespace. */
const UNSHARE = ['unshare', ...(process.getuid?.() === 0 ? ['-m'] : ['-rm']), '--'];
const canMount =
  process.platform === 'linux' &&
  spawnSync(UNSHARE[0]!, [...UNSHARE.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

const settings = {
  RATE_LIMIT_LOGIN_PER_IP: '100000/60',
  RATE_LIMIT_LOGIN_PER_IP_HOURLY: '100000/3600',
};

/** The program on a disk of its own. Its folder is reached through the process, which alone sees the mount. */
async function startOnDisk(sizeMb: number, more: Record<string, string> = {}) {
  const dataDir = join(await makeDataDir(), 'disk');
  await mkdir(dataDir);
  const mount = `mount -t tmpfs -o size=${sizeMb}m tmpfs "$DATA_DIR" && exec "$@"`;
  const wrapper = [...UNSHARE, 'sh', '-c', mount, 'sh'];
  const program = await startProgram({ dataDir, settings: { ...settings, ...more }, wrapper });
  await program.printed(/ready at/);
  const folder = `/proc/${program.child.pid}/root${dataDir}`;
  return { program, folder, ...diskAt(folder) };
}

function diskAt(folder: string) {
  const filler = join(folder, 'filler');
  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  /** Fills the disk until so many bytes are free. */
  const fillUntil = async (left: number) => {
    const file = await open(filler, 'a');
    const block = Buffer.alloc(MIB, 1);
    try {
      while (free() > left) await file.write(block, 0, Math.max(4096, Math.min(MIB, free() - left)));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    } finally {
      await file.close();
    }
  };
  return { free, fillUntil, empty: () => rm(filler, { force: true }) };
}

type Person = Awaited<ReturnType<typeof signUp>>;

/** Numbers what is written, so that the last one that was acknowledged can be looked for. */
function numberedWrites({ call }: Person) {
  let number = 0;
  let acknowledged = 0;
  return {
    write: async () => {
      number += 1;
      const { status } = await call('PUT', '/auth/me', { full_name: String(number), bio: 'x'.repeat(1000) });
      if (status === 200) acknowledged = number;
      return status;
    },
    isLost: async () => Number((await call('GET', '/auth/me')).body.full_name) < acknowledged,
  };
}

/** Reads, signs in and writes for a while, as fast as it is answered. */
async function use(people: { ada: Person; bob: Person }, write: () => Promise<number>, ms: number) {
  const seen = { reads: [] as number[], signIns: [] as number[], writes: [] as number[] };
  const until = performance.now() + ms;
  const during = async (statuses: number[], work: () => Promise<number>) => {
    while (performance.now() < until) statuses.push(await work());
  };
  await Promise.all([
    during(seen.reads, async () => (await people.ada.call('GET', '/projects')).status),
    during(seen.signIns, people.bob.signIn),
    during(seen.writes, write),
  ]);
  return seen;
}

const shareOf = (statuses: number[]) =>
  statuses.filter((status) => status === 200).length / Math.max(1, statuses.length);

/** A connection to the program's own database, whose socket is outside of the mount. */
async function ownDatabase(folder: string): Promise<pg.Client> {
  const [, , , , host] = readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const password = readFileSync(join(folder, 'postgres-password'), 'utf8');
  const client = new pg.Client({ host, user: 'hindsight_server', password, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const healthOf = async ({ url }: Program, path: string) => {
  const response = await fetch(url + path);
  return { status: response.status, text: await response.text() };
};

describe.skipIf(!canMount)('on a disk of its own', () => {
  test.each([
    ['to the last byte', 0],
    ['until 9 MB are left', 9 * MIB],
  ])('filled %s it reads, signs in, refuses what grows, and recovers by itself', async (_name, left) => {
    const { program, folder, fillUntil, free, empty } = await startOnDisk(512);
    const people = { ada: await signUp(program), bob: await signUp(program, 'bob') };
    const { write, isLost } = numberedWrites(people.ada);
    const before = await use(people, write, 1_000);
    expect(new Set(before.writes)).toEqual(new Set([200]));
    const reserve = join(folder, 'disk-reserve');
    await expect.poll(() => statSync(reserve, { throwIfNoEntry: false })?.size).toBe(32 * MIB);

    await fillUntil(left);
    const full = await use(people, write, 6_000);
    expect(shareOf(full.reads)).toBeGreaterThanOrEqual(0.99);
    expect(shareOf(full.signIns)).toBeGreaterThanOrEqual(0.99);
    expect(full.writes.filter((status) => ![200, 503, 507].includes(status))).toEqual([]);
    expect(new Set(full.writes.slice(-20))).toEqual(new Set([507]));
    expect(free()).toBeGreaterThan(8 * MIB);
    const refused = await people.ada.call('POST', '/keys', { name: 'refused', scope: 'read' });
    expect(refused).toMatchObject({ status: 507, body: { error: { code: 'storage_full' } } });
    expect((await people.ada.call('GET', '/keys')).body.keys).toEqual([]);
    expect(await healthOf(program, '/readyz')).toEqual({ status: 200, text: '{"ok":true,"disk_full":true}' });

    await empty();
    await expect.poll(write, { timeout: 15_000 }).toBe(200);
    expect(await isLost()).toBe(false);

    await fillUntil(0);
    await sleep(500);
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  });

  test('PostgreSQL restarts after a full disk when space is available', async () => {
    const { program, folder, fillUntil, empty } = await startOnDisk(256, { DISK_RESERVE_MB: '0' });
    const people = { ada: await signUp(program), bob: await signUp(program, 'bob') };
    const { write, isLost } = numberedWrites(people.ada);
    await use(people, write, 500);
    await fillUntil(0);
    const database = await ownDatabase(folder);
    // Messages in its log fill a file of it, and the next file does not fit.
    const died = await database
      .query(
        "select pg_logical_emit_message(false, 'fill', repeat('x', 1000000)) from generate_series(1, 200)",
      )
      .then(
        () => false,
        () => true,
      );
    expect(died).toBe(true);
    await expect.poll(() => healthOf(program, '/readyz').then(({ status }) => status)).toBe(503);
    await sleep(8_000);
    expect((await healthOf(program, '/healthz')).status).toBe(200);
    expect(program.child.exitCode).toBeNull();
    await empty();
    await expect.poll(() => healthOf(program, '/readyz').then(({ status }) => status)).toBe(200);
    expect(await write()).toBe(200);
    expect(await isLost()).toBe(false);
    expect(program.output()).not.toContain('DATABASE_URL');
  });
});
