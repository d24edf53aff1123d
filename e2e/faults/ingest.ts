import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, seconds, slowest, trialsOf } from './fault.ts';
import {
  buildFaultRepository,
  countUnfinished,
  type FaultProgram,
  prepareProgram,
  until,
} from './program.ts';

const FILES = 400;
/** A moment within the first seconds, in place of a named one. */
const RANDOM = 'random';
const RESUME_LIMIT_S = 45;
/** Moments of an import and of indexing, the transfer among them by a random one. */
const MOMENTS = [
  'git:init',
  'import-created',
  'import-fetched',
  'import-renamed',
  'index-generation',
  'index-built',
];

interface Account {
  call(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, never> }>;
}

/** R1: kills the server during an import, at named and at random moments, and compares the index with an undisturbed one. */
export const ingestFault: Fault = {
  id: 'R1',
  name: '`kill -9` during ingest',
  target: 'same index; resumed ≤ 45 s; no half-made folder, project never stuck',
  async run(options) {
    const program = await prepareProgram();
    const resumed: number[] = [];
    let trials = 0;
    let losses = 0;
    try {
      const path = await buildFaultRepository(program, FILES);
      const first = options.short ? 'index-generation' : null;
      await program.start(first === null ? {} : { FAILPOINT: first });
      const ada = (await program.signUp()) as Account;
      const killed = first && (await indexThroughKill(program, ada, path, first));
      const expected = await index(ada, path);
      const random = options.short ? 0 : trialsOf(options, 100);
      const judge = async (moment: string, { summary, ms }: { summary: string; ms: number }) => {
        trials += 1;
        resumed.push(ms);
        const unfinished = await countUnfinished(program);
        const isLost = summary !== expected || unfinished > 0;
        if (isLost) losses += 1;
        if (isLost || ms > RESUME_LIMIT_S * 1000)
          options.report(`R1: ${moment}: ${summary} after ${Math.round(ms)} ms, ${unfinished} unfinished`);
        if (trials % 10 === 0) options.report(`R1: ${trials} kills, ${losses} losses`);
      };
      if (killed) await judge(first!, killed);
      const moments = options.short
        ? []
        : Array.from({ length: trialsOf(options, 20) }, () => MOMENTS).flat();
      for (const moment of [...moments, ...Array.from({ length: random }, () => RANDOM)]) {
        if (moment !== RANDOM) {
          await program.stop();
          await program.start({ FAILPOINT: moment });
        }
        await judge(moment, await indexThroughKill(program, ada, path, moment));
      }
    } finally {
      await program.remove();
    }
    const figures = `index complete ≤ ${seconds(slowest(resumed))} after the restart`;
    return { trials, losses, figures, isMet: losses === 0 && slowest(resumed) <= RESUME_LIMIT_S };
  },
};

/** Connects a repository, is killed on the way, and starts again; returns a summary of its index and the time until it is ready. */
async function indexThroughKill(program: FaultProgram, ada: Account, path: string, moment: string) {
  const id = await connect(ada, path);
  if (moment === RANDOM) {
    await sleep(Math.random() * 3_000);
    await program.kill();
  } else await program.ended();
  const started = performance.now();
  await program.start();
  return { summary: await summarize(ada, id), ms: performance.now() - started };
}

async function index(ada: Account, path: string): Promise<string> {
  return await summarize(ada, await connect(ada, path));
}

async function connect(ada: Account, path: string): Promise<string> {
  const body = { name: `trial ${Date.now()}`, git_url: `file://${path}` };
  return String((await ada.call('POST', '/projects', body)).body.id);
}

/** Waits for the index of a project, describes it, and deletes the project. */
async function summarize(ada: Account, id: string): Promise<string> {
  const project = await until(
    async () => {
      const { status, body: found } = await ada.call('GET', `/projects/${id}`);
      if (status === 200 && found.status === 'failed') throw new Error('The project has failed.');
      return status === 200 && found.status === 'ready' && found.activity === null && found;
    },
    120_000,
    'The project was not ready',
  );
  const { indexed, commits, passages } = project.coverage as unknown as Record<string, number>;
  // A busy server refuses a search for a moment.
  let refusal = '';
  const search = await until(
    async () => {
      const reply = await ada.call('GET', `/search?q=value399&project_id=${id}`);
      refusal = JSON.stringify(reply.body);
      return reply.status !== 503 && reply;
    },
    30_000,
    'The search was refused',
  ).catch((error: Error) => {
    throw new Error(`${error.message} ${refusal}`);
  });
  const hits = (search.body.results as unknown[] | undefined)?.length ?? search.status;
  await ada.call('DELETE', `/projects/${id}`);
  return JSON.stringify({ indexed, commits, passages, hits, head: project.indexed_commit });
}
