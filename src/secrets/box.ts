import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import { deriveKey } from './keys.ts';

/** Encrypts texts that must be read again, such as access keys of repositories. */
interface Box {
  /** `aad` names where the text belongs (a row's key): opening it elsewhere fails. */
  seal(text: string, aad: string): string;
  /** Throws `unavailable` (`decryption_failed`) when the key is gone, the place differs or a bit has changed. */
  open(sealed: string, aad: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A box for one purpose: AES-256-GCM under a key derived from the first of `secretKeys`; texts sealed under an
 * older one of them still open. Grammar of a sealed text:
 *
 *     "1." key id "." base64url(nonce, 12 bytes · ciphertext · tag, 16 bytes)
 */
export function createBox(secretKeys: string[], purpose: string): Box {
  const keys = new Map(
    secretKeys.map((secret) => {
      const key = deriveKey([secret], `box:${purpose}`);
      return [keyId(key), key] as const;
    }),
  );
  const [current] = keys;
  if (!current) throw new Error('A box needs at least one secret key.');
  const [currentId, currentKey] = current;

  return {
    seal(text, aad) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce).setAAD(Buffer.from(aad));
      const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `1.${currentId}.${body.toString('base64url')}`;
    },
    open(sealed, aad) {
      const [version, id = '', body = ''] = sealed.split('.');
      const key = keys.get(id);
      if (version !== '1' || !key) throw cannotOpen('secret_key_missing');
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw cannotOpen('secret_damaged');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(aad)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw cannotOpen('secret_damaged', cause);
      }
    },
  };
}

/** True when one of the secret keys sealed this text for the purpose. */
export function isSealedByKnownKey(secretKeys: string[], purpose: string, sealed: string): boolean {
  const [, id] = sealed.split('.');
  return secretKeys.some((secret) => keyId(deriveKey([secret], `box:${purpose}`)) === id);
}

/** Tells keys apart without telling anything about them. */
function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 8);
}

function cannotOpen(messageKey: ErrorKey, cause?: unknown): AppError {
  return new AppError('unavailable', messageKey, {
    cause,
    reason: 'decryption_failed',
  });
}
