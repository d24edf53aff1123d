import { spawnSync } from 'node:child_process';
import { installPackage } from './debian.mjs';

/** Makes sure that the tests of the sandbox find bubblewrap, and says so where they can't; they are then left out. */
export async function findOrInstallBubblewrap() {
  const isThere = () => spawnSync('bwrap', ['--version'], { stdio: 'ignore' }).status === 0;
  if (isThere() || ((await installPackage('bubblewrap', 'the tests of the sandbox')) && isThere())) return;
  console.warn(
    'The tests of the sandbox are left out: there is no bubblewrap. On Debian, `apt-get install bubblewrap`.',
  );
}
