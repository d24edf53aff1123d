import { parseArguments } from './cli/arguments.ts';
import { readConfig } from './config.ts';
import { AppError } from './contract/errors.ts';

/** Commands over the data of a server. Each loads its modules when it runs: those of all together take a second. */
const SERVER_COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  migrate: async () => {
    const { withMigratedDatabase } = await import('./cli/migrate.ts');
    await withMigratedDatabase(readConfig());
    report('The database is up to date.');
  },
  backup: async (args) => {
    const { runBackup } = await import('./cli/backup.ts');
    await runBackup(readConfig(), parseArguments(args), report);
  },
  doctor: async (args) => {
    const { runDoctor } = await import('./cli/doctor/run-doctor.ts');
    const write = (text: string) => void process.stdout.write(`${text}\n`);
    process.exitCode = await runDoctor(parseArguments(args), write);
  },
  restore: async (args) => {
    const { runRestore } = await import('./cli/backup.ts');
    await runRestore(readConfig(), parseArguments(args), report);
  },
  'upgrade-database': async (args) => {
    const { runUpgradeDatabase } = await import('./cli/upgrade-database.ts');
    await runUpgradeDatabase(readConfig(), parseArguments(args), report);
  },
  storage: async (args) => {
    const { moveStorage } = await import('./cli/move-storage.ts');
    await moveStorage(readConfig(), args, report);
  },
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
} else await (await import('./cli/program.ts')).runProgram();

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
