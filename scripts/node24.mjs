// Plain JavaScript that Node 18 understands: the machine's Node may be old, the program needs 24.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The path of a Node 24 or newer: the running one, else the one that the dependencies bring; ends in words without. */
export function node24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const brought = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(brought)) return brought;
  const words =
    process.platform === 'linux'
      ? 'Run `npm ci` first: it brings one along.'
      : 'Install it from https://nodejs.org, then start again.';
  console.error(`Hindsight needs Node 24 or newer, and this is ${process.version}. ${words}`);
  process.exit(1);
}

/** Starts a program of ours or of a dependency with Node 24, which its own children find first on PATH, too. */
export function spawnNode24(args, options = {}) {
  const node = node24();
  const env = { ...process.env, ...options.env, PATH: `${dirname(node)}:${process.env.PATH}` };
  return spawn(node, args, { cwd: root, stdio: 'inherit', ...options, env });
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
