import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './node24.mjs';

/*
 * npm run pack:vscode
 *
 * Packs the extension of VS Code with the exact packages of its own lockfile, as extensions/vscode/hindsight.vsix. Their scripts
 * do not run, since packing needs none of them.
 */
const folder = join(root, 'extensions', 'vscode');
// Without a lockfile, npm writes it.
const command = existsSync(join(folder, 'package-lock.json')) ? 'ci' : 'install';
run('npm', [command, '--ignore-scripts', '--no-audit', '--no-fund']);
run(process.execPath, [
  join(folder, 'node_modules', '@vscode', 'vsce', 'vsce'),
  ...['package', '--out', 'hindsight.vsix', '--allow-missing-repository', '--skip-license'],
]);

function run(command, words) {
  const { status } = spawnSync(command, words, {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status !== 0) process.exit(status ?? 1);
}
