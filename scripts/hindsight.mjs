#!/usr/bin/env node
// Plain JavaScript that Node 18 understands: the command `hindsight`. "serve", which is also meant without a command, and
// "worker" are the program itself.
import { join } from 'node:path';
import { keepRunning } from './keep-running.mjs';
import {
  exitCode,
  isCheckout,
  programFile,
  root,
  serverBundle,
  spawnNode24,
  workingFolder,
} from './node24.mjs';

const [command = 'serve', ...rest] = process.argv.slice(2);
if (command === 'worker') {
  const program = isCheckout ? programFile('main') : serverBundle;
  process.exit(await keepRunning([program, ...rest], { env: { ROLE: 'worker' } }).ended);
}
const child =
  command === 'serve'
    ? spawnNode24([join(root, 'start.mjs'), ...rest], { cwd: workingFolder })
    : spawnNode24([programFile('cli'), ...process.argv.slice(2)], { cwd: process.cwd() });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.exit(await exitCode(child));
