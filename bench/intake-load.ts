import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/git/testing-remotes.ts';
import { EVENT_ID, envelope } from './intake-events.ts';
import { percentile } from './speed-timing.ts';

/*
 * node bench/intake-load.ts [seconds] [events a second]
 *
 * Sends error events at a fixed rate to the server with its own PostgreSQL, kills the process with SIGKILL in the middle and starts
 * it again. Then sends every event that was answered with 200 once more: those that were stored count as sent again, and any
 * other one would have been lost. Writes bench/results/intake.md.
 */
const SECONDS = Number(process.argv[2] ?? 10);
const RATE = Number(process.argv[3] ?? 1_000);
const TICK_MS = 10;
const BATCH = 50;
const RESULTS = join(import.meta.dirname, 'results/intake.md');

const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-intake-'));
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const agent = new Agent({ keepAlive: true, maxSockets: 128 });
/** Other calls do not wait for a connection behind events. */
const controlAgent = new Agent({ keepAlive: true });
const rss: number[] = [];
const health: number[] = [];
const latencies: number[] = [];
const statuses = new Map<number, number>();
const accepted: string[] = [];
let server = await start();
let isDown = false;

interface Reply {
  status: number;
  text: string;
}

try {
  const { project, headers } = await createProject();
  const intake = await call('POST', `/api/projects/${project}/intake`, { headers });
  const { dsn } = JSON.parse(intake.text) as { dsn: string };
  const { username: key, pathname } = new URL(dsn);
  const target = `/api${pathname}/envelope/?sentry_key=${key}`;
  await sleep(2_000);
  const load = loadavg()[0]!;

  const stop = new AbortController();
  const watching = Promise.all([watchHealth(stop.signal), watchMemory(stop.signal)]);
  const downMs = await sendAll(target);
  await sleep(1_000);
  stop.abort();
  await watching;

  const before = await countsOf(project, headers);
  for (let index = 0; index < accepted.length; index += BATCH) {
    const ids = accepted.slice(index, index + BATCH);
    const reply = await call('POST', target, { body: envelope(ids) });
    if (reply.status !== 200) throw new Error(`Sending again answered ${reply.status}: ${reply.text}`);
  }
  const after = await countsOf(project, headers);
  const lost = after.accepted - before.accepted;
  const again = after.duplicate - before.duplicate;
  const report = table({ load, downMs, lost, again });
  console.log(report);
  await writeFile(RESULTS, report);
  if (lost > 0 || again !== accepted.length) process.exitCode = 1;
} finally {
  agent.destroy();
  controlAgent.destroy();
  server.kill('SIGTERM');
  await once(server, 'close');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      PORT: String(port),
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while ((await call('GET', '/readyz').catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('The server ended.');
    await sleep(50);
  }
  return child;
}

/** Sends events at the rate, whether or not earlier ones were answered; returns the time without a server. */
async function sendAll(target: string): Promise<number> {
  const sent: Promise<void>[] = [];
  const perTick = (RATE * TICK_MS) / 1_000;
  const started = performance.now();
  let restarted: Promise<number> | null = null;
  for (let tick = 0; tick < (SECONDS * 1_000) / TICK_MS; tick++) {
    const due = started + tick * TICK_MS;
    // Yields also when it is late, or no reply would be read.
    await sleep(Math.max(0, due - performance.now()));
    if (!restarted && tick >= (SECONDS * 500) / TICK_MS) restarted = killAndRestart();
    for (let index = 0; index < perTick; index++) sent.push(sendOne(target));
  }
  await Promise.all(sent);
  return await restarted!;
}

async function sendOne(target: string): Promise<void> {
  const id = randomBytes(16).toString('hex');
  const started = performance.now();
  const body = envelope([id]);
  const reply = await call('POST', target, { body, connections: agent }).catch(() => ({
    status: 0,
    text: '',
  }));
  statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
  if (reply.status !== 200) return;
  latencies.push(performance.now() - started);
  accepted.push(id);
}

async function killAndRestart(): Promise<number> {
  const started = performance.now();
  isDown = true;
  server.kill('SIGKILL');
  await once(server, 'close');
  server = await start();
  isDown = false;
  return performance.now() - started;
}

async function watchHealth(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const started = performance.now();
    const wasDown = isDown;
    const reply = await call('GET', '/healthz').catch(() => null);
    if (!wasDown && !isDown && reply?.status === 200) health.push(performance.now() - started);
    await sleep(50);
  }
}

