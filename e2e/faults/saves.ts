import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { connectRepository } from '../../bench/editor-server.ts';
import { type Fault, type FaultRun, type Measurement, seconds, slowest, trialsOf } from './fault.ts';
import { buildFaultRepository, prepareProgram } from './program.ts';

const SAVE_MOMENTS = ['branch-saved', 'git:unpack-objects', 'git:update-ref'];

/** R2 with named moments: kills the server during a save, and looks for the save and a second one without manual steps. */
export const saveFault: Fault = {
  id: 'R2',
  name: '`kill -9` during commit',
  target: 'acknowledged commits present, repository usable at once, next save ≤ 2 s',
  async run(options) {
    const named = await killAtMoments(options);
    if (options.short) return named;
    const random = await runEditorFaults(options, [
      '--kills',
      String(trialsOf(options, 300)),
      '--rounds',
      '1',
    ]);
    return {
      trials: named.trials + random.trials,
      losses: named.losses + random.losses,
      figures: `${named.figures}; random moments: ${random.figures}`,
      isMet: named.isMet && random.isMet,
    };
  },
};

async function killAtMoments(options: FaultRun): Promise<Measurement> {
  const program = await prepareProgram();
  const times: number[] = [];
  let trials = 0;
  let losses = 0;
  try {
    const path = await buildFaultRepository(program, 50);
    // The first save passes.
    await program.start({ FAILPOINT: `${SAVE_MOMENTS[0]}:2` });
    const ada = await program.signUp();
    const project = await connectRepository(ada, 'saved', path);
    const file = `/ide/projects/${project}/files/saved.txt`;
    const save = (content: string) => ada.call('POST', file, { content });
    await save('first');
    for (let round = 0; round < trialsOf(options, 10); round++) {
      for (const moment of options.short ? SAVE_MOMENTS.slice(0, 1) : SAVE_MOMENTS) {
        if (trials > 0) {
          await program.stop();
          await program.start({ FAILPOINT: moment });
        }
        const kept = `kept ${trials}`;
        const reply = await save(kept);
        const isKilled = reply.status === 0;
        // A save that has not reached this moment was acknowledged.
        if (isKilled) await program.ended();
        else await program.kill();
        await program.start();
        const { body } = await ada.call('GET', file);
        const isLost = !isKilled && body?.content !== kept;
        const started = performance.now();
        const next = await save(`next ${trials}`);
        times.push(performance.now() - started);
        const read = await ada.call('GET', file);
        if (isLost || next.status !== 200 || read.body?.content !== `next ${trials}`) {
          losses += 1;
          const found = isLost ? 'lost' : 'kept';
          options.report(`R2: save ${found}, next one ${next.status}, its content read with ${read.status}`);
        }
        trials += 1;
      }
      options.report(`R2: ${trials} kills, ${losses} losses`);
    }
  } finally {
    await program.remove();
  }
  const isMet = losses === 0 && slowest(times) <= 2;
  return { trials, losses, figures: `next save ≤ ${seconds(slowest(times))}`, isMet };
}

/** R14: concurrent writers of one and of several files. */
export const writerFault: Fault = {
  id: 'R14',
  name: '20 writers, one base; different files; during a fetch',
  target: 'exactly one wins per base, commits = saves; p95 ≤ 500 ms',
  run: (options) => runEditorFaults(options, ['--kills', '0', '--rounds', String(trialsOf(options, 40))]),
};

/** Runs `bench/editor-faults.ts`, whose table says what was measured and whether it meets its goal. */
async function runEditorFaults({ short, report }: FaultRun, args: string[]): Promise<Measurement> {
  const files = short ? '400' : '20000';
  const child = spawn(process.execPath, ['bench/editor-faults.ts', ...args, '--files', files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await text(child.stdout);
  const rows = [...output.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (yes|\*\*no\*\*) \|$/gm)];
  for (const [row] of rows) report(row);
  if (rows.length === 0) throw new Error('bench/editor-faults.ts has printed no table.');
  const missed = rows.filter(([, , , , met]) => met !== 'yes');
  const trials = Number(args[1]) || Number(args[3]);
  const losses = missed.filter(([, , , goal]) => ['0', 'yes', 'all saved'].includes(goal!)).length;
  // The first three are about kills.
  const shown = Number(args[1]) > 0 ? rows.slice(0, 3) : rows.slice(3);
  const figures = shown.map(([, what, value]) => `${what}: ${value}`).join('; ');
  return { trials, losses, figures, isMet: missed.length === 0 };
}
