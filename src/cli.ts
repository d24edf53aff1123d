import { parseArguments } from './cli/arguments.ts';
import { runBackup, runRestore } from './cli/backup.ts';
import { runDoctor } from './cli/doctor/run-doctor.ts';
import { withMigratedDatabase } from './cli/migrate.ts';
import { moveStorage } from './cli/move-storage.ts';
import { runProgram } from './cli/program.ts';
import { runUpgradeDatabase } from './cli/upgrade-database.ts';
import { readConfig } from './config.ts';
import { AppError } from './contract/errors.ts';

/** Commands over the data of a server. */
const SERVER_COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  migrate: async () => {
    await withMigratedDatabase(readConfig());
    report('The database is up to date.');
  },
  backup: async (args) => await runBackup(readConfig(), parseArguments(args), report),
  doctor: async (args) => {
    process.exitCode = await runDoctor(
      parseArguments(args),
      (text) => void process.stdout.write(`${text}\n`),
    );
  },
  restore: async (args) => await runRestore(readConfig(), parseArguments(args), report),
  'upgrade-database': async (args) => await runUpgradeDatabase(readConfig(), parseArguments(args), report),
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
    process.exitCode = error instanceof AppError && error.code === 'invalid_input' ? 2 : 3;
  }
} else await runProgram();

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
