import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Account, connectRepository } from '../../bench/editor-server.ts';
import { type Fault, type FaultRun, type Measurement, seconds, slowest, trialsOf } from './fault.ts';
import { buildFaultRepository, type FaultProgram, prepareProgram } from './program.ts';

const run = promisify(execFile);
const PROJECTS = 10;
/** A restore may take twice the time of a copy of the same data. */
const COPY_FACTOR = 2;
const SAVERS = 3;

/** Random megabytes in the repository of each project, in turn: small projects and ones of a usual size. */
const SIZES_MB = [0, 40];

interface Sizes {
  randomMb: number;
  trials: number;
}

/** R18: backs a server up while people save, restores on an empty folder, and looks for all that was acknowledged before. */
export const backupFault: Fault = {
  id: 'R18',
  name: 'backup while writing, restore into an empty folder',
  target: `all refs resolve, nothing acknowledged before the backup is missing, sign-in works; ${PROJECTS} projects in ≤ ${COPY_FACTOR} × a copy`,
  async run(options) {
    const measured: Measurement[] = [];
    for (const randomMb of options.short ? [0] : SIZES_MB)
      measured.push(await measureSize(options, { randomMb, trials: trialsOf(options, 5) }));
    return {
      trials: measured.reduce((sum, { trials }) => sum + trials, 0),
      losses: measured.reduce((sum, { losses }) => sum + losses, 0),
      figures: measured.map(({ figures }) => figures).join('; '),
      isMet: measured.every(({ isMet }) => isMet),
    };
  },
};

async function measureSize(options: FaultRun, { randomMb, trials }: Sizes): Promise<Measurement> {
  const program = await prepareProgram();
  const count = options.short ? 1 : PROJECTS;
  const times = { backup: [] as number[], restore: [] as number[], copy: [] as number[] };
  let losses = 0;
  let bytes = 0;
  try {
    const path = await buildFaultRepository(program, options.short ? 50 : 5_000, randomMb);
    await program.start();
    const ada = await program.signUp();
    const projects: string[] = [];
    for (let index = 0; index < count; index++)
      projects.push(await connectRepository(ada, `project ${index}`, path));
    const file = join(program.repositories, 'trial.backup');
    for (let trial = 0; trial < trials; trial++) {
      const saving = startSaving(ada, projects);
      while (!saving.hasSavedAll()) await sleep(20);
      const before = saving.acknowledged();
      times.backup.push(await runCli(program.dataDir, ['backup', file, '--with-keys']));
      await saving.stop();
      bytes = (await stat(file)).size;
      const isLast = trial === trials - 1;
      losses += await restoreAndCompare(program, { ada, file, projects, before, times, isLast });
      const [restored, copied] = [times.restore, times.copy].map((all) => (all.at(-1)! / 1000).toFixed(1));
      options.report(
        `R18: ${trial + 1} of ${trials}, ${losses} losses, restore ${restored} s, copy ${copied} s`,
      );
    }
  } finally {
    await program.remove();
  }
  const [backup, restore, copy] = [times.backup, times.restore, times.copy].map(slowest);
  const ratios = times.restore.map((ms, trial) => ms / times.copy[trial]!).sort((a, b) => a - b);
  const ratio = ratios[Math.floor(ratios.length / 2)]!;
  const figures = `${count} projects, ${(bytes / 1e6).toFixed(1)} MB: backup ≤ ${seconds(backup!)}, restore ≤ ${seconds(restore!)}, durable copy of the folder ≤ ${seconds(copy!)}, median ratio ${ratio.toFixed(1)}`;
  return { trials, losses, figures, isMet: losses === 0 && (options.short || ratio <= COPY_FACTOR) };
}

function startSaving({ call }: Account, projects: readonly string[]) {
  const acknowledged = new Map<string, number>();
  let isOver = false;
  let next = 0;
  const save = async (saver: number) => {
    for (let turn = saver; !isOver; turn += SAVERS) {
      const id = projects[turn % projects.length]!;
      next += 1;
      const value = next;
      const { status } = await call('POST', `/ide/projects/${id}/files/saved-${saver}.txt`, {
        content: String(value),
      });
      if (status === 200) acknowledged.set(`${id}/saved-${saver}.txt`, value);
    }
  };
  const working = Array.from({ length: SAVERS }, (_, saver) => save(saver));
  return {
    acknowledged: () => new Map(acknowledged),
    hasSavedAll: () => projects.every((id) => [...acknowledged.keys()].some((key) => key.startsWith(id))),
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

/** Restores beside the server, starts a server on the result in its place, and counts what is missing. */
async function restoreAndCompare(
  program: FaultProgram,
  options: {
    ada: Account;
    file: string;
    projects: readonly string[];
    before: Map<string, number>;
    times: Record<'restore' | 'copy', number[]>;
    isLast: boolean;
  },
): Promise<number> {
  const { ada, file, projects, before, times, isLast } = options;
  const { dataDir } = program;
  await program.stop();
  const aside = `${dataDir}.aside`;
  await rename(dataDir, aside);
  // What the server wrote before is not part of the copy.
  await run('sync', ['-f', aside]);
  let started = performance.now();
  await run('cp', ['-a', aside, `${dataDir}.copy`]);
  await run('sync', ['-f', `${dataDir}.copy`]);
  times.copy.push(performance.now() - started);
  await rm(`${dataDir}.copy`, { recursive: true });
  started = performance.now();
  await runCli(dataDir, ['restore', file]);
  times.restore.push(performance.now() - started);
  let losses = 0;
  for (const id of projects) losses += await countBroken(join(dataDir, 'projects', id, 'repo.git'));
  await program.start();
  const signIn = await fetch(`${program.url}/api/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'ada@example.org', password: 'a quiet harbour at dawn' }),
  });
  if (!signIn.ok) losses += 1;
  for (const [key, value] of before) {
    const [id, name] = key.split('/');
    const { body } = await ada.call('GET', `/ide/projects/${id}/files/${name}`);
    if (!(Number(body?.content) >= value)) losses += 1;
  }
  if (isLast) return losses;
  await program.stop();
  await rm(dataDir, { recursive: true });
  await rename(aside, dataDir);
  await program.start();
  return losses;
}

/** 1 for a repository with a broken object or ref, else 0. */
async function countBroken(repo: string): Promise<number> {
  const { stdout, stderr } = await run('git', ['-C', repo, 'fsck', '--connectivity-only', '--no-dangling'], {
    encoding: 'utf8',
  }).catch((error: { stdout: string; stderr: string }) => error);
  const lines = `${stdout}${stderr}`.split('\n');
  return lines.some((line) => line !== '' && !/^(?:error: HEAD points to|notice:)/.test(line)) ? 1 : 0;
}

/** Runs a command of the program; returns the milliseconds it took. */
async function runCli(dataDir: string, args: string[]): Promise<number> {
  const started = performance.now();
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`hindsight ${args[0]} ended with code ${code}.`);
  return performance.now() - started;
}
