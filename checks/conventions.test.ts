import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findBannedTexts, findBannedWords } from './banned-words.ts';
import {
  findQuestionOpeners,
  findRepeatedExports,
  findRepeatedFileNames,
  findUnusedExports,
  type Sources,
  type Violation,
} from './conventions.ts';

/** The rules quote what they forbid. */
const RULES = /^checks\//;
const EXCLUDED = (path: string) => /(?:^|\/)(?:node_modules|dist|lib|fixtures)(?:\/|$)/.test(path);

const code = readAll(['src/**/*.{ts,tsx}', 'e2e/**/*.ts', 'bench/**/*.ts', 'scripts/*.mjs', '*.{ts,mjs}']);
const documents = readAll(['*.md', 'docs/**/*.md', 'bench/*.md']);
const locales = readAll(['src/locales/en/*.json']);

test.each([
  ['an exported name is defined in one module', () => findRepeatedExports(code)],
  ['every export is imported', () => findUnusedExports(code)],
  ['a file name occurs once in a part', () => findRepeatedFileNames(code)],
  ['no doc comment opens with a question word', () => findQuestionOpeners(code)],
  ['names, comments and test titles use standard terms', () => findBannedWords(code)],
  ['documents use standard terms', () => findBannedTexts(documents)],
  ['English texts use standard terms', () => findBannedTexts(locales)],
])('%s', (_, find) => {
  expect(Object.keys(code).length).toBeGreaterThan(1000);
  expect(find().map(format)).toEqual([]);
});

test('a repeated export is found, a framework name is not', () => {
  const sources = {
    'src/a/a.ts': 'export const limit = 1;\nexport function up() {}',
    'src/b/b.ts': 'export type limit = 2;\nexport function up() {}',
    'src/b/b.test.ts': 'export const limit = 3;',
  };
  expect(findRepeatedExports(sources).map(format)).toEqual([
    'src/b/b.ts:1 `limit` is also exported by src/a/a.ts.',
  ]);
});

test.each([
  ["import { a } from './a.ts';", false],
  ["import { type a as b } from '#x/a.ts';", false],
  ["import * as all from './a.ts';", false],
  ["export { a } from './a.ts';", false],
  ["const { a } = await import('./a.ts');", false],
  ["type A = import('#x/a.ts').a;", false],
  ["import { b } from './a.ts';", true],
  ["import { a } from './b.ts';", true],
])('with %s an export is unused: %s', (user, unused) => {
  const found = findUnusedExports({ 'src/x/a.ts': 'export const a = 1;', 'src/x/user.ts': user });
  expect(found.map(format)).toEqual(
    unused ? ['src/x/a.ts:1 `a` is exported and of no use to other code.'] : [],
  );
});

test('an export that a test alone uses is found, one that its file uses too is not', () => {
  const user = "import { a } from './a.ts';";
  expect(findUnusedExports({ 'src/x/a.ts': 'export const a = 1;', 'src/x/a.test.ts': user })).toHaveLength(1);
  const internal = 'export const a = 1;\nuse(a);';
  expect(findUnusedExports({ 'src/x/a.ts': internal, 'src/x/a.test.ts': user })).toEqual([]);
  expect(
    findUnusedExports({
      'src/x/testing.ts': 'export const a = 1;',
      'src/x/a.test.ts': user.replace('a.ts', 'testing.ts'),
    }),
  ).toEqual([]);
});

test('two files of one part with the same name are found', () => {
  const sources = {
    'src/a/x/open.ts': '',
    'src/a/y/open.ts': '',
    'src/b/open.ts': '',
    'src/a/x/routes.ts': '',
    'src/a/y/routes.ts': '',
  };
  expect(findRepeatedFileNames(sources).map(format)).toEqual([
    'src/a/y/open.ts:1 src/a/x/open.ts has the same name.',
  ]);
});

test('question words that open comments are found', () => {
  expect(findQuestionOpeners({ 'src/a.ts': '/** Whether it is open. */\nconst a = 1;' })).toHaveLength(1);
  expect(findQuestionOpeners({ 'src/a.ts': '/** True when it is open. */\nconst a = 1;' })).toEqual([]);
});

test.each([
  'const MOST_ROWS = 1;',
  'type Needs = {};',
  '// somebody has to',
  '/**\n * mended\n */',
  "test('nobody comes in', () => {});",
])('a banned word is found in %j', (source) => {
  expect(findBannedWords({ 'src/a.ts': source })).toHaveLength(1);
});

test('a banned word in a text has its line', () => {
  expect(findBannedTexts({ 'docs/a.md': 'fine\nfine\nwas mended here' }).map(format)).toEqual([
    'docs/a.md:3 "mended" is no term of the field: use fix.',
  ]);
});

function readAll(patterns: string[]): Sources {
  const paths = globSync(patterns, { exclude: EXCLUDED }).filter((path) => !RULES.test(path));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(path, 'utf8')]));
}

function format({ path, line, text }: Violation): string {
  return `${path}:${line} ${text}`;
}
