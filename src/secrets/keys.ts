import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { readOrCreateSecret } from './secret-file.ts';

const SHORTEST_KEY = 16;

/**
 * The instance's secret keys, the current one first: from SECRET_KEY (a comma list rotates), else from
 * `<dataDir>/secret-key`, which is made at first start, readable by its owner only and left out of backups.
 * Throws `invalid_input` in words for a key that is too short to be one.
 */
export function loadSecretKeys(config: { secretKey: string | null; dataDir: string }): string[] {
  const text = config.secretKey ?? readOrCreateSecret(join(config.dataDir, 'secret-key'));
  const keys = text.split(',').map((key) => key.trim());
  if (keys.some((key) => key.length < SHORTEST_KEY)) {
    throw new AppError('invalid_input', 'secret_key_too_short', {
      params: { length: SHORTEST_KEY },
      reason: 'secret_key',
    });
  }
  return keys;
}

/** 32 bytes for one purpose, by HKDF from the current key: knowing those of one purpose tells nothing of another. */
export function deriveKey(keys: string[], purpose: string): Buffer {
  const [current = ''] = keys;
  return Buffer.from(hkdfSync('sha256', current, 'hindsight', purpose, 32));
}
