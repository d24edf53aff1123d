import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fingerprint, generateSshKey, parseSshKey } from './ssh-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'hindsight-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Output of ssh-keygen for a private key. */
function publicHalf(privateKey: string): string {
  const file = join(folder, 'key');
  rmSync(file, { force: true });
  writeFileSync(file, privateKey, { mode: 0o600 });
  return execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' }).trim();
}

function made(...args: string[]): string {
  const file = join(folder, 'made');
  rmSync(file, { force: true });
  execFileSync('ssh-keygen', ['-q', '-f', file, '-C', 'x', ...args]);
  return readFileSync(file, 'utf8');
}

test('ssh-keygen reads what we made, and finds the same public half', () => {
  for (let round = 0; round < 4; round++) {
    const key = generateSshKey(`hindsight-${'x'.repeat(round)}`);
    expect(publicHalf(key.privateKey)).toBe(key.publicKey);
  }
});

test.each([['ed25519'], ['rsa'], ['ecdsa']])('a pasted %s key is read, also with broken lines', (type) => {
  const text = made('-t', type, '-N', '');
  const key = parseSshKey(`  ${text.replaceAll('\n', '\r\n')}  `, 'words');
  expect(publicHalf(key.privateKey).split(' ').slice(0, 2)).toEqual(key.publicKey.split(' ').slice(0, 2));
  expect(key.publicKey.endsWith(' words')).toBe(true);
});

test.each([
  ['nothing', '', /OpenSSH format/],
  ['a public key', generateSshKey('x').publicKey, /OpenSSH format/],
  [
    'an older format',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
    /ssh-keygen -p/,
  ],
  [
    'half a key',
    generateSshKey('x').privateKey.replace(/\n.{70}\n[\s\S]*?(?=-----END)/, '\nb3BlbnNza\n'),
    /passphrase|damaged/,
  ],
])('%s is refused in words', (_name, text, words) => {
  expect(() => parseSshKey(text, 'x')).toThrow(words);
});

test('a key with a passphrase is refused', () => {
  expect(() => parseSshKey(made('-t', 'ed25519', '-N', 'a secret phrase'), 'x')).toThrow(/passphrase/);
});

test('the fingerprint is the one that ssh-keygen shows', () => {
  const { publicKey } = generateSshKey('x');
  const file = join(folder, 'public');
  writeFileSync(file, publicKey);
  const shown = execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' });
  expect(shown).toContain(fingerprint(publicKey.split(' ')[1]!));
});
