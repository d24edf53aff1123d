import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, connectRepository } from '../../bench/editor-server.ts';
import { type Fault, type FaultRun, trialsOf } from './fault.ts';
import { buildFaultRepository, type FaultProgram, prepareProgram } from './program.ts';
import { CLIENTS, CROWD_SETTINGS, connectCrowd, registerCrowd } from './sockets.ts';

/** Of an hour, as the target says; fewer by `--trials`. */
const MINUTES = 60;
const WARM_UP_SHARE = 1 / 6;
const MAX_GROWTH = 0.1;
const MAX_MB = 512;
const MAX_DELAY_MS = 100;
const CALLERS = 5;
const IMPORTS = 4;
const IMPORT_EVERY_MS = 60_000;
const SAMPLE_EVERY_MS = 10_000;
/** Stands among the statuses for an import that failed. */
const FAILED_IMPORT = 0;

interface Sample {
  /** Resident memory of the server's process. */
  mb: number;
  /** 99th percentile of the event loop's delay since the sample before. */
  delayMs: number;
}

/** R16: serves 50 requests a second, four imports a minute and 1,000 sockets for an hour; memory must not grow. */
export const memoryFault: Fault = {
  id: 'R16',
  name: 'memory over an hour of load',
  target: `≤ ${MAX_MB} MB, growth after the first ten minutes ≤ ${MAX_GROWTH * 100} %, event-loop delay p99 ≤ ${MAX_DELAY_MS} ms`,
  async run(options) {
    const program = await prepareProgram(CROWD_SETTINGS, { bundled: true });
    const minutes = options.short ? 0.2 : trialsOf(options, MINUTES);
    try {
      const path = await buildFaultRepository(program, 500);
      await program.start();
      const ada = await program.signUp();
      const clients = options.short ? 20 : CLIENTS;
      const sockets = await connectCrowd(program.url, await registerCrowd(program.url, clients), clients);
      const end = performance.now() + minutes * 60_000;
      const [samples, ...replies] = await Promise.all([
        takeSamples(program, options, end),
        importAgain(ada, path, end, options),
        callUntil(ada, await connectRepository(ada, 'load', path), end),
      ]);
      for (const socket of sockets) socket.close();
      const failures = replies.flat().filter((status) => status !== 200 && status !== 429);
      return describe(samples, { minutes, failures, clients: sockets.length, isShort: options.short });
    } finally {
      await program.remove();
    }
  },
};

function describe(
  samples: Sample[],
  run: { minutes: number; failures: number[]; clients: number; isShort: boolean },
) {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const mostMb = Math.max(...samples.map(({ mb }) => mb));
  const growth = warm.at(-1)!.mb / warm[0]!.mb - 1;
  const delays = warm.map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  const delay = delays[delays.length >> 1]!;
  const isMet = mostMb <= MAX_MB && growth <= MAX_GROWTH && delay <= MAX_DELAY_MS;
  const figures = [
    `${mostMb.toFixed(0)} MB at most`,
    `growth ${(growth * 100).toFixed(1)} % over ${run.minutes} min with ${run.clients} sockets`,
    `delay p99 in ten seconds: median ${delay.toFixed(0)} ms, worst ${delays.at(-1)!.toFixed(0)} ms`,
    ...(run.failures.length ? [`statuses other than 200: ${run.failures.join(' ')}`] : []),
  ];
  const losses = run.failures.length;
  return { trials: 1, losses, figures: figures.join(', '), isMet: losses === 0 && (run.isShort || isMet) };
}

/** Reads, searches and lists in turn: each caller ten times a second at most. Returns the statuses. */
async function callUntil(ada: Account, project: string, end: number): Promise<number[]> {
  const statuses: number[] = [];
  const work = async (caller: number) => {
    for (let turn = 0; performance.now() < end; turn++) {
      const paths = [
        `/search?q=value${turn}&project_id=${project}`,
        `/ide/projects/${project}/files/src/1/file1.ts`,
        '/projects',
      ];
      statuses.push((await ada.call('GET', paths[(turn + caller) % paths.length]!)).status);
      await sleep(100);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => work(caller)));
  return statuses;
}

/** Connects and deletes four projects at once, each minute. Returns the statuses of the deletions, and 0 for an import that failed. */
async function importAgain(ada: Account, path: string, end: number, { report }: FaultRun): Promise<number[]> {
  const statuses: number[] = [];
  const importOnce = async (name: string) => {
    try {
      const project = await connectRepository(ada, name, path);
      statuses.push((await ada.call('DELETE', `/projects/${project}`)).status);
    } catch (error) {
      report(`R16: ${(error as Error).message}`);
      statuses.push(FAILED_IMPORT);
    }
  };
  while (performance.now() < end) {
    const next = performance.now() + IMPORT_EVERY_MS;
    await Promise.all(Array.from({ length: IMPORTS }, (_, number) => importOnce(`import ${number}`)));
    await sleep(Math.max(0, Math.min(next, end) - performance.now()));
  }
  return statuses;
}

async function takeSamples(program: FaultProgram, options: FaultRun, end: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (performance.now() < end) {
    const mb = (await residentBytes(program.child.pid!)) / 2 ** 20;
    const metrics = await (await fetch(`${program.url}/metrics`)).text();
    const delayMs = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1]) * 1000;
    samples.push({ mb, delayMs });
    if (samples.length % 30 === 0)
      options.report(`R16: ${mb.toFixed(0)} MB, event-loop delay ${delayMs.toFixed(0)} ms`);
    await sleep(options.short ? 200 : SAMPLE_EVERY_MS);
  }
  return samples;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}
