import { findOrInstallChromium } from './chromium.mjs';
import { exitCode, spawnNode24 } from './node24.mjs';

const chromium = await findOrInstallChromium();
if (chromium === null) process.exit(1);
const env = { CHROMIUM: chromium };
process.exit(await exitCode(spawnNode24(['e2e/shots.ts', ...process.argv.slice(2)], { env })));
