import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { pino } from 'pino';
import { connect } from '../src/db/connect.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { newId } from '../src/db/ids.ts';
import { migrate } from '../src/db/migrate.ts';
import { freePort } from '../src/git/testing-remotes.ts';
import { groupEventsJob } from '../src/server/debug/group-events-tasks.ts';
import type { Deps } from '../src/server/deps.ts';
import { envelope } from './intake-events.ts';

/*
 * node bench/intake-cpu.ts [--events 10000] [--profile FOLDER]
 *
 * Measures the CPU time of one error event, of the program and of PostgreSQL: first a server that accepts events and runs no jobs,
 * then the job that groups them, in this process. CPU time hardly depends on what else the machine does. Writes
 * bench/results/intake-cpu.md; with --profile, the server writes a CPU profile.
 */
const { values: options } = parseArgs({
  options: { events: { type: 'string', default: '10000' }, profile: { type: 'string' } },
});
const EVENTS = Number(options.events);
const WARM_UP = 2_000;
const CONNECTIONS = 32;
const KEY = 'a'.repeat(32);
/** Unit of CPU time in `/proc`. */
const TICK_MS = 10;
const RESULTS = join(import.meta.dirname, 'results/intake-cpu.md');
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let server: ChildProcess | null = null;

interface Cpu {
  program: number;
  postgres: number;
}

const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-intake-cpu-'));
const log = pino({ level: 'silent' });
const postgres = await startEmbedded({ dataDir, log });
const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
const { db, close } = connect(postgres.url, { timeoutMs: 120_000 });
try {
  await migrate(db);
  const { projectId, number } = await createProject();
  const port = await freePort();
  server = await startServer(port);
  const target = `http://127.0.0.1:${port}/api/${number}/envelope/?sentry_key=${KEY}`;
  await sendAll(target, WARM_UP);
  const beforeAccept = readCpu(server);
  const acceptMs = await sendAll(target, EVENTS);
  const accept = perEvent(beforeAccept, readCpu(server));
  server.kill('SIGTERM');
  await once(server, 'close');
  server = null;
  await group(projectId, WARM_UP);
  const beforeGroup = readCpu(null);
  const started = performance.now();
  await group(projectId, EVENTS);
  const groupMs = performance.now() - started;
  const grouping = perEvent(beforeGroup, readCpu(null));
  const report = table({ accept, grouping, acceptMs, groupMs });
  console.log(report);
  await writeFile(RESULTS, report);
} finally {
  server?.kill('SIGKILL');
  agent.destroy();
  await close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

async function createProject() {
  const projectId = newId();
  const project = {
    id: projectId,
    name: 'shop',
    git_url: 'https://git.example/shop',
    status: 'ready',
  } as const;
  await db.insertInto('projects').values(project).execute();
  await db.insertInto('project_intakes').values({ project_id: projectId, key: KEY }).execute();
  const row = await db
    .selectFrom('projects')
    .select('number')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  return { projectId, number: row.number };
}

async function startServer(port: number): Promise<ChildProcess> {
  const { profile } = options;
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const child = spawn(process.execPath, [...flags, 'src/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      ROLE: 'server',
      RATE_LIMIT_EVENTS_PER_PROJECT: '10000000/60',
      RATE_LIMIT_EVENTS_PER_SERVER: '10000000/60',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('The server ended.');
    await sleep(100);
  }
  return child;
}

/** Sends events one after the other over several connections; returns the time. */
async function sendAll(target: string, count: number): Promise<number> {
  const started = performance.now();
  let left = count;
  const sender = async () => {
    while (left-- > 0) await send(target);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  return performance.now() - started;
}

function send(target: string): Promise<void> {
  const body = envelope([randomBytes(16).toString('hex')]);
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(target, { method: 'POST', agent, headers }, (reply) => {
      reply.resume();
      reply.on('end', () => {
        if (reply.statusCode === 200) resolve();
        else reject(new Error(`The server answered ${reply.statusCode}.`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Groups as many events as were received, in the runs of the job. */
async function group(projectId: string, count: number): Promise<void> {
  const send = async () => true;
  const deps = { db, config: { dataDir }, jobs: { send }, events: { emit: () => {} } } as unknown as Deps;
  const job = groupEventsJob(deps);
  const context = {
    signal: new AbortController().signal,
    attempt: 1,
    isClaimed: async () => true,
    isCancelled: async () => false,
  };
  const target = (await countGrouped(projectId)) + count;
  while ((await countGrouped(projectId)) < target) await job.run({ project_id: projectId }, context);
}

async function countGrouped(projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(event_count), 0)::int as count from debug_groups where project_id = ${projectId}`.execute(
    db,
  );
  return rows[0]!.count;
}

/** CPU time in milliseconds of a child, or of this process, and of all processes of PostgreSQL. */
function readCpu(child: ChildProcess | null): Cpu {
  const { user, system } = process.cpuUsage();
  const program = child ? cpuOf(child.pid!, false) : (user + system) / 1_000;
  const backends = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster);
  return {
    program,
    postgres: cpuOf(postmaster, true) + backends.reduce((sum, pid) => sum + cpuOf(Number(pid), false), 0),
  };
}

/** Fields of `/proc/PID/stat` after the name, which may contain blanks. */
function statOf(pid: number | string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function parentOf(pid: string): number {
  return Number(statOf(pid)[1] ?? 0);
}

/** CPU time of a process; with children also that of those that have ended. */
function cpuOf(pid: number, withChildren: boolean): number {
  const ticks = statOf(pid).slice(11, withChildren ? 15 : 13);
  return ticks.reduce((sum, value) => sum + Number(value), 0) * TICK_MS;
}

function perEvent(before: Cpu, after: Cpu): Cpu {
  return {
    program: (after.program - before.program) / EVENTS,
    postgres: (after.postgres - before.postgres) / EVENTS,
  };
}

interface Measurements {
  accept: Cpu;
  grouping: Cpu;
  acceptMs: number;
  groupMs: number;
}

function table({ accept, grouping, acceptMs, groupMs }: Measurements): string {
  const row = (name: string, { program, postgres: database }: Cpu, ms: number) =>
    `| ${name} | ${program.toFixed(3)} ms | ${database.toFixed(3)} ms | ${((EVENTS / ms) * 1_000).toFixed(0)} |`;
  return [
    '# CPU time of an error event',
    '',
    `Written by \`node bench/intake-cpu.ts\`: ${EVENTS} events of 4 KB, one a request, over ${CONNECTIONS} connections; ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}. The throughput is that of this machine with the sender on it, at this load.`,
    '',
    '| step | program | PostgreSQL | events a second |',
    '|---|---|---|---|',
    row('accept: receive, parse, scrub, commit', accept, acceptMs),
    row('group: source maps, fingerprint, counts', grouping, groupMs),
    '',
  ].join('\n');
}
