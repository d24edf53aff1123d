// Plain JavaScript that Node 18 understands.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24, root } from './node24.mjs';

/**
 * Installs the platform packages that npm left out. Run by a Node older than such a package asks for, npm skips it
 * without a word, because it is optional; run by the Node 24 that came along, it finds nothing amiss.
 */
export function completeInstall() {
  if (node24() === process.execPath || leftOut().length === 0) return;
  console.log('Installing what npm left out for the older Node …');
  if (install() === 0 && leftOut().length === 0) return;
  console.error(`These packages are missing: ${leftOut().join(', ')}. Run \`npm ci\` with a newer Node.`);
  process.exit(1);
}

/** Installs the packages that build the web app where npm left them out, as it does with `NODE_ENV=production`. */
export function completeBuildTools() {
  if (existsSync(join(root, 'node_modules', 'vite'))) return;
  console.log('Installing the packages that build the web app …');
  if (install('--include=dev') === 0) return;
  console.error('The packages that build the web app are missing. Run `npm ci --include=dev`.');
  process.exit(1);
}

/** Runs `npm install` of the lockfile with Node 24; returns its exit code. */
function install(...more) {
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  return runNpm(['install', ...quiet, ...more]);
}

/** Runs npm with Node 24 in the project; returns its exit code. */
export function runNpm(args) {
  const npm = process.env.npm_execpath ?? join(npmRoot(), 'npm', 'bin', 'npm-cli.js');
  return spawnSync(node24(), [npm, ...args], { cwd: root, stdio: 'inherit' }).status;
}

/** Locked packages for this very platform that are not on disk. */
function leftOut() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, entry]) => entry.optional && isForHere(entry) && !existsSync(join(root, path)))
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

/** Only what is bound to a platform: everything else is either needed, and there, or truly optional. */
function isForHere({ os, cpu, libc }) {
  const here = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  return os?.includes(process.platform) && cpu?.includes(process.arch) && (!libc || libc.includes(here));
}

function npmRoot() {
  return spawnSync('npm', ['root', '-g'], { encoding: 'utf8' }).stdout.trim();
}
