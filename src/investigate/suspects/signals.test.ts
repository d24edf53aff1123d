import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { createSnapshot } from '#memory/index/snapshot.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { collectHistory } from '../collect-history.ts';
import { analyzeError } from '../investigate.ts';
import { openSourceReader } from '../locate/source-reader.ts';
import { buildSuspectInput } from './rank-suspects.ts';
import { measureSuspectSignals } from './score-suspects.ts';

let repository: TestRepository;
let index: RepositoryIndex;
const hashes: Record<string, string> = {};

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const change = async (name: string, date: string, message: string, files: Record<string, string>) => {
      hashes[name] = await repo.commit({ date: `${date}T12:00:00Z`, message, files });
    };
    await change('begin', '2022-01-01', 'Begin', {
      'cache.js': 'export const cache = new Map();\n',
      'limits.js': 'export function readLimit(text) {\n  return Number(text);\n}\n',
    });
    await change('limits', '2022-06-01', 'Take a unit', {
      'limits.js': 'export function readLimit(text) {\n  return parseLimit(text, "minutes");\n}\n',
    });
    await change('adds', '2023-01-01', 'cache: expire old entries', {
      'cache.js': 'export const cache = new Map();\nexport const expireAfter = 60;\n',
    });
    await change('takes', '2023-06-01', 'Simplify', { 'cache.js': 'export const cache = new Map();\n' });
    await change('docs', '2023-07-01', 'Describe expiry', {
      'docs/cache.md': 'How long is a thing kept? The value of expireAfter is in seconds\n',
    });
    await change('deps', '2023-08-01', 'Raise versions', { 'package.json': '{ "version": "2" }\n' });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

/** Values of a signal by commit name. */
async function values(signal: string, error_message: string, of = index): Promise<Record<string, number>> {
  const sources = openSourceReader(repository.path, of);
  try {
    const now = Date.parse('2023-09-01T00:00:00Z') / 1000;
    const error = await analyzeError({ error_message }, { index: of }, sources);
    const found = await collectHistory(error, { repo: repository.path, index: of, now });
    const input = buildSuspectInput({ ...error, ...found, index: of, now, blamed: found.blame.commits });
    const measured = measureSuspectSignals(input)[signal]!;
    const names = new Map(Object.entries(hashes).map(([name, oid]) => [oid, name]));
    return Object.fromEntries(
      input.commits.map((commit, i) => [names.get(of.commits.oid(commit)), measured[i]!]),
    );
  } finally {
    sources.close();
  }
}

const ERROR = 'cache: expireAfter is not defined';

test.each([
  ['added', ERROR, 'adds'],
  ['removed', ERROR, 'takes'],
  ['removesTerms', ERROR, 'takes'],
  ['firstToAdd', 'expireAfter seconds', 'adds'],
  ['scope', ERROR, 'adds'],
  ['title', 'expire old entries', 'adds'],
  ['quotedSubject', 'Broken since (cache: expire\n  old entries, 2023-01-01)', 'adds'],
  ['dateMentioned', 'Broken since (cache: expire\n  old entries, 2023-01-01)', 'adds'],
  ['nonSourceShare', ERROR, 'docs'],
  ['bigrams', 'No longer expire old entries', 'adds'],
  ['bestFunction', 'readLimit counts minutes', 'limits'],
  ['survivingFunctionTerms', 'parseLimit counts minutes', 'limits'],
  ['dependencyChange', ERROR, 'deps'],
  ['freshness', ERROR, 'deps'],
  ['commitOrder', ERROR, 'deps'],
])('%s of %j is highest for %s', async (signal, error, name) => {
  const found = await values(signal, error);
  const highest = Math.max(...Object.values(found));
  expect(highest).toBeGreaterThan(0);
  expect(Object.keys(found).filter((one) => found[one] === highest)).toEqual([name]);
});

test('every signal has a value from 0 to 1 for every commit', async () => {
  const names = [
    'message',
    'bestHunk',
    'bestFile',
    'fileFocus',
    'pathTerms',
    'newestInFile',
    'youth',
    'diffSize',
    'messageLength',
    'rareTerms',
    'identifiers',
  ];
  for (const name of names) {
    const found = Object.values(await values(name, ERROR));
    expect(found.length, name).toBe(6);
    expect(
      found.every((value) => value >= 0 && value <= 1),
      name,
    ).toBe(true);
  }
});

test('a commit outside the analyzed revision is no candidate', async () => {
  const tree = [{ path: 'cache.js', oid: index.code!.fileBlob(index.code!.fileNumber('cache.js')) }];
  const older = createSnapshot(index, hashes.takes!, tree).snapshot;
  expect(Object.keys(await values('message', ERROR, older)).sort()).toEqual([
    'adds',
    'begin',
    'limits',
    'takes',
  ]);
});
