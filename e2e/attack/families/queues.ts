import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpRequest, mapAtOnce } from '../client.ts';
import type { Family, Input } from '../family.ts';
import type { User, World } from '../world.ts';
import { buildWords } from './regex.ts';

/*
 * Work that one person starts and leaves, or starts too often. What must hold: it is dropped with its caller, everybody has a
 * share of their own, and a deadline ends what takes too long.
 */

let attacker: User;
let project = '';
let commits: string[] = [];

/** Calls whose work may outlive a disconnected client, by cost. */
const CALLS: Record<string, (index: number) => HttpRequest> = {
  'searches at old revisions': (index) => ({
    path: `/api/search?project_id=${project}&q=compute+price+total&revision=${commits[index % commits.length]}`,
  }),
  'debug answers at old revisions': (index) => ({
    ...{ method: 'POST', path: '/api/debug' },
    body: {
      error_message: `Error in handle_${index}_order`,
      project_id: project,
      revision: commits[index % commits.length],
    },
  }),
  searches: (index) => ({
    path: `/api/search?project_id=${project}&limit=50&q=${encodeURIComponent(`total_${index} compute price order `.repeat(200))}`,
  }),
  'debug answers': (index) => ({
    ...{ method: 'POST', path: '/api/debug' },
    body: { error_message: traceOf(index), project_id: project },
  }),
  chats: (index) => ({
    ...{ method: 'POST', path: `/api/chat/projects/${project}/messages` },
    body: {
      message: `Why does compute_price_${index} return what it does? ${'total order price '.repeat(400)}`,
    },
  }),
  'chats as events': (index) => ({
    ...{
      method: 'POST',
      path: `/api/chat/projects/${project}/messages`,
      headers: { accept: 'text/event-stream' },
    },
    body: { message: `What changed in file${index}.py?` },
  }),
  'searches in the history': (index) => ({
    path: `/api/search/history?project_id=${project}&q=total_${index}&match=exact&limit=50`,
  }),
  'analyses with an error': (index) => ({
    ...{ method: 'POST', path: `/api/ide/projects/${project}/debug/ide` },
    body: { file_path: 'x.py', code: 'def f(:\n'.repeat(20_000), error_message: traceOf(index) },
  }),
  'investigations over MCP': (index) => ({
    ...{ method: 'POST', path: '/mcp', headers: { accept: 'application/json, text/event-stream' } },
    body: {
      ...{ jsonrpc: '2.0', id: index, method: 'tools/call' },
      params: { name: 'investigate_error', arguments: { error: traceOf(index), project } },
    },
  }),
  mentions: (index) => ({ path: `/api/chat/projects/${project}/mentions?q=handle_${index}` }),
  backtests: () => ({ method: 'POST', path: `/api/projects/${project}/backtest`, body: {} }),
  refreshes: () => ({ method: 'POST', path: `/api/projects/${project}/refresh` }),
};

function traceOf(index: number): string {
  const frames = Array.from(
    { length: 40 },
    (_, n) => `  File "src/p${n}/file${(index + n) % 50}.py", line ${n + 1}, in handle_${n}_order`,
  );
  return `Traceback (most recent call last):\n${frames.join('\n')}\nTypeError: compute_price_${index} is not callable`;
}

const hungUp: Input[] = Object.entries(CALLS).map(([name, make], index) => ({
  name: `100 ${name}, disconnected after 60 ms`,
  act: async (world) => {
    const requests = Array.from({ length: 100 }, (_, number) => ({ ...make(number), hangUpMs: 60 }));
    await mapAtOnce(requests, 20, (request) => world.send(attacker, request));
    return await answersSoon(world);
  },
  short: index === 0,
}));

const waiting: Input[] = Object.entries(CALLS)
  .slice(0, 9)
  .map(([name, make], index) => ({
    name: `40 ${name} at once`,
    act: async (world) => {
      const requests = Array.from({ length: 40 }, (_, number) => make(number));
      await mapAtOnce(requests, 40, (request) => world.send(attacker, { ...request, timeoutMs: 30_000 }));
      return await answersSoon(world);
    },
    slowestMs: 30_000,
    short: index === 2,
  }));

/** Runs another user's search right afterwards. */
async function answersSoon(world: World): Promise<string | null> {
  await sleep(200);
  const began = performance.now();
  const path = `/api/search?project_id=${world.projectId}&q=price`;
  const reply = await world.send('viewer', { path, timeoutMs: 20_000 });
  const ms = Math.round(performance.now() - began);
  if (reply.status !== 200) return `another user's search: ${reply.status ?? 'no reply'} after ${ms} ms`;
  return null;
}

export const queues: Family = {
  name: 'queues',
  modes: ['default', 'public'],
  maxDiskBytes: 256 * 2 ** 20,
  async setup(world) {
    attacker = await world.signUp(`queues-${world.mode}`);
    project = (await world.connect(attacker, 'words', buildWords(world))).id;
    commits = (await world.repositories.open('words').git(['rev-list', 'main'])).split('\n').slice(1);
  },
  inputs: [...hungUp, ...waiting],
};
