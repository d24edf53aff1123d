import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRepository } from '../../bench/editor-server.ts';
import { type Fault, seconds, slowest, trialsOf } from './fault.ts';
import { buildFaultRepository, prepareProgram } from './program.ts';

const STOP_LIMIT_S = 15;
const START_LIMIT_S = 5;

/** R17: stops the server in order under load with a save under way; R23 is measured at every start. */
export const shutdownFault: Fault = {
  id: 'R17',
  name: 'SIGTERM under load, with saves and a chat',
  target: 'exit 0 ≤ 15 s, no request in flight lost, no acknowledged save lost',
  async run(options) {
    const program = await prepareProgram();
    const stops: number[] = [];
    const starts: number[] = [];
    let losses = 0;
    const trials = trialsOf(options, 20);
    try {
      const path = await buildFaultRepository(program, 50);
      await program.start();
      const ada = await program.signUp();
      const project = await connectRepository(ada, 'load', path);
      for (let trial = 0; trial < trials; trial++) {
        const seen = { statuses: [] as number[], saved: -1 };
        let isOver = false;
        const during = async (work: () => Promise<number>) => {
          while (!isOver) {
            seen.statuses.push(await work());
            await sleep(50);
          }
        };
        let number = 0;
        const working = [
          during(async () => (await ada.call('GET', '/projects')).status),
          during(
            async () =>
              (await ada.call('POST', `/chat/projects/${project}/messages`, { message: 'who wrote file1?' }))
                .status,
          ),
          during(async () => {
            number += 1;
            const value = number;
            const { status } = await ada.call('POST', `/ide/projects/${project}/files/saved.txt`, {
              content: `${trial} ${value}`,
            });
            if (status === 200) seen.saved = value;
            return status;
          }),
        ];
        while (seen.saved < 0) await sleep(20);
        const started = performance.now();
        const code = await program.stop();
        stops.push(performance.now() - started);
        isOver = true;
        await Promise.all(working);
        starts.push(await program.start());
        const { body } = await ada.call('GET', `/ide/projects/${project}/files/saved.txt`);
        const [, saved] = String(body?.content).split(' ');
        // A refused connection (0) was never accepted; an accepted request has an answer.
        const isWrong = seen.statuses.some((status) => ![0, 200, 201, 429, 503].includes(status));
        if (code !== 0 || isWrong || Number(saved) < seen.saved) losses += 1;
        options.report(`R17: ${trial + 1} of ${trials}, code ${code}, ${losses} losses`);
      }
    } finally {
      await program.remove();
    }
    const figures = `stopped ≤ ${seconds(slowest(stops))}, ready again ≤ ${seconds(slowest(starts))}`;
    return { trials, losses, figures, isMet: losses === 0 && slowest(stops) <= STOP_LIMIT_S };
  },
};

/** R22 and R23: a second server on the same folder, and the time of a start after a kill. */
export const startFaults: Fault[] = [
  {
    id: 'R22',
    name: 'two servers on one data folder',
    target: 'the second exits with an error, the first serves on',
    async run(options) {
      const program = await prepareProgram();
      const times: number[] = [];
      let losses = 0;
      const trials = trialsOf(options, 10);
      try {
        await program.start();
        const ada = await program.signUp();
        for (let trial = 0; trial < trials; trial++) {
          const second = await startSecond(program.dataDir);
          times.push(second.ms);
          if (second.code === 0 || (await ada.call('GET', '/projects')).status !== 200) losses += 1;
        }
      } finally {
        await program.remove();
      }
      const figures = `refused ≤ ${seconds(slowest(times))} after the process started`;
      return { trials, losses, figures, isMet: losses === 0 };
    },
  },
  {
    id: 'R23',
    name: 'start after a kill',
    target: `ready ≤ ${START_LIMIT_S} s`,
    async run(options) {
      const program = await prepareProgram();
      const times: number[] = [];
      const trials = trialsOf(options, 20);
      try {
        await program.start();
        for (let trial = 0; trial < trials; trial++) {
          await program.kill();
          times.push(await program.start());
        }
      } finally {
        await program.remove();
      }
      return {
        trials,
        losses: 0,
        figures: `ready ≤ ${seconds(slowest(times))}`,
        isMet: slowest(times) <= START_LIMIT_S,
      };
    },
  },
];

async function startSecond(dataDir: string): Promise<{ code: number | null; ms: number }> {
  const started = performance.now();
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0' };
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, ms: performance.now() - started };
}
