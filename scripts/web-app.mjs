import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
const STAMP = join(root, 'dist', 'web.stamp');
/** Everything that the package of the command line is made of. */
const CLI_SOURCES = [
  ...['assistant', 'cli', 'config', 'contract', 'db', 'evolution', 'git', 'investigate', 'locales', 'memory'],
  ...['sandbox', 'scheduling', 'search', 'test-reports', 'config.ts'],
]
  .map((part) => `src/${part}`)
  .concat('scripts/pack-cli.mjs', 'package.json', 'package-lock.json');
const CLI_STAMP = join(root, 'dist', 'cli.stamp');

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
  const stamp = hashSources(CLI_SOURCES);
  if (existsSync(join(root, 'dist', 'web', 'cli', 'hindsight.tgz')) && readStamp(CLI_STAMP) === stamp)
    return 0;
  const code = await exitCode(spawnNode24(['--no-warnings', 'scripts/pack-cli.mjs']));
  if (code === 0) writeFileSync(CLI_STAMP, stamp);
  return code;
}

async function buildPages({ strict, sizes }) {
  const stamp = hashSources(SOURCES);
  if (existsSync(join(root, 'dist', 'web', 'index.html')) && readStamp(STAMP) === stamp) return 0;
  completeBuildTools();
  console.log('Building the web app …');
  const code =
    (await vite()) ||
    (await vite('--ssr', 'site/render.tsx', '--outDir', '../../dist/prerender')) ||
    (await prerender(sizes));
  if (code === 0 || (code === TOO_LARGE && !strict)) {
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(STAMP, stamp);
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

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** By content, since a checkout sets the times of files to anything. */
function hashSources(sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesUnder(source)) {
      const content = readFileSync(join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(join(root, path))) return [];
  if (/\.(?:json|mjs|ts)$/.test(path)) return [path];
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  return entries
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
    )
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();
}
