import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, root, spawnNode24 } from './node24.mjs';

/** Everything that the built web app is made of. */
const SOURCES = [
  'src/web',
  'src/contract',
  'src/locales',
  'scripts/prerender.mjs',
  'scripts/page-scripts.mjs',
  'package-lock.json',
];
const STAMP = join(root, 'dist', 'web.stamp');

/** Exit code of `prerender.mjs` when a page has more scripts than allowed. */
const TOO_LARGE = 3;

/**
 * Builds the web app into dist/web unless it was built from these very sources; returns the exit code. A page that is too large
 * fails the build where `strict`, and never keeps the product from starting. `sizes` prints the scripts of every page.
 */
export async function buildWebApp({ strict, sizes }) {
  const stamp = hashSources();
  if (existsSync(join(root, 'dist', 'web', 'index.html')) && readStamp() === stamp) return 0;
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

function readStamp() {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
}

/** By content, since a checkout sets the times of files to anything. */
function hashSources() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesUnder(source)) {
      const content = readFileSync(join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(join(root, path))) return [];
  if (/\.(?:json|mjs)$/.test(path)) return [path];
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  return entries
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
    )
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();
}
