import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { AppError, type ErrorKey } from '#contract/errors.ts';

/** A key for ssh: the private half as OpenSSH stores it, the public half as it is pasted into a git server. */
interface SshKey {
  privateKey: string;
  publicKey: string;
}

const MAGIC = 'openssh-key-v1\0';
const BLOCK = 8;
const [BEGIN, END] = ['-----BEGIN OPENSSH PRIVATE KEY-----', '-----END OPENSSH PRIVATE KEY-----'];

/**
 * Makes an ed25519 key without a passphrase. Layout of the private half (OpenSSH's PROTOCOL.key), where every string has
 * its length in four bytes before it:
 *
 *     "openssh-key-v1\\0" "none" "none" "" 1 publicBlob string( check check "ed25519" public seed·public comment 1 2 3 … )
 */
export function generateSshKey(comment: string): SshKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const blob = Buffer.concat([string('ssh-ed25519'), string(point)]);
  const check = randomBytes(4);
  const secret = Buffer.concat([
    ...[check, check, string('ssh-ed25519'), string(point)],
    ...[string(Buffer.concat([seed, point])), string(comment)],
  ]);
  const padding = Buffer.from(
    Array.from({ length: (BLOCK - (secret.length % BLOCK)) % BLOCK }, (_, index) => index + 1),
  );
  const file = Buffer.concat([
    ...[Buffer.from(MAGIC), string('none'), string('none'), string(''), uint32(1)],
    ...[string(blob), string(Buffer.concat([secret, padding]))],
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return {
    privateKey: `${[BEGIN, ...lines, END].join('\n')}\n`,
    publicKey: `ssh-ed25519 ${blob.toString('base64')} ${comment}`,
  };
}

/**
 * Reads a pasted private key and works out its public half. Throws `invalid_input` in words for what is not one in
 * OpenSSH's format, or needs a passphrase.
 */
export function parseSshKey(text: string, comment: string): SshKey {
  const [, body] = new RegExp(`${BEGIN}([\\sA-Za-z0-9+/=]+)${END}`).exec(text) ?? [];
  if (body === undefined) {
    throw invalidKey('ssh_key_format');
  }
  const bytes = Buffer.from(body.replace(/\s/g, ''), 'base64');
  const [cipher, , , blob] = parseHeader(bytes);
  if (cipher?.toString() !== 'none') {
    throw invalidKey('ssh_key_passphrase');
  }
  const type = blob && blob.length > 4 ? blob.subarray(4, 4 + blob.readUInt32BE()).toString('latin1') : '';
  if (!/^(?:ssh-|ecdsa-)[\w@.-]+$/.test(type)) throw invalidKey('ssh_key_damaged');
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? [];
  return {
    privateKey: `${[BEGIN, ...lines, END].join('\n')}\n`,
    publicKey: `${type} ${blob!.toString('base64')} ${comment}`,
  };
}

/** `SHA256:…` of a public key or of a line of known_hosts, as ssh shows it. */
export function fingerprint(base64: string): string {
  return `SHA256:${createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64').replace(/=+$/, '')}`;
}

/** Cipher, key derivation, its options, and the first public key. */
function parseHeader(bytes: Buffer): (Buffer | undefined)[] {
  if (bytes.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) return [];
  const found: Buffer[] = [];
  let at = MAGIC.length;
  for (let index = 0; index < 4; index += 1) {
    // Before the keys stands how many there are.
    if (index === 3) at += 4;
    if (at + 4 > bytes.length) return [];
    const length = bytes.readUInt32BE(at);
    found.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

function string(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function invalidKey(key: ErrorKey): AppError {
  return new AppError('invalid_input', key, { reason: 'invalid_private_key', fields: { private_key: key } });
}
