import { execFileSync } from 'node:child_process';
import { basename, dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, PASSWORD, startProduct } from '../e2e/product.ts';
import { serveRepositories } from '../src/git/testing.ts';
import { percentile } from './speed-timing.ts';

/*
 * npm run bench:fairness -- /path/to/repository.git
 *
 * Measures the cost of one user at full speed to another: 95th percentiles of the second user's calls, alone and while the first
 * keeps many calls of every kind under way, each given up after a while. The goal is twice the quiet one and 250 ms.
 */
const CALLS = 30;
const LOUD_AT_ONCE = 40;
/** Time after which the heavy user aborts a request. */
const CLIENT_TIMEOUT_MS = 3_000;
const SLOW_REGEX = '(.*)(.*)(.*)(.*)\\1\\2\\3\\4x';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder of a bare repository.');
const repo = resolve(folder);
const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' }).trim();
const subjects = git('log', '--no-merges', '--format=%s', '-n3000')
  .split('\n')
  .filter((line) => line.length > 20);
const files = git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');
const revisions = git('log', '--first-parent', '--format=%H', '-n4000').split('\n');

const gitServer = await serveRepositories(dirname(repo));
const product = await startProduct({ allowedHosts: [gitServer.host], settings: { LOG_LEVEL: 'warn' } });
try {
  const [loud, quiet] = [await signUp('loud'), await signUp('quiet')];
  const project = await connectRepository(loud);
  const member = { identifier: 'quiet', role: 'editor' };
  await callApi(product, ['POST', `/projects/${project}/members`], { token: loud, body: member });
  const kinds = callsOf(project);
  const measure = async () => {
    const times: Record<string, number[]> = {};
    for (const [kind, call] of Object.entries(kinds)) {
      times[kind] = [];
      for (let index = 0; index < CALLS; index++) times[kind].push(await timed(quiet, call(index)));
    }
    return times;
  };
  await measure();
  const baseline = await measure();
  const stop = new AbortController();
  const load = Array.from({ length: LOUD_AT_ONCE }, (_, client) =>
    sendContinuously(loud, kinds, client, stop.signal),
  );
  await sleep(2_000);
  const loaded = await measure();
  stop.abort();
  const requestCount = (await Promise.all(load)).reduce((sum, count) => sum + count, 0);
  console.log('| call | quiet p95 ms | loaded p95 ms | goal ms | met |\n|---|--:|--:|--:|---|');
  for (const kind of Object.keys(kinds)) {
    const [before, during] = [percentile(baseline[kind]!, 0.95), percentile(loaded[kind]!, 0.95)];
    const goal = 2 * before + 250;
    const cells = [before, during, goal].map((ms) => ms.toFixed(0)).join(' | ');
    console.log(`| ${kind} | ${cells} | ${during <= goal ? 'yes' : 'no'} |`);
  }
  console.log(`\nThe loud user made ${requestCount} calls.`);
} finally {
  await product.stop();
  await gitServer.close();
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

/** The calls that are timed; each asks something new. */
function callsOf(project_id: string): Record<string, (index: number) => Call> {
  const subject = (index: number) => subjects[(index * 37) % subjects.length]!;
  return {
    search: (index) => ({
      method: 'GET',
      path: `/search?${new URLSearchParams({ project_id, q: subject(index) })}`,
    }),
    lines: (index) => ({
      method: 'GET',
      path: `/search/lines?${new URLSearchParams({ project_id, q: subject(index).split(' ').at(-1)! })}`,
    }),
    debug: (index) => ({
      method: 'POST',
      path: '/debug',
      body: {
        project_id,
        error_message: `${subject(index)}\n  at ${files[(index * 101) % files.length]}:10`,
      },
    }),
    chat: (index) => ({
      method: 'POST',
      path: `/chat/projects/${project_id}/messages`,
      body: { message: `Where is this handled: ${subject(index)}?`, use_chat_history: false },
    }),
  };
}

async function timed(token: string, call: Call, signal?: AbortSignal): Promise<number> {
  const start = performance.now();
  const { method, path, body } = call;
  const reply = await fetch(`${product.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal,
  });
  const text = await reply.text();
  if (!signal && !reply.ok) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 200)}`);
  return performance.now() - start;
}

/** Sends requests without a pause, slow ones included; returns their number. */
async function sendContinuously(
  token: string,
  kinds: Record<string, (index: number) => Call>,
  client: number,
  stop: AbortSignal,
): Promise<number> {
  const calls = Object.values(kinds);
  for (let turn = 0; ; turn++) {
    if (stop.aborted) return turn;
    const index = client * 1_000 + turn;
    const call = calls[index % calls.length]!(index);
    const slow = index % 3 === 0 ? toSlowCall(call, index) : call;
    await timed(token, slow, AbortSignal.any([stop, AbortSignal.timeout(CLIENT_TIMEOUT_MS)])).catch(() => {});
  }
}

/** A search at another revision, or for lines that no engine finds quickly. */
function toSlowCall(call: Call, index: number): Call {
  if (call.path.startsWith('/search/lines'))
    return {
      ...call,
      path: `${call.path}&match=regex`.replace(/q=[^&]*/, `q=${encodeURIComponent(SLOW_REGEX)}`),
    };
  if (call.path.startsWith('/search?'))
    return { ...call, path: `${call.path}&revision=${revisions[(index * 13) % revisions.length]}` };
  return call;
}

async function signUp(username: string): Promise<string> {
  const body = { username, email: `${username}@example.org`, password: PASSWORD };
  return (await callApi(product, ['POST', '/auth/register'], { token: '', body })).access_token as string;
}

async function connectRepository(token: string): Promise<string> {
  const body = { name: 'Large', git_url: `${gitServer.url}/${basename(repo)}` };
  const { id } = await callApi(product, ['POST', '/projects'], { token, body });
  for (;;) {
    const { status, activity } = await callApi(product, ['GET', `/projects/${id}`], { token });
    if (status === 'failed') throw new Error('The repository could not be connected.');
    if (status === 'ready' && activity === null) return id as string;
    await sleep(500);
  }
}
