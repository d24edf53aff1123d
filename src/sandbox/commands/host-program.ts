import { type Child, startChild } from '#git/child.ts';
import { emptyHome } from '#git/environment.ts';
import { startBySpawner } from '#git/spawner.ts';

const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 64 * 1024;

/** Starts a program outside the sandbox with a fixed environment; its standard input stays open. */
export function startHostProgram(argv: string[]): Child {
  const command = { argv, env: ENVIRONMENT, cwd: emptyHome() };
  const child = startBySpawner(command) ?? startChild(command);
  child.stdin.on('error', () => {});
  return child;
}

/** Runs a program outside the sandbox to its end; `exitCode` is null when it took too long or did not start. */
export async function runHostProgram(
  argv: string[],
  { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = startHostProgram(argv);
  child.stdin.end();
  const timer = setTimeout(() => child.kill(), timeoutMs);
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        if (output[stream].length < MAX_OUTPUT) output[stream] += chunk.toString('utf8');
      });
  }
  const end = await child.ended;
  clearTimeout(timer);
  return { exitCode: 'error' in end ? null : end.exitCode, ...output };
}
