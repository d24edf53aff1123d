import { withMigratedDatabase } from './cli/migrate.ts';
import { moveStorage } from './cli/move-storage.ts';
import { runProgram } from './cli/program.ts';
import { readConfig } from './config.ts';

/** Commands over the data of a server, which is stopped or not needed for them. */
const SERVER_COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  migrate: async () => {
    await withMigratedDatabase(readConfig());
    report('The database is up to date.');
  },
  storage: async (args) => await moveStorage(readConfig(), args, report),
};

/** Entry point of `hindsight COMMAND` in a checkout; `scripts/hindsight.mjs` starts the server. */
const [command = '', ...args] = process.argv.slice(2);
const run = Object.hasOwn(SERVER_COMMANDS, command) ? SERVER_COMMANDS[command] : undefined;
if (run) {
  try {
    await run(args);
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    process.exitCode = 3;
  }
} else await runProgram();

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
