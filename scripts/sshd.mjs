import { existsSync } from 'node:fs';
import { installPackage } from './debian.mjs';

const PLACES = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'];

/** Makes sure that the tests of clones over ssh find an sshd, and says so where they can't; they are then left out. */
export async function findOrInstallSshd() {
  const isThere = () => PLACES.some((path) => existsSync(path));
  if (isThere() || ((await installPackage('openssh-server', 'the tests of clones over ssh')) && isThere()))
    return;
  console.warn(
    'The tests of clones over ssh are left out: there is no sshd. On Debian, `apt-get install openssh-server`.',
  );
}
