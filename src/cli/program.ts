import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { readCliConfig } from '#config.ts';
import { killAllGit } from '#git/run.ts';
import { runCommand, type Terminal } from './run.ts';

/** Runs the command of the process: its arguments, standard streams and signals. Sets the exit code. */
export async function runProgram(): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      stop.abort();
      killAllGit();
      process.exit(130);
    });
  }
  // `hindsight search … | head` closes the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  const terminal: Terminal = {
    input: async () => (process.stdin.isTTY ? null : await text(process.stdin)),
    print: (words) => void process.stdout.write(`${words}\n`),
    tell: (words) => void process.stderr.write(`${words}\n`),
    confirm,
    signal: stop.signal,
  };
  try {
    process.exitCode = await runCommand(process.argv.slice(2), terminal, readCliConfig());
  } catch (error) {
    terminal.tell(error instanceof Error ? error.message : String(error));
    process.exitCode = 3;
  }
}

/** Asks on the terminal; without one the answer is no. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await reader.question(`${question} [y/N] `);
  reader.close();
  return /^y(?:es)?$/i.test(answer.trim());
}
