import { text } from 'node:stream/consumers';
import { killAllGit } from '#git/run.ts';
import { migrateOnly } from './cli/migrate.ts';
import { runCommand, type Terminal } from './cli/run.ts';
import { readCliConfig, readConfig } from './config.ts';

/** Entry point of `hindsight COMMAND`; `scripts/hindsight.mjs` starts the server. */
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
  signal: stop.signal,
};

const argv = process.argv.slice(2);
try {
  if (argv[0] === 'migrate') {
    await migrateOnly(readConfig());
    terminal.tell('The database is up to date.');
  } else {
    process.exitCode = await runCommand(argv, terminal, readCliConfig());
  }
} catch (error) {
  terminal.tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 3;
}