async function watchMemory(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
      if (kilobytes) rss.push(Number(kilobytes) / 1_024);
    } catch {
      // The process is being replaced.
    }
    await sleep(100);
  }
}

async function createProject() {
  const json = { 'content-type': 'application/json' };
  const account = { username: 'ada', email: 'ada@example.org', password: 'a quiet harbour at dawn' };
  const signedUp = await call('POST', '/api/auth/register', { headers: json, body: JSON.stringify(account) });
  const { access_token } = JSON.parse(signedUp.text) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const created = await call('POST', '/api/projects/sample', { headers });
  const { id: project } = JSON.parse(created.text) as { id: string };
  for (let status = ''; status !== 'ready'; await sleep(200)) {
    const reply = await call('GET', `/api/projects/${project}`, { headers });
    status = (JSON.parse(reply.text) as { status: string }).status;
    if (status === 'failed') throw new Error('The sample was not indexed.');
  }
  return { project, headers };
}

async function countsOf(project: string, headers: Record<string, string>) {
  const { text } = await call('GET', `/api/projects/${project}/intake`, { headers });
  const { counts } = JSON.parse(text) as { counts: { outcome: string; count: number }[] };
  const countOf = (name: string) => counts.find(({ outcome }) => outcome === name)?.count ?? 0;
  return { accepted: countOf('accepted'), duplicate: countOf('duplicate') };
}

function call(
  method: string,
  path: string,
  {
    headers = {},
    body = '',
    connections = controlAgent,
  }: { headers?: Record<string, string>; body?: string; connections?: Agent } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      base + path,
      { method, agent: connections, headers: { ...length, ...headers }, timeout: 30_000 },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8');
        reply.on('data', (chunk) => {
          text += chunk;
        });
        reply.on('end', () => resolve({ status: reply.statusCode!, text }));
        reply.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', reject);
    sent.end(body);
  });
}

function table({
  load,
  downMs,
  lost,
  again,
}: {
  load: number;
  downMs: number;
  lost: number;
  again: number;
}): string {
  const ms = (values: number[], share: number) => `${percentile(values, share).toFixed(0)} ms`;
  const size = envelope([EVENT_ID]).length;
  const answers = [...statuses]
    .sort(([a], [b]) => b - a)
    .map(([status, count]) => `${count} × ${status || 'no answer'}`);
  const rows = [
    [
      'sent',
      `${SECONDS * RATE} events of ${(size / 1_024).toFixed(1)} KB, ${RATE} a second for ${SECONDS} s`,
    ],
    ['answers', answers.join(', ')],
    ['accepted events lost after SIGKILL', String(lost)],
    ['accepted events found again', `${again} of ${accepted.length}`],
    ['time without a server', `${(downMs / 1_000).toFixed(1)} s`],
    [
      'latency of accepted events',
      `p50 ${ms(latencies, 0.5)}, p95 ${ms(latencies, 0.95)}, p99 ${ms(latencies, 0.99)}`,
    ],
    ['`/healthz` while up', `p95 ${ms(health, 0.95)}, max ${ms(health, 1)}`],
    ['memory of the process (RSS)', `peak ${Math.max(...rss).toFixed(0)} MB`],
    [
      'machine',
      `${cpus().length} cores, load ${load.toFixed(1)} before the start; sender and database on the same machine`,
    ],
  ];
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n');
  return `# Load of the error intake\n\nWritten by \`node bench/intake-load.ts\`.\n\n| measurement | value |\n|---|---|\n${lines}\n`;
}
