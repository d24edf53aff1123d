import { type ChildProcess, spawn } from 'node:child_process';

/** Starts a checkout's `src/main.ts`, or what `program` names, as a process; `onOutput` receives everything that it prints. */
export function spawnProgram(
  settings: Record<string, string>,
  {
    checkout,
    program = 'src/main.ts',
    onOutput,
  }: { checkout?: string; program?: string | undefined; onOutput: (text: string) => void },
): ChildProcess {
  const child = spawn(process.execPath, [program], {
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
