import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deriveKey, loadSecretKeys } from './keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'hindsight-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a key is made once, for its owner only', () => {
  const dataDir = join(folder, 'data');
  const [key, ...more] = loadSecretKeys({ secretKey: null, dataDir });
  expect(key).toHaveLength(43);
  expect(more).toEqual([]);
  expect(loadSecretKeys({ secretKey: null, dataDir })).toEqual([key]);
  expect(readdirSync(dataDir)).toEqual(['secret-key']);
  expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});

test('a comma list gives several, and a short one is refused', () => {
  const load = (secretKey: string) => loadSecretKeys({ secretKey, dataDir: folder });
  expect(load('0123456789abcdef, fedcba9876543210')).toEqual(['0123456789abcdef', 'fedcba9876543210']);
  expect(() => load('0123456789abcdef,')).toThrow('SECRET_KEY must have at least 16 characters');
});

test('every purpose has a key of its own', () => {
  const keys = ['0123456789abcdef', 'an older key'];
  expect(deriveKey(keys, 'access')).toHaveLength(32);
  expect(deriveKey(keys, 'access')).toEqual(deriveKey(['0123456789abcdef'], 'access'));
  expect(deriveKey(keys, 'access')).not.toEqual(deriveKey(keys, 'cookies'));
});
