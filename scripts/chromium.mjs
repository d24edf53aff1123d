import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installPackage } from './debian.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** The path of a Chromium: $CHROMIUM, an installed one, or Debian's, which root installs; null, with words, without. */
export async function findOrInstallChromium() {
  const found = find();
  if (found) return found;
  if (await installPackage('chromium', 'the browser tests')) {
    const installed = find();
    if (installed) return installed;
  }
  console.error(
    'The browser tests need Chromium or Chrome. Install one (on Debian: `apt-get install chromium`), or name its ' +
      'program in the variable CHROMIUM, then run the tests again.',
  );
  return null;
}

function find() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  if (existsSync(MAC)) return MAC;
  for (const name of NAMES) {
    const { status, stdout } = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return null;
}
