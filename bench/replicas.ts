import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { startEmbedded } from '../src/db/embedded.ts';
import { buildRepository, serveRepositories } from '../src/git/testing.ts';
import { ownCommand } from './own-command.ts';
import { createReplica, REPLICA_ROLES, type Replica, replicaSettings } from './replica.ts';
import { percentile } from './speed-timing.ts';
import { startTestStore } from './test-store.ts';

/*
 * node bench/replicas.ts [kills] [minutes at most]
 *
 * Two servers and two workers with folders of their own, one PostgreSQL and one S3 server. People save on one server and read on the
 * other, the upstream moves, and processes are killed at random with SIGKILL; every fifth one loses its folder as well. At the end a
 * server with an empty folder must have every save that was acknowledged. Writes bench/results/replicas.md.
 */
const KILLS = Number(process.argv[2] ?? 100);
const MAX_MS = Number(process.argv[3] ?? 240) * 60_000;
const WRITERS = 4;
const READERS = 4;
const KILL_EVERY_MS = 2_000;
const REFRESH_EVERY_MS = 15_000;
const LOSE_FOLDER_EVERY = 5;
/** With more processes that are starting, few saves would succeed. */
const MAX_STARTING = 1;
const TIMEOUT_MS = 30_000;
const PASSWORD = 'a quiet harbour at dawn';
const RESULTS = join(import.meta.dirname, 'results/replicas.md');

interface Save {
  branch: string;
  path: string;
  content: string;
}

const root = await mkdtemp(join(tmpdir(), 'hindsight-replicas-'));
const embedded = await startEmbedded({ dataDir: join(root, 'database'), log: pino({ level: 'silent' }) });
const s3 = await startTestStore();
const upstream = await buildRepository(async (repo) => {
  await repo.commit({ message: 'Begin', files: { 'README.md': '# Words\n' } });
});
const gitServer = await serveRepositories(upstream.folder);
const settings = replicaSettings({ databaseUrl: embedded.url, store: s3.settings, gitHost: gitServer.host });

const acknowledged: Save[] = [];
const saveMs: number[] = [];
const statuses = new Map<number, number>();
const startMs: number[] = [];
let mismatches = 0;
let crossReads = 0;
let lostFolders = 0;
let refreshes = 0;
let token = '';
let project = '';
let isOver = false;

