import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { parseQuery } from '../lexical/parse-query.ts';
import { findPathMentions, resolvePathMention } from '../lexical/path-mentions.ts';
import { rankFiles } from './rank-files.ts';

type RankFilesOptions = Parameters<typeof rankFiles>[2];

let repo: TestRepository;
let index: RepositoryIndex;

const plain = (name: string) => `export function ${name}() {\n  return 1;\n}\n`;

beforeAll(async () => {
  repo = await buildRepository(async (repository) => {
    await repository.commit({
      message: 'Begin',
      files: {
        'lib/alpha.js': plain('alpha'),
        'lib/bravo.js': plain('bravo'),
        'lib/old-name.js': plain('charlie'),
        'web/index.js': plain('page'),
        'api/index.js': plain('call'),
        'lib/limits.js':
          "export function check(n) {\n  throw new Error('quota of ' + n + ' rows was exceeded');\n}\n",
        'test/limits.test.js': "test('quota of rows was exceeded', () => {});\n",
        'pkg/json/tag.py': 'class Tagged:\n    def untag(self):\n        pass\n',
        'pkg/yaml/tag.py': 'class Tagged:\n    def untag(self):\n        pass\n# yaml\n',
        'lib/meter.js': plain('count'),
        'test/meter.test.js': "test('the hourglass is turned over', () => {});\n",
        'package.json': '{}\n',
        'site/package.json': '{}\n',
      },
    });
    await repository.commit({
      message: 'Keep the gzip trailer when a download is resumed',
      files: { 'lib/bravo.js': `${plain('bravo')}//\n` },
    });
    await repository.commit({
      message: 'Retry the lease before it lapses',
      files: { 'lib/old-name.js': `${plain('charlie')}//\n` },
    });
    for (const version of ['', '//\n']) {
      await repository.commit({
        message: 'Tidy',
        files: { 'lib/ink.js': plain('inkwell') + version, 'lib/paper.js': plain('sheet') + version },
      });
      await repository.commit({
        message: 'Tidy again',
        files: {
          'lib/water.js': plain('level') + version,
          'test/tide.test.js': `test('the moonrise lifts it', () => {});\n${version}`,
        },
      });
    }
    await repository.rename('lib/old-name.js', 'lib/new-name.js', { message: 'Rename' });
  });
  index = await indexRepository(repo.path);
});

afterAll(() => repo.remove());

function rank(text: string, options: Partial<RankFilesOptions> = {}) {
  return rankFiles(index, parseQuery(text), { limit: 10, ...options }).map((ranked) => ({
    ...ranked,
    path: index.code!.filePath(ranked.file),
  }));
}

test('history finds a file whose code has none of the words', () => {
  const [first] = rank('resumed gzip download');
  expect(first).toMatchObject({
    path: 'lib/bravo.js',
    signals: { similarCommits: 1, commitMessages: 1 },
    passages: [],
  });
  expect(first!.signals.passages).toBeUndefined();
});

test('history follows a file through its rename', () => {
  expect(rank('lease lapses')[0]!.path).toBe('lib/new-name.js');
});

test('a frame with a path of another machine raises its file, the innermost most', () => {
  const frames = [
    { path: '/srv/app/web/index.js', line: 2 },
    { path: 'lib/alpha.js' },
    { path: 'node:internal/x' },
  ];
  expect(rank('it failed', { frames }).map(({ path }) => path)).toEqual(['web/index.js', 'lib/alpha.js']);
});

test('a literal finds the code that prints it, ahead of the test that repeats it', () => {
  const ranked = rank('saving fails', { literals: ['quota of 512 rows was exceeded'] });
  expect(ranked[0]).toMatchObject({ path: 'lib/limits.js', signals: { literals: 1 } });
  expect(ranked.map(({ path }) => path)).toContain('test/limits.test.js');
});

test('a name finds the file that defines it, with the passage', () => {
  const [first] = rank('json.Tagged.untag drops the value');
  expect(first).toMatchObject({ path: 'pkg/json/tag.py', signals: { symbols: 1 } });
  expect(index.code!.passageLines(first!.passages[0]!.passage).start).toBe(1);
});

test('a qualified name selects the definition in the named folder', () => {
  expect(rank('from pkg.yaml import Tagged')[0]).toMatchObject({
    path: 'pkg/yaml/tag.py',
    signals: { qualifiedNames: 1 },
  });
});

test('a matching test raises the file it is named after', () => {
  const ranked = rank('hourglass');
  expect(ranked.find(({ path }) => path === 'lib/meter.js')).toMatchObject({ signals: { tests: 1 } });
});

test('a file that changed together with a matching one is raised', () => {
  const ranked = rank('inkwell');
  expect(ranked.map(({ path }) => path)).toEqual(['lib/ink.js', 'lib/paper.js']);
  expect(ranked[1]!.signals).toMatchObject({ coChange: 1, coChangeOfTop: 1 });
});

test('a similar commit raises the file that it changed together with a matching one', () => {
  const paper = (text: string) => rank(text).find(({ path }) => path === 'lib/paper.js')!.signals;
  expect(paper('tidy the inkwell').coChangeInSimilarCommits).toBe(1);
  expect(paper('inkwell').coChangeInSimilarCommits).toBeUndefined();
});

test('a matching test raises the file it changed together with', () => {
  const ranked = rank('moonrise');
  expect(ranked.find(({ path }) => path === 'lib/water.js')).toMatchObject({
    signals: { coChangeWithTests: 1 },
  });
});

test('a text about a dependency raises manifests, the top-level one first', () => {
  const manifests = (text: string) => rank(text).filter(({ signals }) => signals.manifest);
  expect(manifests("Error: Cannot find module 'left-pad' in alpha").map(({ path }) => path)).toEqual([
    'package.json',
    'site/package.json',
  ]);
  expect(manifests('alpha pads to the left')).toEqual([]);
});

test('only the candidates are ranked', () => {
  const among = [index.code!.fileNumber('lib/alpha.js')];
  expect(rank('alpha bravo', { candidates: among }).map(({ path }) => path)).toEqual(['lib/alpha.js']);
});

test('a text that matches nothing ranks nothing', () => {
  expect(rank('zebra')).toEqual([]);
});

test.each([
  ['web/index.js', ['web/index.js']],
  ['/home/me/site/api/index.js', ['api/index.js']],
  ['C:\\site\\api\\index.js', ['api/index.js']],
  ['index.js', ['api/index.js', 'web/index.js']],
  ['pkg.json.tag', ['pkg/json/tag.py']],
  ['other.tag', []],
  ['gone/nowhere.js', []],
])('the mention %s resolves to %j', (mention, paths) => {
  const files = resolvePathMention(index.code!, mention).map((file) => index.code!.filePath(file));
  expect(files.sort()).toEqual(paths);
});

test('path mentions are found in traces and prose', () => {
  expect(findPathMentions('at f (webpack:///./src/a.ts:3:1) and pkg.json.tag.')).toEqual(
    expect.arrayContaining([expect.stringContaining('src/a.ts'), 'pkg.json.tag']),
  );
});
