import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { isForeign } from './match-project.ts';
import { measureTopic, termShare } from './report-topic.ts';
import { scoreProject } from './score-project.ts';

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const files = {
      'package.json': '{ "name": "harbour" }\n',
      'src/tide-table.js': 'export function tideTable(mooring) {\n  return mooring.tides;\n}\n',
      'src/mooring.js': 'export class Mooring {\n  berth(vessel) {\n    return vessel.draught;\n  }\n}\n',
    };
    await repo.commit({ date: '2024-01-05T10:00:00Z', message: 'Add tide tables to each mooring', files });
    await repo.commit({
      ...{ date: '2024-02-05T10:00:00Z', message: 'Refuse vessels whose draught exceeds the berth' },
      files: { 'src/berth.js': 'export const MAX_DRAUGHT = 4;\n' },
    });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

const isForeignHere = async (error_message: string) =>
  isForeign(await scoreProject({ error_message }, { repo: repository.path, index }));

test.each([
  ['The tide table is empty for every mooring after the first', false],
  ['A vessel with too much draught still gets a berth', false],
  ['Blueprints registered twice keep the url prefix of the first registration', true],
  ['The Kafka consumer rebalances although no partition was revoked', true],
  ['it does not work', true],
  ['after the update nothing is as it was, please help', true],
])('%s: of another project %s', async (text, expected) => expect(await isForeignHere(text)).toBe(expected));

test('manifests that most projects have are no evidence', async () => {
  expect(await isForeignHere('npm warns that package.json has no license field')).toBe(true);
});

test('words of the project weigh by their share elsewhere', () => {
  expect(termShare('fix')).toBeGreaterThan(termShare('semaphore'));
  expect(termShare('draught')).toBe(0);
  const own = measureTopic('mooring draught berth', [], index);
  const common = measureTopic('fix the test', [], index);
  expect(own.messages).toBeGreaterThan(common.messages);
  expect(own.symbols).toBeGreaterThan(common.symbols);
  expect(measureTopic('quokka zeppelin', [], index).unknown).toBeCloseTo(Math.log(3));
});
