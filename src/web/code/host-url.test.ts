import { expect, test } from 'vitest';
import { parseHostUrl, repositoryOf, splitRevision } from './host-url.ts';

test('URLs of code hosts name a repository and a place in it', () => {
  expect(parseHostUrl('https:/github.com/Pallets/flask/blob/main/src/flask/app.py#L10-L20')).toEqual({
    ...{ repository: 'github.com/pallets/flask', kind: 'file', view: null, lines: '#L10-L20' },
    rest: 'main/src/flask/app.py',
  });
  expect(parseHostUrl('https://gitlab.com/a/b/c/-/blame/v1/x.rb#L3')).toEqual({
    ...{ repository: 'gitlab.com/a/b/c', kind: 'file', view: 'blame', lines: '#L3', rest: 'v1/x.rb' },
  });
  expect(parseHostUrl('github.com/a/b/commit/0ec7f71')).toMatchObject({ kind: 'commit', commit: '0ec7f71' });
  expect(parseHostUrl('github.com/a/b/compare/v1...v2')).toMatchObject({ base: 'v1', head: 'v2' });
  expect(parseHostUrl('nothing')).toBeNull();
});

test('a remote and a URL of the same repository are equal', () => {
  expect(repositoryOf('git@github.com:Pallets/Flask.git')).toBe('github.com/pallets/flask');
  expect(repositoryOf('https://github.com/pallets/flask')).toBe('github.com/pallets/flask');
});

test('the longest branch that a path begins with is the revision', () => {
  expect(splitRevision('feature/x/src/a.ts', ['feature', 'feature/x'])).toEqual({
    revision: 'feature/x',
    path: 'src/a.ts',
  });
});
