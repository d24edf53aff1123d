import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../e2e/browser.ts';
import { callApi, PASSWORD, startProduct } from '../e2e/product.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { serveRepositories } from '../src/git/testing.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import type { Row, Subject } from './speed-row.ts';
import { messages, shortenQuery } from './speed-searching.ts';
import { measurePageLoad, type PageVitals, slowest } from './speed-vitals.ts';

const SECRET_KEY = 'only for measuring, and on this machine';
/** Seconds of one round, and connections that ask at once. */
const LOAD = { seconds: 5, connections: 8 };
const LOAD_GOAL = 0.7;
const VITALS = { lcp: 1_000, tbt: 50, cls: 0.02 };

/** The product as it is built and started, with the repository connected and one answer in it. */
interface Served {
  url: string;
  token: string;
  projectId: string;
  /** The path of an answer. */
  answer: string;
  databaseUrl: string;
}

/**
 * Searches a second through the server beside a Fastify that does the sign-in check and the membership query alone, and
 * how the pages load in the browser that `CHROMIUM` names: `npm run build` first.
 */
export async function servedRows(subject: Subject, index: RepositoryIndex): Promise<Row[]> {
  const database = await startEmbedded({
    dataDir: join(subject.folder, 'database'),
    log: pino({ level: 'silent' }),
  });
  const gitServer = await serveRepositories(dirname(subject.repo));
  const settings = { DATABASE_URL: database.url, LOG_LEVEL: 'info', SECRET_KEY };
  const product = await startProduct({ allowedHosts: [gitServer.host], settings });
  try {
    const cloneUrl = `${gitServer.url}/${basename(subject.repo)}`;
    const served = { ...(await settle(product.url, subject.name, cloneUrl)), databaseUrl: database.url };
    return [await searchesRow(subject, served, index), await pagesRow(subject, served)];
  } finally {
    await product.stop();
    await gitServer.close();
    await database.stop();
  }
}

async function settle(url: string, name: string, git_url: string): Promise<Omit<Served, 'databaseUrl'>> {
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  const { access_token } = await callApi({ url }, ['POST', '/auth/register'], { token: '', body: account });
  const token = access_token as string;
  const call = (method: string, path: string, body?: object) =>
    callApi({ url }, [method, path], { token, body });
  const { id } = await call('POST', '/projects', { name, git_url });
  const isBusy = async () => {
    const { status, activity } = await call('GET', `/projects/${id}`);
    if (status === 'failed') throw new Error(`${name} could not be connected.`);
    return status !== 'ready' || activity !== null;
  };
  while (await isBusy()) await sleep(200);
  const error_message = 'TypeError: Cannot read properties of undefined (reading "length")';
  const session = await call('POST', '/debug', { project_id: id, error_message });
  return { url, token, projectId: id as string, answer: `/debug/${session.id}` };
}

/** In turn, so that both see the same machine; a query is asked seldom enough to be a new one for the server. */
async function searchesRow(
  { name, rounds }: Subject,
  { url, token, projectId, databaseUrl }: Served,
  index: RepositoryIndex,
): Promise<Row> {
  const rival = fork(join(import.meta.dirname, 'rivals/signed-fastify.ts'), [databaseUrl, SECRET_KEY], {
    silent: true,
  });
  const [rivalUrl] = await once(rival.stdout!.setEncoding('utf8'), 'data');
  const queries = messages(index, 2_000, 3).map(shortenQuery);
  const paths = queries.map((q) => `/api/search?${new URLSearchParams({ project_id: projectId, q })}`);
  const best = [0, 0];
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [i, base] of [url, (rivalUrl as string).trim()].entries()) {
        best[i] = Math.max(best[i]!, await repliesPerSecond(base, { paths, token }));
      }
    }
  } finally {
    rival.kill();
  }
  const [ours, theirs] = best as [number, number];
  return {
    what: `searches a second through the server, ${LOAD.connections} connections, ${queries.length} queries`,
    repository: name,
    ours: `${Math.round(ours)}/s`,
    rival: `Fastify with the sign-in and membership query ${Math.round(theirs)}/s`,
    ratio: ours / theirs,
    goal: `≥ ${LOAD_GOAL}`,
    met: ours / theirs >= LOAD_GOAL,
  };
}

/** Every connection asks again as soon as it has its reply. Throws with the status of a refusal. */
async function repliesPerSecond(base: string, { paths, token }: { paths: string[]; token: string }) {
  const agent = new Agent({ keepAlive: true, maxSockets: LOAD.connections });
  const headers = { authorization: `Bearer ${token}` };
  let next = 0;
  let replies = 0;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const path = paths[next++ % paths.length]!;
      get(`${base}${path}`, { agent, headers }, (reply) => {
        reply.resume().once('end', resolve);
        if (reply.statusCode !== 200) reject(new Error(`${path} answered ${reply.statusCode}`));
      }).once('error', reject);
    });
  const start = performance.now();
  const ends = start + LOAD.seconds * 1000;
  const client = async () => {
    for (; performance.now() < ends; replies++) await ask();
  };
  await Promise.all(Array.from({ length: LOAD.connections }, client));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return replies / seconds;
}

/** The worst of three pages, each the best of several first visits. */
async function pagesRow({ rounds }: Subject, { url, token, answer }: Served): Promise<Row> {
  const pages: [string, string, string][] = [
    ['sign-in', '/login', ''],
    ['projects', '/projects', token],
    ['answer', answer, token],
  ];
  const browser: Browser = await openBrowser(process.env.CHROMIUM ?? 'chromium');
  const loads: [string, PageVitals][] = [];
  try {
    for (const [name, path, token] of pages) {
      loads.push([name, await measurePageLoad(browser, { address: url + path, token, rounds })]);
    }
  } finally {
    await browser.close();
  }
  const formatVitals = ({ lcp, tbt, cls }: PageVitals) =>
    `${Math.round(lcp)} ms / ${Math.round(tbt)} ms / ${cls.toFixed(3)}`;
  const worst = slowest(loads.map(([, loaded]) => loaded));
  return {
    what: 'LCP / TBT / CLS of a first visit in Chromium, 1440 wide, unthrottled',
    repository: 'web',
    ours: loads.map(([name, loaded]) => `${name} ${formatVitals(loaded)}`).join('; '),
    rival: '"good" 2.5 s / 200 ms / 0.1',
    ratio: worst.lcp / 2_500,
    goal: '1.0 s / 50 ms / 0.02',
    met: worst.lcp <= VITALS.lcp && worst.tbt <= VITALS.tbt && worst.cls <= VITALS.cls,
  };
}
