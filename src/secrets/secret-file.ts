import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Reads a secret of this installation from its file, which is made with 256 random bits when it is absent, readable by
 * its owner only.
 */
export function readOrCreateSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  createSecret(file);
  return readFileSync(file, 'utf8');
}

/** Written aside and linked, so that two replicas starting together agree on one complete secret; follows no link. */
function createSecret(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
