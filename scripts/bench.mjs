import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, root, spawnNode24 } from './node24.mjs';

const [name = '', ...options] = process.argv.slice(2);
const file = join(root, 'bench', `${name}.ts`);
if (!existsSync(file)) {
  console.error(`There is no benchmark called "${name}". bench/README.md lists them.`);
  process.exit(1);
}
process.exit(await exitCode(spawnNode24([file, ...options], { cwd: process.cwd() })));
