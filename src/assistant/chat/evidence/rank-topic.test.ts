import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { measureRanking, rankTopicPlaces } from './rank-topic.ts';

const STEPS = Array.from({ length: 70 }, (_, i) => `  result.push(bookmarks[${i}].title);`).join('\n');
const FILES = {
  'src/importer.js': `/** Imports bookmarks of another service from a file. */
function importBookmarks(bookmarks) {
  const result = [];
${STEPS}
  return result;
}
`,
  'test/importer.test.js': "test('bookmarks are imported from a file', () => importBookmarks([]));\n",
  'locales/fr.json': '{ "import": "Import bookmarks of another service from a file" }\n',
  'src/tags.js':
    '/** Lists the tags of a bookmark. */\nfunction listTags(bookmark) {\n  return bookmark.tags;\n}\n',
  'settings.example.yml': '# Seconds until a session ends.\nsession_seconds: 3600\n',
  'man/reader.1.in':
    '.SH NAME\nreader\n.SH OPTIONS\n.TP\n\\fB--readonly\\fR\nForbids killing of processes.\n',
  'CONTRIBUTING.md': '# Mail\n\nMail is sent once a minute by the mailer.\n',
  'docs/mail.md': '# Mail\n\nMail is sent once a minute by the mailer.\n',
  'docs/backup.md':
    '# Backups\n\nCopy the folder of the data every night.\n\n## Restoring a backup\n\nStop the server and copy the folder back.\n',
};

let repository: TestRepository;
let index: RepositoryIndex;
let context: ToolContext;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => void (await repo.commit({ files: FILES })));
  index = await indexRepository(repository.path, 'main');
  const sources = openSourceReader(repository.path, index);
  context = { repo: repository.path, index, sources, hunks: null, now: 0 } as ToolContext;
});
afterAll(async () => {
  context.sources.close();
  await repository.remove();
});

const rank = (question: string) => rankTopicPlaces({ question, mentions: [] }, context);

test('the definition comes before its test and translations, as a whole and once', async () => {
  const ranked = await rank('How are bookmarks of another service imported?');
  expect(ranked[0]).toMatchObject({ path: 'src/importer.js', from: 1, to: 75 });
  expect(ranked.filter(({ path }) => path === 'src/importer.js')).toHaveLength(1);
});

test.each(['Is the import of bookmarks tested?', 'Wird der Import der bookmarks getestet?'])(
  'the test comes first where the question is about tests: %s',
  async (question) => {
    expect((await rank(question))[0]!.path).toBe('test/importer.test.js');
  },
);

test('documents and templates of settings are ranked with the code', async () => {
  const [backup] = await rank('How do I restore a backup?');
  expect(backup).toMatchObject({ path: 'docs/backup.md', excerpt: { title: 'Restoring a backup' } });
  const [session] = await rank('How many seconds until a session ends?');
  expect(session!.path).toBe('settings.example.yml');
});

test('a template of a manual page is read by its options', async () => {
  const [first] = await rank('Can I forbid the killing of processes?');
  expect(first).toMatchObject({ path: 'man/reader.1.in', excerpt: { title: '--readonly' } });
});

test('documents for contributors are marked, unless the question is about development', async () => {
  const marks = async (question: string) =>
    Object.fromEntries((await rank(question)).map(({ path, features }) => [path, features.contributing]));
  expect(await marks('How often is mail sent?')).toMatchObject({ 'CONTRIBUTING.md': 1, 'docs/mail.md': 0 });
  expect(await marks('How often is mail sent while I contribute?')).toMatchObject({ 'CONTRIBUTING.md': 0 });
});

test('shares add up to the odds of all places, and a topic of one place has strong evidence', async () => {
  const ranked = await rank('How do I restore a backup?');
  expect(ranked.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1.0001);
  const strong = measureRanking(ranked.slice(0, 3));
  const weak = measureRanking((await rank('What does a bookmark weigh on the moon?')).slice(0, 3));
  expect(strong.covered).toBeGreaterThan(weak.covered!);
  expect(measureRanking([])).toEqual({ firstShare: 0, covered: 0, agreement: 0, committed: 0 });
});

test('words that stand together in a text, amounts and limits are measured', async () => {
  const ranked = await rank('How often is mail sent while I contribute?');
  const featuresOf = (path: string) => ranked.find((place) => place.path === path)!.features;
  const mail = featuresOf('docs/mail.md');
  expect(mail).toMatchObject({ neighbors: expect.closeTo(0.5, 0.5), amount: 0, limits: 0 });
  expect(mail.coverLines).toBeGreaterThan(0.4);
  expect(mail.coverNamed).toBeGreaterThanOrEqual(mail.coverLines!);
});

test.each([
  ['How many seconds until a session ends?', 1],
  ['Cuántos segundos until a session ends?', 1],
  ['Which file has the seconds until a session ends?', 0],
])('a number answers a question about an amount: %s', async (question, amount) => {
  const ranked = await rank(question);
  const settings = ranked.find(({ path }) => path === 'settings.example.yml')!;
  expect(settings.features.amount).toBe(amount);
});
