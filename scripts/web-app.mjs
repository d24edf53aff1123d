import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStamp } from './build-stamp.mjs';
import { completeBuildTools } from './complete-install.mjs';
import { exitCode, root, spawnNode24 } from './node24.mjs';

/** Everything that the built web app is made of. */
const SOURCES = [
  'src/web',
  'src/contract',
  'src/locales',
  'docs',
  'scripts/prerender.mjs',
  'scripts/page-scripts.mjs',
  'scripts/shipped-packages.mjs',
  'package-lock.json',
];
/** Everything that the package of the command line is made of. */
const CLI_SOURCES = [
  ...['assistant', 'cli', 'config', 'contract', 'db', 'evolution', 'git', 'investigate', 'locales', 'memory'],
  ...['sandbox', 'scheduling', 'search', 'test-reports', 'config.ts'],
]
  .map((part) => `src/${part}`)
  .concat('scripts/pack-cli.mjs', 'package.json', 'package-lock.json');

/** Exit code of `prerender.mjs` when a page has more scripts than allowed. */
const TOO_LARGE = 3;

/**
 * Builds the web app into dist/web unless it was built from these very sources; returns the exit code. A page that is too large
 * fails the build where `strict`, and never keeps the product from starting. `sizes` prints the scripts of every page.
 */
export async function buildWebApp({ strict, sizes }) {
  const code = await buildPages({ strict, sizes });
  return code || (await packCli());
}

/** Packs the command line, which the server offers for download beside the web app. */
async function packCli() {
  const stamp = openStamp('cli', CLI_SOURCES);
  if (existsSync(join(root, 'dist', 'web', 'cli', 'hindsight.tgz')) && stamp.isCurrent) return 0;
  const code = await exitCode(spawnNode24(['--no-warnings', 'scripts/pack-cli.mjs']));
  if (code === 0) stamp.save();
  return code;
}

async function buildPages({ strict, sizes }) {
  const stamp = openStamp('web', SOURCES);
  if (existsSync(join(root, 'dist', 'web', 'index.html')) && stamp.isCurrent) return 0;
  completeBuildTools();
  console.log('Building the web app …');
  const code =
    (await vite()) ||
    (await vite('--ssr', 'site/render.tsx', '--outDir', '../../dist/prerender')) ||
    (await prerender(sizes));
  if (code === 0 || (code === TOO_LARGE && !strict)) {
    stamp.save();
    return 0;
  }
  return code;
}

function vite(...options) {
  const config = ['--config', 'src/web/vite.config.ts', '--logLevel', 'warn'];
  return exitCode(spawnNode24(['node_modules/vite/bin/vite.js', 'build', ...config, ...options]));
}

function prerender(sizes) {
  return exitCode(spawnNode24(['scripts/prerender.mjs', ...(sizes ? ['--sizes'] : [])]));
}
