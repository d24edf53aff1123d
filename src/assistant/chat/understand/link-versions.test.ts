import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { indexRepository } from '#memory/testing.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Entity } from './entities.ts';
import { linkVersions } from './link-versions.ts';
import { compareVersionTags, listVersionTags, parseVersion } from './version-tags.ts';

let repository: TestRepository;
let context: ToolContext;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    for (const [tag, date] of [
      ['v1.0.0', '2023-01-10'],
      ['v1.1.0', '2023-06-10'],
      ['v1.1.1', '2023-07-10'],
      ['v2.0.0-rc.1', '2024-01-05'],
      ['v2.0.0', '2024-01-10'],
      ['tool-9.1.0', '2024-02-01'],
    ] as const) {
      await repo.commit({ files: { 'a.txt': tag }, message: `Release ${tag}`, date: `${date}T00:00:00Z` });
      await repo.tag(tag);
    }
    await repo.commit({ files: { 'a.txt': 'next' }, message: 'Work', date: '2024-03-01T00:00:00Z' });
  });
  const index = await indexRepository(repository.path, 'main');
  const sources = openSourceReader(repository.path, index);
  context = { repo: repository.path, index, sources, now: Date.parse('2024-03-15T00:00:00Z') / 1000 };
});
afterAll(async () => {
  context.sources.close();
  await repository.remove();
});

function format(entity: Entity): string {
  if (entity.kind === 'version') return entity.tag;
  return entity.kind === 'range' ? `${entity.from.label}..${entity.to.label}` : entity.kind;
}
const link = async (text: string) =>
  (await linkVersions(text, context)).map(({ entity, span }) => `${text.slice(...span)} = ${format(entity)}`);

test.each([
  ['what changed between v1.0.0 and 1.1.0?', 'v1.0.0 and 1.1.0 = v1.0.0..v1.1.0'],
  ['v1.0.0..v1.1.0', 'v1.0.0..v1.1.0 = v1.0.0..v1.1.0'],
  ['What differs in 1.1.0 compared to 1.0.0?', '1.1.0 compared to 1.0.0 = v1.0.0..v1.1.0'],
  ['von 1.0.0 auf 2.0', '1.0.0 auf 2.0 = v1.0.0..v2.0.0'],
  ['de la versión 1.1.0 a la 1.1.1', '1.1.0 a la 1.1.1 = v1.1.0..v1.1.1'],
  ['we are on 1.0.0 and plan to go to 1.1.1', '1.0.0 and plan to go to 1.1.1 = v1.0.0..v1.1.1'],
  ['what is new since 1.1?', 'since 1.1 = v1.1.0..HEAD'],
  ['what was fixed in 1.1.1', '1.1.1 = v1.1.0..v1.1.1'],
  ['the 2.0 release', '2.0 = v1.1.1..v2.0.0'],
  ['which bugs does 2.0.0rc1 have', '2.0.0rc1 = v2.0.0-rc.1'],
  ['what is tool-9.1.0', 'tool-9.1.0 = tool-9.1.0'],
  ['fixes since the last release', 'since the last release = v2.0.0..HEAD'],
  ['1.x fixes', '1.x = ..v1.1.1'],
  ['changes since March', 'since March = 2024-03..HEAD'],
  ['what happened in June 2023', 'June 2023 = 2023-06..2023-06'],
  ['was geschah seit dem 5.1.2024?', 'seit dem 5.1.2024 = 2024-01-05..HEAD'],
  ['cambios desde enero de 2024', 'desde enero de 2024 = 2024-01..HEAD'],
  ['les changements depuis le 3 février 2024', 'depuis le 3 février 2024 = 2024-02-03..HEAD'],
  ['what did we do two weeks ago', 'two weeks ago = 2024-03-01..HEAD'],
  ['was war vor zwei Wochen', 'vor zwei Wochen = 2024-03-01..HEAD'],
  ['in den letzten 7 Tagen', 'letzten 7 Tagen = 2024-03-08..HEAD'],
  ['au cours du mois dernier', 'mois dernier = 2024-02-13..HEAD'],
  ['before 2020', 'before 2020 = ..2020'],
  ['hotspots between 2021 and 2022', '2021 and 2022 = 2021..2022'],
  ['commits between January and June 2022', 'January and June 2022 = 2022-01..2022-06'],
  ['von November bis März 2023', 'November bis März 2023 = 2022-11..2023-03'],
])('%j links %j', async (text, expected) => {
  expect(await link(text)).toEqual([expected]);
});

test.each([
  'may it use Python 1.1?',
  'is it still so today',
  'wer war als Letztes an a.txt dran',
  'TLS 1.1',
  'a 32-bit board',
  '3 files',
])('%j names no version and no date', async (text) => {
  expect(await link(text)).toEqual([]);
});

test('a range covers the whole last period', async () => {
  const [mention] = await linkVersions('between 2021 and 2022', context);
  expect(mention!.entity).toMatchObject({
    from: { time: Date.UTC(2021, 0) / 1000 },
    to: { time: Date.UTC(2023, 0) / 1000 },
  });
});

test('versions are ordered by number, pre-releases first', () => {
  const names = ['rel_2_10_0', '2.9.1', 'v2.9.1-beta.2', '2.9.1b1', 'v2.9'];
  const sorted = names.toSorted((a, b) => compareVersionTags(parseVersion(a)!, parseVersion(b)!));
  expect(sorted).toEqual(['v2.9', '2.9.1b1', 'v2.9.1-beta.2', '2.9.1', 'rel_2_10_0']);
});

test('tags that could not be read are read again', async () => {
  const { index } = context;
  const moved = `${context.repo}-later`;
  await expect(listVersionTags({ repo: moved, index })).rejects.toThrow();
  await rename(context.repo, moved);
  try {
    expect((await listVersionTags({ repo: moved, index })).versions).toHaveLength(6);
  } finally {
    await rename(moved, context.repo);
  }
});
