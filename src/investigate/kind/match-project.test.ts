import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { isForeign, isUnclear, isVague } from './match-project.ts';
import { scoreProject } from './score-project.ts';

const HEADERS = `/** Reads a header: request.get('Something') is null where it is absent. */
exports.getHeader = (name) => {
  if (!name) throw new TypeError('header name is required');
  return null;
};
exports.fail = () => {
  throw new Error('500 Internal Server Error');
};
`;

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const files = {
      'package.json': '{\n  "name": "headers"\n}\n',
      'lib/headers.js': HEADERS,
      'include/headers.h': '',
      'bin/headling.js': "require('../lib/headers').getHeader('a');\n",
    };
    await repo.commit({ date: '2024-01-05T10:00:00Z', message: 'Read headers', files });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

test.each([
  ['Error: zzqq something odd', true],
  ['Error: the header name is required', false],
  ['500 Internal Server Error', true],
  ['[ERROR] Failed to execute goal a.b:jar:2.4 (jar) on project shop: header name is missing', true],
  ['PHP Parse error:  header name is required in /srv/app/index.php on line 3', true],
])('%s is of another project: %s', async (error_message, expected) => {
  const match = await scoreProject({ error_message }, { repo: repository.path, index });
  expect(isForeign(match)).toBe(expected);
});

test.each([
  ['headers is broken, the page just stays empty', true],
  ['Reading the headers of a request does not work any more since Monday.', true],
  ['Error: the header name is required', false],
])('%s is a complaint without a subject: %s', async (error_message, expected) => {
  const match = await scoreProject({ error_message }, { repo: repository.path, index });
  expect(isVague(match)).toBe(expected);
});

test.each([
  ['TypeError: headers.getHeader is not a function', true],
  ['TypeError: footers.getHeader is not a function', false],
  ['TypeError: headers.js is not a function', false],
  ['main.c:2:10: fatal error: headers.h: No such file or directory', true],
  ['main.c:2:10: fatal error: footers.h: No such file or directory', false],
])('%s names a part of the package: %s', async (error_message, expected) => {
  const match = await scoreProject({ error_message }, { repo: repository.path, index });
  expect(match.namesPackage).toBe(expected);
});

const CHECK = `/srv/app/check.js:3
if (found !== null) throw new Error('expected null, got ' + found)
                    ^

Error: expected null, got 7
    at Object.<anonymous> (/srv/app/check.js:3:27)`;

test.each([
  ["const { getHeader } = require('headers');", 'of this project'],
  ["const { getFooter } = require('footers');", 'of another project'],
  ['const found = await read(7);', 'unclear'],
])('a check of a caller with %s is %s', async (code_snippet, expected) => {
  const report = { error_message: CHECK, code_snippet };
  const match = await scoreProject(report, { repo: repository.path, index });
  expect(match.callerFailure).toBe('check');
  const isOther = isForeign(match) && !isUnclear(match);
  expect(isUnclear(match) ? 'unclear' : isOther ? 'of another project' : 'of this project').toBe(expected);
});

test.each([
  ['not ok 1 - the page\n  wanted: 7\n  got: 0', true],
  ['the page is empty', false],
  ['=== RUN   TestPage\n    page_test.go:9: got 0, want 7', false],
])('%s is unclear in a project of JavaScript: %s', async (error_message, expected) => {
  const match = await scoreProject({ error_message }, { repo: repository.path, index });
  expect(isUnclear(match)).toBe(expected);
});

test.each([
  ['npm error Missing script: "build"', true],
  ['npm error notarget No matching version found for headers@9', false],
])('%s is of another program: %s', async (error_message, expected) => {
  const match = await scoreProject({ error_message }, { repo: repository.path, index });
  expect(match.frames > 0).toBe(expected);
});

test.each([
  ["Error: Cannot find module 'headers-extra'\n    at Object.<anonymous> (/srv/app/a.js:1:1)", true],
  ["Error: Cannot find module 'footers-extra'\n    at Object.<anonymous> (/srv/app/a.js:1:1)", false],
  ["ModuleNotFoundError: No module named 'headers-extra'", false],
])('%s lacks an extension of the package: %s', async (error_message, expected) => {
  const match = await scoreProject({ error_message }, { repo: repository.path, index });
  expect(match.namesPackage).toBe(expected);
});

test('the last line of a build says nothing of a project', async () => {
  const match = await scoreProject(
    { error_message: 'make: *** [Makefile:2: headers] Error 2' },
    { repo: repository.path, index },
  );
  expect(match.topic).toBe(0);
});

const OTHER_FRAMES =
  'TypeError: zzqq is frozen\n    at Array.push (<anonymous>)\n    at Object.<anonymous> (/srv/app/a.js:4:11)';
test.each([
  [OTHER_FRAMES, true],
  [`${OTHER_FRAMES}\n\nThis stopped working after we moved to headling, please fix.`, false],
  ['headling: no such option: --zzqq', false],
  ['footers: no such option: --zzqq', true],
])('%s is of another project: %s', async (error_message, expected) => {
  const match = await scoreProject({ error_message }, { repo: repository.path, index });
  expect(isForeign(match)).toBe(expected);
});
