// Plain JavaScript that Node 18 understands.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStamp } from './build-stamp.mjs';
import { completeBuildTools } from './complete-install.mjs';
import { exitCode, root, serverBundle, spawnNode24 } from './node24.mjs';

/** Builds the bundle of the server unless it was built from these very sources; returns the exit code. */
export async function buildServer() {
  const stamp = openStamp('bundle', bundleSources());
  if (existsSync(serverBundle) && stamp.isCurrent) return 0;
  completeBuildTools();
  const code = await bundleServer('dist/bundle', 'src');
  if (code === 0) stamp.save();
  return code;
}

/** Writes a bundle of the modules that `scripts/bundle-server.mjs` describes; returns the exit code. */
export function bundleServer(folder, modules) {
  return exitCode(spawnNode24(['scripts/bundle-server.mjs', folder, modules], { stdio: ['inherit', 2, 2] }));
}

/** Everything that the bundle is made of. */
function bundleSources() {
  const parts = readdirSync(join(root, 'src')).filter((part) => part !== 'web');
  return [...parts.map((part) => `src/${part}`), 'scripts/bundle-server.mjs', 'package-lock.json'];
}
