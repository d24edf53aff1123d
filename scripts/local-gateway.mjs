import { exitCode, spawnNode24, stopWithNpm } from './node24.mjs';

const program = spawnNode24(['e2e/local-gateway.ts', ...process.argv.slice(2)]);
stopWithNpm(() => program.kill('SIGTERM'));
process.exit(await exitCode(program));
