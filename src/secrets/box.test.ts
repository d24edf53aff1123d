import { expect, test } from 'vitest';
import { createBox } from './box.ts';

const OLD = 'an old key of the instance';
const NEW = 'a new key of the instance';

test('what was sealed opens again, and never looks the same twice', () => {
  const box = createBox([NEW], 'credentials');
  const sealed = box.seal('péssword', 'project:1');
  expect(box.open(sealed, 'project:1')).toBe('péssword');
  expect(box.seal('péssword', 'project:1')).not.toBe(sealed);
  expect(box.open(box.seal('', 'project:1'), 'project:1')).toBe('');
});

test('it opens only where it belongs and for its purpose', () => {
  const sealed = createBox([NEW], 'credentials').seal('secret', 'project:1');
  expect(() => createBox([NEW], 'credentials').open(sealed, 'project:2')).toThrow('can’t be read');
  expect(() => createBox([NEW], 'mail').open(sealed, 'project:1')).toThrow('no longer has');
});

test('after a rotation old texts open and new ones need the new key', () => {
  const rotated = createBox([NEW, OLD], 'credentials');
  expect(rotated.open(createBox([OLD], 'credentials').seal('secret', 'a'), 'a')).toBe('secret');
  const fresh = rotated.seal('secret', 'a');
  expect(createBox([NEW], 'credentials').open(fresh, 'a')).toBe('secret');
  expect(() => createBox([OLD], 'credentials').open(fresh, 'a')).toThrow('SECRET_KEY');
});

test('a change of any character is noticed', () => {
  const box = createBox([NEW], 'credentials');
  const sealed = box.seal('secret', 'a');
  // The last character of base64url may carry unused bits.
  for (let i = 0; i < sealed.length - 1; i++) {
    const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
    expect(() => box.open(changed, 'a'), changed).toThrow('can’t be read');
  }
  for (const broken of ['', '1', sealed.slice(0, 20)])
    expect(() => box.open(broken, 'a')).toThrow('can’t be read');
});
