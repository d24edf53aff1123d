import { expect, test } from 'vitest';
import { createPasswords, needsRehash } from './passwords.ts';

test('a password matches its own hash exactly as typed', async () => {
  const { hash, verify } = createPasswords();
  const stored = await hash(' pass phrase\u00e9 ');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await verify(' pass phrase\u00e9 ', stored)).toBe(true);
  for (const other of ['pass phrase\u00e9', ' pass phrasee\u0301 ', ' Pass phrase\u00e9 ', '']) {
    expect(await verify(other, stored)).toBe(false);
  }
  expect(await hash(' pass phrase\u00e9 ')).not.toBe(stored);
});

test('no password matches a missing hash, and one of more than 1,024 bytes is not hashed', async () => {
  const { hash, verify } = createPasswords();
  expect(await verify('anything', null)).toBe(false);
  const long = 'x'.repeat(1025);
  expect(await verify(long, await hash(long))).toBe(false);
});

test('a hash with other costs is verified and needs a rehash', async () => {
  const { verify, hash } = createPasswords();
  // Of `correct horse`, by argon2id with 8 MiB, one pass.
  const old =
    '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU';
  expect(needsRehash(old)).toBe(true);
  expect(await verify('correct horse', old)).toBe(true);
  expect(await verify('wrong horse', old)).toBe(false);
  expect(needsRehash(await hash('correct horse'))).toBe(false);
});

test('of forty concurrent passwords four are hashed, thirty-two are queued and the rest are refused', async () => {
  const { hash } = createPasswords();
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => hash('a password')));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.map((result) => result.reason.code)).toEqual(Array(4).fill('unavailable'));
});
