import { expect, test } from 'vitest';
import { findCompanions } from './companions.ts';

/** History of one file: for each of its commits, newest first, whether its companion changed as well. */
function find(together: boolean[], own: string[] = ['a.js']) {
  const commits = together.map((both) => (both ? ['a.js', 'b.js'] : ['a.js']));
  const history = (path: string) => (path === 'a.js' ? commits : []);
  return findCompanions({ changed: ['a.js'], own: new Set(own), history, limit: 3 });
}

test('a file that changed in most commits of another is named, with its counts', () => {
  expect(find([true, true, false, true, true])).toEqual([{ path: 'b.js', with: 'a.js', together: 4, of: 5 }]);
});

test.each([
  ['changed too seldom', [true, true, true]],
  ['changed in too few of the commits', [true, true, true, true, false, false]],
  ['has not changed lately', [false, false, false, false, ...Array<boolean>(16).fill(true)]],
])('nothing is named that %s', (_, together) => {
  expect(find(together)).toEqual([]);
});

test('a file of the change is no companion', () => {
  expect(find([true, true, true, true], ['a.js', 'b.js'])).toEqual([]);
});