const replicas: Replica[] = [];
try {
  for (const [name, role] of REPLICA_ROLES) {
    const replica = createReplica({ folder: join(root, name), role, settings });
    await replica.start();
    replicas.push(replica);
  }
  const [a, b] = replicas as [Replica, Replica];
  await setUp(a);
  const began = performance.now();
  const work = Promise.all([
    ...Array.from({ length: WRITERS }, (_, index) => saveAndRead(index, [a, b])),
    moveUpstream(a),
  ]);
  await killAtRandom();
  isOver = true;
  await work;
  const seconds = Math.round((performance.now() - began) / 1000);
  const fresh = createReplica({ folder: join(root, 'fresh'), role: 'server', settings });
  await fresh.start();
  replicas.push(fresh);
  const missing = (await Promise.all([a, b, fresh].map(findMissing))).flat();
  const report = formatReport({ seconds, missing: missing.length });
  console.log(report);
  await writeReport(report);
  if (missing.length > 0 || mismatches > 0) process.exitCode = 1;
} finally {
  isOver = true;
  for (const replica of replicas) await replica.kill();
  await gitServer.close();
  await upstream.remove();
  await s3.close();
  await embedded.stop();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

/** Replaces the first section of the results; others, such as that of browsers, stay. */
async function writeReport(report: string): Promise<void> {
  const before = await readFile(RESULTS, 'utf8').catch(() => '');
  const others = before.split(/^(?=## )/m).slice(1);
  await writeFile(RESULTS, [report, ...others].join('\n'));
}

async function call(
  replica: Replica,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const reply = await fetch(`${replica.url}/api${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  } catch {
    return { status: 0, body: {} };
  }
}

async function setUp(replica: Replica): Promise<void> {
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  const registered = await call(replica, 'POST', '/auth/register', account);
  token = String(registered.body.access_token);
  const git_url = `${gitServer.url}/${upstream.name}`;
  project = String((await call(replica, 'POST', '/projects', { name: 'Words', git_url })).body.id);
  for (;;) {
    const { body } = await call(replica, 'GET', `/projects/${project}`);
    if (body.status === 'ready') return;
    if (body.status === 'failed') throw new Error(JSON.stringify(body.failure));
    await sleep(200);
  }
}

/** Saves a file after the other on a branch, each on one of the servers, and reads it on the other one. */
async function saveAndRead(index: number, servers: [Replica, Replica]): Promise<void> {
  for (let number = 1; !isOver; number++) {
    const [one, other] = Math.random() < 0.5 ? servers : servers.toReversed();
    const save = {
      branch: `topic/${index}`,
      path: `n/${index}-${number}.txt`,
      content: `${index} ${number} ${Math.random()}\n`,
    };
    const started = performance.now();
    const { branch, content } = save;
    const { status } = await call(one!, 'POST', `/ide/projects/${project}/files/${save.path}`, {
      branch,
      content,
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status !== 200) {
      await sleep(200);
      continue;
    }
    saveMs.push(performance.now() - started);
    acknowledged.push(save);
    const read = await readOnce(other!, save);
    if (read === null) continue;
    crossReads += 1;
    if (read !== content) mismatches += 1;
  }
}

/** Content of a save on a server; null where it does not answer, empty where it has no such file. */
async function readOnce(replica: Replica, { path, branch }: Save): Promise<string | null> {
  const query = new URLSearchParams({ ref: branch });
  const { status, body } = await call(replica, 'GET', `/ide/projects/${project}/files/${path}?${query}`);
  if (status === 200) return String(body.content);
  return status === 404 ? '' : null;
}

/** Acknowledged saves that a server does not have. */
async function findMissing(replica: Replica): Promise<string[]> {
  const missing: string[] = [];
  const left = acknowledged.values();
  const check = async () => {
    for (const save of left)
      if ((await readUntilAnswered(replica, save)) !== save.content) missing.push(save.path);
  };
  await Promise.all(Array.from({ length: READERS }, check));
  return missing;
}

async function readUntilAnswered(replica: Replica, save: Save): Promise<string> {
  for (;;) {
    const read = await readOnce(replica, save);
    if (read !== null) return read;
    await sleep(100);
  }
}

async function moveUpstream(server: Replica): Promise<void> {
  for (let number = 1; !isOver; number++) {
    await upstream.commit({ message: `Change ${number}`, files: { 'upstream.txt': `${number}\n` } });
    const { status } = await call(server, 'POST', `/projects/${project}/refresh`);
    if (status > 0 && status < 300) refreshes += 1;
    for (let waited = 0; waited < REFRESH_EVERY_MS && !isOver; waited += 500) await sleep(500);
  }
}

/** Kills processes that are up, and starts each again at once; two may be starting at a time. */
async function killAtRandom(): Promise<void> {
  const starting: Promise<void>[] = [];
  const end = performance.now() + MAX_MS;
  for (let kill = 1; kill <= KILLS && performance.now() < end; kill++) {
    await sleep(KILL_EVERY_MS * (0.5 + Math.random()));
    let up = replicas.filter((replica) => replica.isUp());
    while (up.length < replicas.length - MAX_STARTING) {
      await sleep(50);
      up = replicas.filter((replica) => replica.isUp());
    }
    const victim = up[Math.floor(Math.random() * up.length)]!;
    const restart = killAndStart(victim, kill % LOSE_FOLDER_EVERY === 0);
    // Thrown when all have been awaited.
    restart.catch(() => {});
    starting.push(restart);
    if (kill % 10 === 0) console.error(`${kill} kills, ${acknowledged.length} saves`);
  }
  await Promise.all(starting);
}

async function killAndStart(victim: Replica, losesFolder: boolean): Promise<void> {
  await victim.kill();
  if (losesFolder) {
    await rm(victim.folder, { recursive: true, force: true, maxRetries: 5 });
    lostFolders += 1;
  }
  const started = performance.now();
  await victim.start();
  startMs.push(performance.now() - started);
}

function formatReport({ seconds, missing }: { seconds: number; missing: number }): string {
  const other = [...statuses]
    .filter(([status]) => status !== 200)
    .map(([status, count]) => `${status}: ${count}`);
  const ms = (values: number[], share: number) => Math.round(percentile(values, share)).toLocaleString('en');
  return `# Servers that are killed

\`${ownCommand('bench:replicas')}\` · ${new Date().toISOString().slice(0, 10)} · ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}:
with other work on the machine, times are no measurements

Two servers and two workers (\`ROLE=server\`, \`ROLE=worker\`), each with a folder of its own, one PostgreSQL and one S3 server.

| | |
|---|---|
| kills with SIGKILL | ${startMs.length} in ${seconds} s, ${lostFolders} of them with the loss of the folder |
| saves acknowledged | ${acknowledged.length} on ${WRITERS} branches |
| other replies | ${other.join(', ') || 'none'} (0: the server was killed) |
| read at once on the other server | ${crossReads}, ${mismatches} of them wrong |
| refreshes from upstream requested | ${refreshes} |
| acknowledged saves missing at the end, on both servers and a fresh one | ${missing} |
| save, p50 / p95 | ${ms(saveMs, 0.5)} / ${ms(saveMs, 0.95)} ms |
| start of a process, p50 / p95 | ${ms(startMs, 0.5)} / ${ms(startMs, 0.95)} ms |
`;
}
