// Pictures of the screens: `npm run shots` writes all of them to ./shots in both themes and three widths,
// `npm run shots -- --docs` those of the documents to docs/pictures, from the sample project.
import { findOrInstallChromium } from './chromium.mjs';
import { exitCode, spawnNode24 } from './node24.mjs';

const chromium = await findOrInstallChromium();
if (chromium === null) process.exit(1);
const env = { CHROMIUM: chromium };
const isForDocs = process.argv[2] === '--docs';
const [file, names] = isForDocs
  ? ['e2e/doc-pictures.ts', process.argv.slice(3)]
  : ['e2e/shots.ts', process.argv.slice(2)];
process.exit(await exitCode(spawnNode24([file, ...names], { env })));
