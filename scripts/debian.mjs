import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { exitCode } from './node24.mjs';

/** Installs a package of Debian for tests; false where that is not possible: elsewhere, or without root. */
export async function installPackage(name, purpose) {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return false;
  console.log(`Installing the package ${name} for ${purpose} …`);
  await apt(['update']);
  return (await apt(['install', '--yes', '--no-install-recommends', name])) === 0;
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return exitCode(spawn('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'] }));
}
