import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendHttp } from '../client.ts';
import { type Family, LeftOut } from '../family.ts';
import { startServer } from '../server.ts';
import { buildSmall, PASSWORD, type World } from '../world.ts';

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

/** A server on that disk with one account and one project. */
async function openReader({ checkout, repositories }: World, dataDir: string) {
  mkdirSync(dataDir);
  const server = await startServer(checkout, { GIT_ALLOWED_PRIVATE_HOSTS: repositories.host }, { dataDir });
  let bearer = '';
  const call = (method: string, path: string, body?: unknown) =>
    sendHttp(server.port, {
      method,
      path,
      body,
      headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
    });
  const account = { username: 'reader', email: 'reader@example.org', password: PASSWORD };
  bearer = JSON.parse((await call('POST', '/api/auth/register', account)).text).access_token;
  const git_url = await repositories.url('small', buildSmall);
  const { id } = JSON.parse((await call('POST', '/api/projects', { name: 'small', git_url })).text);
  for (let round = 0; round < 100; round++) {
    if (JSON.parse((await call('GET', `/api/projects/${id}`)).text).status === 'ready') break;
    await sleep(200);
  }
  return { server, call, project: String(id) };
}

type Reader = Awaited<ReturnType<typeof openReader>>;

/** Small changes of one row need room in the log alone; large new rows need it everywhere. */
const WRITES: Record<'small' | 'large', (project: string) => [string, string, object]> = {
  small: () => ['PUT', '/api/auth/me', { bio: randomBytes(490).toString('hex') }],
  large: (project_id) => {
    const noise = randomBytes(50_000).toString('base64');
    return ['POST', '/api/debug', { error_message: `Error: ${noise}`, project_id }];
  },
};

/** Writes until it is refused for good, or for 25 s; returns what was answered. */
async function writeUntilRefused({ call, project, server }: Reader, kind: keyof typeof WRITES) {
  const writes: Record<string, number> = {};
  let failedReads = 0;
  const end = Date.now() + 25_000;
  const isOver = () =>
    Date.now() > end || server.deaths.length > 0 || (writes['507'] ?? 0) + (writes['503'] ?? 0) > 60;
  const writer = async () => {
    while (!isOver()) {
      const write = await call(...WRITES[kind](project));
      writes[String(write.status)] = (writes[String(write.status)] ?? 0) + 1;
      if ((await call('GET', '/api/auth/me')).status !== 200) failedReads += 1;
    }
  };
  await Promise.all(Array.from({ length: kind === 'small' ? 24 : 8 }, writer));
  return { writes, failedReads };
}

async function fillAndRecover(
  world: World,
  folder: string,
  kind: keyof typeof WRITES,
): Promise<string | null> {
  const reader = await openReader(world, join(folder, 'data'));
  const { server, call } = reader;
  try {
    fill(folder, (kind === 'small' ? 9 : 1) * MIB);
    const { writes, failedReads } = await writeUntilRefused(reader, kind);
    const signIn = await sendHttp(server.port, {
      ...{ method: 'POST', path: '/api/auth/login' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username: 'reader', password: PASSWORD }).toString(),
    });
    truncateSync(join(folder, 'filler'), 0);
    let recovered = false;
    for (let round = 0; round < 60 && !recovered; round++) {
      await sleep(250);
      recovered = (await call('PUT', '/api/auth/me', { bio: 'again' })).status === 200;
    }
    const problems = [
      server.deaths.length > 0 ? `the server died (${server.deaths.at(-1)})` : null,
      failedReads > 0 ? `${failedReads} reads failed` : null,
      writes['500'] ? `${writes['500']} writes were 500` : null,
      signIn.status === 200 ? null : `signing in answered ${signIn.status}`,
      recovered ? null : 'writes do not work 15 s after there is room again',
    ];
    const problemText = problems.filter(Boolean).join('; ');
    return problemText === '' ? null : `${problemText}; writes: ${JSON.stringify(writes)}`;
  } finally {
    await server.stop();
  }
}

export const disk: Family = {
  name: 'disk',
  modes: ['default'],
  probe: 'off',
  inputs: (['small', 'large'] as const).map((kind) => ({
    name: `a disk that is almost full, and ${kind} writes go on`,
    act: (world) => onSmallDisk(1500, (folder) => fillAndRecover(world, folder, kind)),
  })),
};
