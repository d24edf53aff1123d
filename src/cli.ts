import { migrateOnly } from './cli/migrate.ts';
import { runProgram } from './cli/program.ts';
import { readConfig } from './config.ts';

/** Entry point of `hindsight COMMAND` in a checkout; `scripts/hindsight.mjs` starts the server. */
if (process.argv[2] === 'migrate') {
  try {
    await migrateOnly(readConfig());
    process.stderr.write('The database is up to date.\n');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 3;
  }
} else await runProgram();
