import { expect, test } from 'vitest';
import { normalizeGitUrl, repositoryName } from './repository-name.ts';

test.each([
  ['https://github.com/pallets/flask.git', 'flask'],
  [' https://git.example:8443/a/b/c/ ', 'c'],
  ['git@github.com:owner/a.b.git', 'a.b'],
  ['ssh://git@host/owner/name', 'name'],
  ['https://github.com', ''],
  ['flask', ''],
  ['', ''],
])('the name of %j is %j', (url, name) => {
  expect(repositoryName(url)).toBe(name);
});

test('spellings of one URL are equal', () => {
  expect(normalizeGitUrl('https://Host/a/b.git/')).toBe(normalizeGitUrl(' https://host/a/b'));
});
