import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRepository } from '../../bench/editor-server.ts';
import { type Fault, trialsOf } from './fault.ts';
import { buildFaultRepository, prepareProgram } from './program.ts';

/** Of an hour, as the target says; fewer by `--trials`. */
const MINUTES = 60;
const WARM_UP_SHARE = 1 / 6;
const MAX_GROWTH = 0.1;
const CALLERS = 5;

/** R16: serves reads, questions and refreshes for an hour; memory must not grow. */
export const memoryFault: Fault = {
  id: 'R16',
  name: 'memory over an hour of load',
  target: `growth after the first ten minutes ≤ ${MAX_GROWTH * 100} %`,
  async run(options) {
    const program = await prepareProgram();
    const minutes = options.short ? 0.2 : trialsOf(options, MINUTES);
    const sizes: number[] = [];
    let failures = 0;
    try {
      const path = await buildFaultRepository(program, 500);
      await program.start();
      const ada = await program.signUp();
      const project = await connectRepository(ada, 'load', path);
      const end = performance.now() + minutes * 60_000;
      const work = async (caller: number) => {
        for (let turn = 0; performance.now() < end; turn++) {
          const calls = [
            () => ada.call('GET', `/search?q=value${turn}&project_id=${project}`),
            () => ada.call('GET', `/ide/projects/${project}/files/src/1/file1.ts`),
            () => ada.call('GET', '/projects'),
          ];
          const { status } = await calls[(turn + caller) % calls.length]!();
          if (status !== 200 && status !== 429) failures += 1;
          await sleep(100);
        }
      };
      const sample = async () => {
        while (performance.now() < end) {
          sizes.push(await residentBytes(program.child.pid!));
          await sleep(Math.min(10_000, minutes * 1_000));
        }
      };
      await Promise.all([sample(), ...Array.from({ length: CALLERS }, (_, caller) => work(caller))]);
    } finally {
      await program.remove();
    }
    const warm = sizes.slice(Math.floor(sizes.length * WARM_UP_SHARE));
    const growth = warm.at(-1)! / warm[0]! - 1;
    const figures = `${(Math.max(...sizes) / 2 ** 20).toFixed(0)} MB at most, growth ${(growth * 100).toFixed(1)} % over ${minutes} min`;
    return {
      trials: 1,
      losses: failures,
      figures,
      isMet: failures === 0 && (options.short || growth <= MAX_GROWTH),
    };
  },
};

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}
