import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { percentile } from './speed-timing.ts';

/*
 * npm run bench:safety
 *
 * Starts the program as people do and measures what cannot be asserted on a shared machine:
 *
 * - flood: 200 sign-ins at once, again and again for ten seconds, from addresses of their own. How fast does /healthz
 *   answer meanwhile? The goal is a p99 of 250 ms.
 * - times: sign-ins with a wrong password, of existing accounts and of unknown names, in turn. The goal is a
 *   difference of the medians of 5 ms at most.
 */
const FLOOD_MS = 10_000;
const AT_ONCE = 200;
const TRIES = 100;
const PASSWORD = 'a quiet harbour at dawn';

/** Addresses that calls came from so far. */
let addresses = 0;

const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-safety-'));
const { url, stop } = await start();
try {
  // The flooded accounts are throttled afterwards, so other accounts are compared.
  const [flooded, names] = [await signUp('flooded', 20), await signUp('known', TRIES / 5)];
  console.log('| what | p50 ms | p95 ms | p99 ms | count |\n|---|---|---|---|---|');
  report('/healthz, idle', await timeHealth(2_000));
  const { times, statuses } = await flood(flooded);
  report(`/healthz, ${AT_ONCE} sign-ins at once`, times);
  const { known, unknown } = await compare(names);
  report('wrong password, known account', known);
  report('wrong password, unknown account', unknown);
  const difference = percentile(known, 0.5) - percentile(unknown, 0.5);
  console.log(
    `\nDifference of the medians: ${difference.toFixed(1)} ms. Replies during the flood: ${statuses}.`,
  );
} finally {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
}

function report(what: string, times: number[]): void {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(1));
  console.log(`| ${what} | ${p50} | ${p95} | ${p99} | ${times.length} |`);
}

/** The program on a free port, which believes the addresses that this one forwards. */
async function start(): Promise<{ url: string; stop(): Promise<void> }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const child = spawn(process.execPath, ['src/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATA_DIR: dataDir,
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'silent',
    },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url === undefined) continue;
    return {
      url,
      async stop() {
        const exited = once(child, 'exit');
        child.kill();
        await exited;
      },
    };
  }
  throw new Error('The program ended before it was ready.');
}

/** Sends the request from a new IP address, so that rate limits by IP do not interfere. */
async function post(path: string, body: Record<string, string>, form = false): Promise<Response> {
  addresses += 1;
  const from = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  return await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': type, 'x-forwarded-for': from },
    body: form ? new URLSearchParams(body).toString() : JSON.stringify(body),
  });
}

async function signUp(prefix: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  for (const username of names) {
    const reply = await post('/auth/register', {
      username,
      email: `${username}@example.org`,
      password: PASSWORD,
    });
    if (reply.status !== 201) throw new Error(`signing up answered ${reply.status}`);
  }
  return names;
}

async function timed(call: () => Promise<Response>): Promise<number> {
  const start = performance.now();
  await (await call()).arrayBuffer();
  return performance.now() - start;
}

async function timeHealth(ms: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) times.push(await timed(() => fetch(`${url}/healthz`)));
  return times;
}

async function flood(names: string[]): Promise<{ times: number[]; statuses: string }> {
  const end = performance.now() + FLOOD_MS;
  const statuses: Record<number, number> = {};
  const attack = async (index: number) => {
    while (performance.now() < end) {
      const username = names[(index + addresses) % names.length]!;
      const reply = await post('/auth/login', { username, password: PASSWORD }, true);
      await reply.arrayBuffer();
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
    }
  };
  const attackers = Array.from({ length: AT_ONCE }, (_, index) => attack(index));
  const times = await timeHealth(FLOOD_MS);
  await Promise.all(attackers);
  return { times, statuses: JSON.stringify(statuses) };
}

/** In turn, so that both see the same machine. A known account is tried five times at most, before the delays begin. */
async function compare(names: string[]): Promise<{ known: number[]; unknown: number[] }> {
  const known: number[] = [];
  const unknown: number[] = [];
  const wrong = (username: string) =>
    timed(() => post('/auth/login', { username, password: 'wrong words' }, true));
  for (let index = 0; index < TRIES; index++) {
    known.push(await wrong(names[index % names.length]!));
    unknown.push(await wrong(`nobody${index % names.length}`));
  }
  return { known, unknown };
}
