import { exitCode, spawnNode24 } from './node24.mjs';

process.exit(await exitCode(spawnNode24(['e2e/local-gateway.ts', ...process.argv.slice(2)])));
