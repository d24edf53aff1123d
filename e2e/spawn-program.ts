import { type ChildProcess, spawn } from 'node:child_process';

/** Starts `src/main.ts` of a checkout as its own process; `onOutput` receives everything that it prints. */
export function spawnProgram(
  settings: Record<string, string>,
  { checkout, onOutput }: { checkout?: string; onOutput: (text: string) => void },
): ChildProcess {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...settings,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
  return child;
}
