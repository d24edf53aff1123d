import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { LAUNCH, makeDataDir, signUp, startProgram } from './testing-program.ts';

/** Runs the launcher on a small program and collects what it prints. */
function launch(program: string, args: string[] = []) {
  const words = ['--input-type=module', '-e', LAUNCH, '--', '-e', program, ...args];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, output: () => output };
}

/** The process that a launcher keeps running. */
function childOf(pid: number): number {
  const parent = new RegExp(`^PPid:\\t${pid}$`, 'm');
  const found = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return parent.test(readFileSync(`/proc/${name}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
  return Number(found ?? 0);
}

test.each([
  ['code 1', 'process.exit(1)', 'ended with code 1'],
  ['the abort of an engine without memory', "process.kill(process.pid, 'SIGABRT')", 'was killed by SIGABRT'],
  ['the kernel', "process.kill(process.pid, 'SIGKILL')", 'was killed by SIGKILL'],
  ['an error nobody caught', 'throw new Error("x")', 'ended with code 1'],
])('a program that was ended by %s is started again, later each time', async (_name, program, words) => {
  const { child, ended, output } = launch(`console.log('started'); ${program}`);
  await expect.poll(output).toContain('Starting it again in 2 s.');
  expect(output()).toMatch(
    new RegExp(`\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z Hindsight ${words}. Starting it again in 1 s\\.`),
  );
  expect(output().match(/^started$/gm)).toHaveLength(2);
  // A Ctrl-C between two starts.
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

test.each([0, 78, 143])('a program that exited with code %i is not restarted', async (code) => {
  const { ended, output } = launch(`process.exit(${code})`);
  expect(await ended).toBe(code);
  expect(output()).not.toContain('Starting');
});

test('a program that fails during shutdown is not restarted', async () => {
  const { child, ended, output } = launch(
    "process.on('SIGTERM', () => process.exit(1)); console.log('started'); setInterval(() => {}, 1000)",
  );
  await expect.poll(output).toContain('started');
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  expect(output()).not.toContain('Starting');
});

test('neither an invalid setting nor a port in use causes a restart', async () => {
  const wrong = await startProgram({ dataDir: '/nowhere', settings: { PORT: 'x' }, launcher: true });
  expect(await wrong.ended).toBe(78);
  expect(wrong.output()).toContain('PORT must be a whole number');

  const first = await startProgram({ dataDir: await makeDataDir() });
  await first.printed(/ready at/);
  const port = Number(new URL(first.url).port);
  const second = await startProgram({ dataDir: await makeDataDir(), launcher: true, port });
  expect(await second.ended).toBe(78);
  expect(second.output()).toContain(`Port ${port} is in use by another program.`);
  const third = await startProgram({ dataDir: first.dataDir, launcher: true });
  expect(await third.ended).toBe(78);
  expect(third.output()).toContain('already running');
});

test.skipIf(process.platform !== 'linux')(
  'a server that is killed while it reads a repository comes back and reads it to the end',
  async () => {
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, i) => [
        `src/file${i}.ts`,
        `export const value${i} = ${i};\n`.repeat(40),
      ]),
    );
    const repository = await buildRepository(async (repo) => void (await repo.commit({ files })));
    onTestFinished(() => repository.remove());
    const settings = { GIT_LOCAL_ROOTS: repository.folder };
    const program = await startProgram({ dataDir: await makeDataDir(), settings, launcher: true });
    await program.printed(/ready at/);
    const ada = await signUp(program);
    const git_url = `file://${repository.path}`;
    const { status, body } = await ada.call('POST', '/projects', { name: 'large', git_url });
    expect(status).toBe(201);
    const project = async () => (await ada.call('GET', `/projects/${body.id}`)).body.status;
    await expect.poll(project, { interval: 20 }).toMatch(/^(?:cloning|reading|indexing)$/);
    const seen = program.output().length;
    process.kill(childOf(program.child.pid!), 'SIGKILL');
    await program.printed(/was killed by SIGKILL\. Starting it again in 1 s\./, seen);
    await program.printed(/ready at/, seen);
    await expect.poll(project, { timeout: 60_000, interval: 500 }).toBe('ready');
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  },
);
