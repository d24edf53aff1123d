import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { buildChangeIndex } from '#memory/changes/build-change-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { summarizeCodeAge } from './code-age.ts';
import { countAddedCodeLines, readSurvey, surveyCodeAge } from './code-age-survey.ts';

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, i) => `${word}(${i});\n`).join('');

const folder = await mkdtemp(join(tmpdir(), 'hindsight-age-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('lines by year of their last change, beside those added in it', async () => {
  const signal = new AbortController().signal;
  const repository = await buildRepository(async (repo) => {
    await repo.commit({
      date: '2019-06-01T00:00:00Z',
      files: { 'src/a.js': lines(30, 'old'), 'lib/b.js': lines(10, 'b'), 'data.json': '[1]\n' },
    });
    await repo.commit({
      date: '2021-06-01T00:00:00Z',
      files: { 'src/a.js': lines(20, 'old') + lines(15, 'new') },
    });
    await repo.commit({
      date: '2022-06-01T00:00:00Z',
      files: { 'lib/b.js': null, 'test/a.test.js': lines(9, 't') },
    });
  });
  try {
    const index = await indexRepository(repository.path);
    const [path, hunks] = [join(folder, 'age.json'), join(folder, 'hunks')];
    const task = { repo: repository.path, index, hunks, path, signal };
    expect(summarizeCodeAge(await readSurvey(path), index, '')).toMatchObject({
      complete: false,
      files: 1,
      measured: 0,
      years: [],
    });
    expect(await surveyCodeAge(task)).toBe('changes');
    const history = { repo: repository.path, revision: index.revision, directory: hunks };
    await buildChangeIndex(history, { onProgress: () => {}, signal });
    expect(await surveyCodeAge(task)).toBe('nothing');
    const survey = await readSurvey(path);
    // Of 30 + 10 lines of 2019, 20 are left; the 15 of 2021 all are. Tests and data are no code.
    expect(summarizeCodeAge(survey, index, '')).toEqual({
      ...{ commit: index.revision, path: '', complete: true, files: 1, sample: 1, measured: 1, lines: 35 },
      years: [
        { year: 2019, lines: 20, added: 40 },
        { year: 2021, lines: 15, added: 15 },
      ],
      oldest: [{ path: 'src/a.js', lines: 35, year: 2020 }],
    });
    expect(summarizeCodeAge(survey, index, 'src').years).toEqual([
      { year: 2019, lines: 20, added: null },
      { year: 2021, lines: 15, added: null },
    ]);
    expect(summarizeCodeAge(survey, index, 'lib')).toMatchObject({ files: 0, complete: true, years: [] });
  } finally {
    await repository.remove();
  }
});

test('counts added lines of code in a patch, whatever they look like', () => {
  const patch = `diff --git a/x.js b/x.js
@@ -1,2 +1,3 @@
-- a
+++ b/y.md
+@@ z
 c
@@ -9 +10 @@
+d
diff --git a/y.md b/y.md
@@ -0,0 +1 @@
+text
`;
  expect(countAddedCodeLines(Buffer.from(patch))).toBe(3);
});
