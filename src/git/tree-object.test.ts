import { expect, test } from 'vitest';
import { findInTreeObject, formatTreeObject, listTreeObject } from './tree-object.ts';

const HASH_BYTES = 20;
const entry = (name: string) => ({ mode: '100644', oid: 'ab'.repeat(HASH_BYTES), raw: Buffer.from(name) });
const tree = formatTreeObject([entry('b'), entry('a')]);

test('a tree has its entries by name', () => {
  expect([...listTreeObject(tree, HASH_BYTES)].map(({ raw }) => raw.toString())).toEqual(['a', 'b']);
  expect(findInTreeObject(tree, 'b', HASH_BYTES)).toMatchObject({ type: 'blob', oid: entry('b').oid });
  expect(findInTreeObject(tree, 'c', HASH_BYTES)).toBeNull();
});

test.each([
  ['whose last hash is cut', tree.subarray(0, -1)],
  ['that ends in a name', Buffer.concat([tree, Buffer.from('100644 c')])],
  ['with other bytes', Buffer.from('no tree')],
])('a tree %s is corrupt', (_, damaged) => {
  expect(() => [...listTreeObject(damaged, HASH_BYTES)]).toThrow(
    expect.objectContaining({ reason: 'corrupt' }),
  );
});
