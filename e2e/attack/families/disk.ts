import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendHttp } from '../client.ts';
import { type Family, LeftOut } from '../family.ts';
import { startServer } from '../server.ts';
import { PASSWORD } from '../world.ts';

/*
 * A disk that is full. What must hold: reads and sign-in go on, writes are refused with 507 or 503, the server lives, and
 * it works again by itself when there is room.
 */

const MIB = 2 ** 20;

/** Runs `work` with a folder on a disk of its own. */
async function onSmallDisk(
  megabytes: number,
  work: (folder: string) => Promise<string | null>,
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-attack-disk-'));
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]).status === 0;
  if (!mounted) {
    rmSync(folder, { recursive: true });
    throw new LeftOut('no disk of its own can be mounted: run it as root');
  }
  try {
    return await work(folder);
  } finally {
    for (let round = 0; round < 20 && spawnSync('umount', [folder]).status !== 0; round++) await sleep(250);
    rmSync(folder, { recursive: true, force: true });
  }
}

const free = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/** Leaves so many bytes of a disk. */
function fill(folder: string, leave: number): void {
  const file = join(folder, 'filler');
  writeFileSync(file, Buffer.alloc(Math.max(0, Math.floor(free(folder) - leave))));
}

export const disk: Family = {
  name: 'disk',
  modes: ['default'],
  probe: 'off',
  inputs: [9, 1].map((left) => ({
    name: `${left} MB are left, and writes go on`,
    act: async ({ checkout }) =>
      onSmallDisk(700, async (folder) => {
        const dataDir = join(folder, 'data');
        mkdirSync(dataDir);
        const server = await startServer(checkout, {}, { dataDir });
        try {
          const call = (method: string, path: string, body?: unknown, bearer = '') =>
            sendHttp(server.port, {
              method,
              path,
              body,
              headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
            });
          const account = { username: 'reader', email: 'reader@example.org', password: PASSWORD };
          const { access_token } = JSON.parse((await call('POST', '/api/auth/register', account)).text);
          fill(folder, left * MIB);
          const statuses: Record<string, number> = {};
          let failedReads = 0;
          const end = Date.now() + 10_000;
          const writer = async () => {
            for (let index = 0; Date.now() < end; index++) {
              const body = { bio: `${index} ${randomBytes(240).toString('hex')}`.slice(0, 490) };
              const write = await call('PUT', '/api/auth/me', body, access_token);
              statuses[String(write.status)] = (statuses[String(write.status)] ?? 0) + 1;
              if (index % 10 > 0) continue;
              if ((await call('GET', '/api/auth/me', undefined, access_token)).status !== 200)
                failedReads += 1;
            }
          };
          await Promise.all(Array.from({ length: 24 }, writer));
          const signIn = await sendHttp(server.port, {
            ...{ method: 'POST', path: '/api/auth/login' },
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ username: 'reader', password: PASSWORD }).toString(),
          });
          truncateSync(join(folder, 'filler'), 0);
          let recovered = false;
          for (let round = 0; round < 60 && !recovered; round++) {
            await sleep(250);
            recovered = (await call('PUT', '/api/auth/me', { bio: 'again' }, access_token)).status === 200;
          }
          const problems = [
            server.deaths.length > 0 ? `the server died (${server.deaths.at(-1)})` : null,
            failedReads > 0 ? `${failedReads} reads failed` : null,
            statuses['500'] ? `${statuses['500']} writes were 500` : null,
            signIn.status === 200 ? null : `signing in answered ${signIn.status}`,
            recovered ? null : 'writes do not work 15 s after there is room again',
          ];
          return problems.filter(Boolean).join('; ') || null;
        } finally {
          await server.stop();
        }
      }),
  })),
};
