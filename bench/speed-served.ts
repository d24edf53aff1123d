import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { pino } from 'pino';
import { startProduct } from '../e2e/product.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { serveRepositories } from '../src/git/testing.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { type ConnectedProject, connectProject } from './connect-project.ts';
import type { Row, Subject } from './speed-row.ts';
import { messages, shortenQuery } from './speed-searching.ts';

const SECRET_KEY = 'only for measuring, and on this machine';
/** Seconds of one round, and connections that ask at once. */
const LOAD = { seconds: 5, connections: 8 };
const LOAD_GOAL = 0.7;

/** The product with the repository connected. */
interface Served extends ConnectedProject {
  url: string;
  databaseUrl: string;
}

/** Searches a second through the server beside a Fastify that does the sign-in check and the membership query alone. */
export async function servedRows(subject: Subject, index: RepositoryIndex): Promise<Row[]> {
  const database = await startEmbedded({
    dataDir: join(subject.folder, 'database'),
    log: pino({ level: 'silent' }),
  });
  const gitServer = await serveRepositories(dirname(subject.repo));
  const settings = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', SECRET_KEY };
  const product = await startProduct({ allowedHosts: [gitServer.host], settings, program: 'start.mjs' });
  try {
    const cloneUrl = `${gitServer.url}/${basename(subject.repo)}`;
    const project = await connectProject(product.url, subject.name, cloneUrl);
    const served = { ...project, url: product.url, databaseUrl: database.url };
    return [await searchesRow(subject, served, index)];
  } finally {
    await product.stop();
    await gitServer.close();
    await database.stop();
  }
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
