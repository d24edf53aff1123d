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
    const found: string[] = [];
    let trials = 0;
    let losses = 0;
    try {
      const path = await buildFaultRepository(program, FILES);
      await program.start();
      const ada = (await program.signUp()) as Account;
      const expected = await indexAgain(program, ada, path, null);
      const random = options.short ? 0 : trialsOf(options, 100);
      const moments = options.short
        ? ['index-generation']
        : Array.from({ length: trialsOf(options, 20) }, () => MOMENTS).flat();
      for (const moment of [...moments, ...Array.from({ length: random }, () => null)]) {
        const { index, ms } = await indexAgain(program, ada, path, moment ?? 'random');
        trials += 1;
        resumed.push(ms);
        const unfinished = await countUnfinished(program);
        if (index !== expected.index || unfinished > 0 || ms > RESUME_LIMIT_S * 1000) {
          losses += 1;
          found.push(`${moment ?? 'random'}: ${index} after ${Math.round(ms)} ms, ${unfinished} unfinished`);
        }
        if (trials % 10 === 0) options.report(`R1: ${trials} kills, ${losses} losses`);
      }
    } finally {
      await program.remove();
    }
    for (const line of found) options.report(`R1: ${line}`);
    const figures = `index complete ≤ ${seconds(slowest(resumed))} after the restart`;
    return { trials, losses, figures, isMet: losses === 0 };
  },
};

/** Connects a repository, with a kill on the way; returns a summary of its index and the time from the restart until it is ready. */
async function indexAgain(program: FaultProgram, ada: Account, path: string, moment: string | null) {
  if (moment !== null && moment !== 'random') {
    await program.stop();
    await program.start({ FAILPOINT: moment });
  }
  const { body } = await ada.call('POST', '/projects', {
    name: `trial ${Date.now()}`,
    git_url: `file://${path}`,
  });
  const id = String(body.id);
  if (moment === 'random') {
    await sleep(Math.random() * 3_000);
    await program.kill();
  } else if (moment !== null) await program.ended();
  const started = performance.now();
  if (moment !== null) await program.start();
  const project = await until(
    async () => {
      const { status, body: found } = await ada.call('GET', `/projects/${id}`);
      if (status === 200 && found.status === 'failed') throw new Error('The project has failed.');
      return status === 200 && found.status === 'ready' && found.activity === null && found;
    },
    120_000,
    'The project was not ready',
  );
  const ms = performance.now() - started;
  const { indexed, commits, passages } = project.coverage as unknown as Record<string, number>;
  const search = await ada.call('GET', `/search?q=value399&project_id=${id}`);
  const hits = (search.body.results as unknown[] | undefined)?.length ?? search.status;
  await ada.call('DELETE', `/projects/${id}`);
  return { index: JSON.stringify({ indexed, commits, passages, hits, head: project.indexed_commit }), ms };
}
