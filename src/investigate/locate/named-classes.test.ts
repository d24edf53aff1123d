import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { findNamedClasses } from './named-classes.ts';

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  const paths = [
    'lib/ledger/http_client.rb',
    'lib/ledger/store/file.rb',
    'lib/Ledger/Parser.pm',
    'lib/Ledger/parser/csv.pm',
    'src/Ledger/Handler/MailHandler.php',
    'src/main/java/org/ledger/csv/Row.java',
  ];
  repository = await buildRepository(async (repo) => {
    await repo.commit({ files: Object.fromEntries(paths.map((path) => [path, `${path} = 1\n`])) });
  });
  index = await indexRepository(repository.path);
});
afterAll(() => repository.remove());

test.each([
  ['uninitialized constant Ledger::Store::File::CREATE', 'lib/ledger/store/file.rb'],
  ["undefined method `open' for an instance of Ledger::HTTPClient", 'lib/ledger/http_client.rb'],
  ['Can\'t locate object method "rows" via package "Ledger::Parser"', 'lib/Ledger/Parser.pm'],
  ['Can\'t locate object method "host" via package "Ledger::parser::csv"', 'lib/Ledger/parser/csv.pm'],
  ['Undefined constant Ledger\\Handler\\MailHandler::LIMIT', 'src/Ledger/Handler/MailHandler.php'],
  ['class org.ledger.csv.Row cannot be cast', 'src/main/java/org/ledger/csv/Row.java'],
  ['NoClassDefFoundError: org/ledger/csv/Row', 'src/main/java/org/ledger/csv/Row.java'],
])('%s names a class of the project', (message, path) => {
  expect(findNamedClasses(index.code!, message).map(({ file }) => index.code!.filePath(file))).toEqual([
    path,
  ]);
});

test.each([
  'uninitialized constant Zip::File::CREATE',
  'uninitialized constant File::Stat',
  'cannot find org.ledger.Row in the store',
])('%s names none', (message) => {
  expect(findNamedClasses(index.code!, message)).toEqual([]);
});
