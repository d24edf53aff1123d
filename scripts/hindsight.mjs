#!/usr/bin/env node
// Plain JavaScript that Node 18 understands: the command `hindsight`. "serve" and "worker" are the program itself.
import { join } from 'node:path';
import { keepRunning } from './keep-running.mjs';
import { exitCode, root, spawnNode24 } from './node24.mjs';

const [command, ...rest] = process.argv.slice(2);
if (command === 'worker')
  process.exit(await keepRunning(['src/main.ts', ...rest], { env: { ROLE: 'worker' } }).ended);
const [file, args] = command === 'serve' ? ['start.mjs', rest] : ['src/cli.ts', process.argv.slice(2)];
// The command works on the folder in which it is typed; the program on its own.
const cwd = file === 'src/cli.ts' ? process.cwd() : root;
const child = spawnNode24([join(root, file), ...args], { cwd });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.exit(await exitCode(child));
