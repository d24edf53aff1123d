import { expect, test } from 'vitest';
import { buildRepository, type TestFiles } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { readPackageNames } from './package-names.ts';
import { openSourceReader } from './source-reader.ts';

const README = '# Tally\n\n    go get -u -v github.com/Ada/tally\n\n    import "github.com/other/rows"\n';

async function namesOf(files: TestFiles): Promise<string[]> {
  const repository = await buildRepository(async (repo) => void (await repo.commit({ files })));
  try {
    const index = await indexRepository(repository.path);
    return [...(await readPackageNames(index.code!, openSourceReader(repository.path, index))).keys()];
  } finally {
    await repository.remove();
  }
}

test('a Go repository without a manifest has the name in its README', async () => {
  const code = { 'tally.go': 'package tally\n\nfunc Sum() int { return 1 }\n' };
  expect(await namesOf({ ...code, 'README.md': README })).toEqual(['github.com/ada/tally']);
  expect(await namesOf({ ...code, 'README.md': README, 'go.mod': 'module example.org/tally\n' })).toEqual([
    'example.org/tally',
  ]);
  expect(await namesOf(code)).toEqual([]);
});

test.each([
  [
    'pom.xml',
    '<project><parent><artifactId>base</artifactId></parent><artifactId>Tally</artifactId></project>',
  ],
  [
    'pom.xml',
    '<project><artifactId>tally</artifactId><parent><artifactId>base</artifactId></parent></project>',
  ],
  ['CMakeLists.txt', 'cmake_minimum_required(VERSION 3.14)\nproject(tally\n  LANGUAGES C)\n'],
  ['configure.ac', 'AC_INIT([tally], [1.0])\n'],
  ['tally-dev-1.rockspec', 'package = "tally"\nversion = "dev-1"\n'],
  ['settings.gradle', "rootProject.name = 'tally'\n"],
])('%s names its package', async (path, content) => {
  const code = { 'src/tally.c': 'int sum(void) { return 1; }\n' };
  expect(await namesOf({ ...code, [path]: content })).toEqual(['tally']);
});

test.each([
  ['CMakeLists.txt', '\n'.repeat(900_000)],
  ['meson.build', ' \n'.repeat(450_000)],
  ['pom.xml', '</parent>\n'.repeat(90_000)],
])('a hostile %s names nothing, and is read in time proportional to its size', async (path, content) => {
  expect(await namesOf({ 'src/tally.c': 'int sum(void) { return 1; }\n', [path]: content })).toEqual([]);
});
