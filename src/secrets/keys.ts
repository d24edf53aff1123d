import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { readOrCreateSecret } from './secret-file.ts';

const MIN_KEY_LENGTH = 16;

/**
 * The instance's secret keys, the current one first: from SECRET_KEY (a comma list rotates), else from
 * `<dataDir>/secret-key`, which is made at first start, readable by its owner only and left out of backups.
 * Throws `invalid_input` in words for a key that is too short to be one.
 */
export function loadSecretKeys(config: { secretKey: string | null; dataDir: string }): string[] {
  const text = config.secretKey ?? readOrCreateSecret(join(config.dataDir, 'secret-key'));
  const keys = text.split(',').map((key) => key.trim());
  if (keys.some((key) => key.length < MIN_KEY_LENGTH)) {
    throw new AppError('invalid_input', 'secret_key_too_short', {
      params: { length: MIN_KEY_LENGTH },
      reason: 'secret_key_too_short',
    });
  }
  return keys;
}

/** Derives 32 bytes for one purpose by HKDF from the current key. Keys of different purposes are independent. */
export function deriveKey(keys: string[], purpose: string): Buffer {
  const [current = ''] = keys;
  return Buffer.from(hkdfSync('sha256', current, 'hindsight', purpose, 32));
}
