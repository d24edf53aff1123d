import { exitCode, spawnNode24 } from './node24.mjs';
import { buildServer } from './server-build.mjs';

const run = () => exitCode(spawnNode24(['e2e/faults/run.ts', ...process.argv.slice(2)]));
process.exit((await buildServer()) || (await run()));
