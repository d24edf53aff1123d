import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { findTopicCommits } from './topic-commits.ts';
import { findTopicPlaces } from './topic-places.ts';

const WALK = `/// A parallel recursive directory iterator over file paths.
pub struct WalkParallel {
    paths: Vec<PathBuf>,
    threads: usize,
    deep: usize,
    max: usize,
}

/// Reads the settings of a user.
pub fn read_settings(path: &Path) -> Settings {
    let text = read(path);
    let lines = text.lines();
    let parsed = parse(lines);
    parsed
}
`;

let repository: TestRepository;
let index: RepositoryIndex;
let [added, disabled, enabled, themed]: string[] = [];

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    added = await repo.commit({
      files: { 'src/walk.rs': WALK, 'CHANGELOG.md': '# Changes\n\nparallel recursive directory iterator\n' },
      message: 'Add parallel recursive directory iterator',
    });
    disabled = await repo.commit({
      files: { 'src/search.rs': 'pub fn search_file() {}\n' },
      message: 'searcher: disable mmap\n\nMemory maps fail on 32-bit platforms.',
    });
    enabled = await repo.commit({
      files: { 'src/search.rs': 'pub fn search_file(a: u8) {}\n' },
      message: 'Revert: enable mmap on 32-bit platforms again',
    });
    themed = await repo.commit({
      files: { 'src/theme.rs': 'pub fn load_theme() {}\n' },
      message: 'feat: add color themes to the terminal',
    });
    for (let i = 0; i < 20; i++)
      await repo.commit({ files: { [`docs/${i}.md`]: `page ${i}\n` }, message: `Write page ${i}` });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

const commitsFor = (topic: string, verbs: string[] = []) =>
  findTopicCommits(topic, { index }, { verbs }).map(({ commit, score }) => ({
    oid: index.commits.oid(commit),
    score,
  }));

test.each([
  'parallel recursive directory iterator',
  'recursive dir iterator, the parallel one',
  'iterador recursivo paralelo de directorios',
  'itérateur parallèle récursif de dossiers',
  'der rekursive parallele Iterator für Verzeichnisse',
])('%j is a definition whose comment has the words', (topic) => {
  const [first] = findTopicPlaces(topic, { index });
  expect(first).toMatchObject({ path: 'src/walk.rs', symbol: 'WalkParallel' });
  expect(first!.score).toBeGreaterThan(0.5);
});

test('words that nothing has give a low score', () => {
  const [first] = findTopicPlaces('blockchain consensus iterator', { index });
  expect(first?.score ?? 0).toBeLessThan(0.45);
  expect(findTopicPlaces('the of and', { index })).toEqual([]);
});

test('commits are scored by the share of the topic in subject, body and paths', () => {
  const [first, second] = commitsFor('mmap on 32-bit platforms');
  expect(first!.oid).toBe(enabled);
  expect(second!.oid).toBe(disabled);
  expect(first!.score).toBeGreaterThan(second!.score);
  expect(second!.score).toBeGreaterThan(0.6);
  expect(commitsFor('parallel directory iterator')[0]!.oid).toBe(added);
});

test('commits with one of the verbs come first', () => {
  expect(commitsFor('mmap 32-bit', ['disable'])[0]!.oid).toBe(disabled);
});

test('a word in British spelling finds the American one', () => {
  const [british, american] = ['colour', 'color'].map((word) => commitsFor(`${word} themes`)[0]!);
  expect(british!.oid).toBe(themed);
  expect(british!.score).toBeGreaterThan(0.9 * american!.score);
});

test('a topic of another project has no good commit', () => {
  expect(commitsFor('blockchain consensus protocol')[0]?.score ?? 0).toBeLessThan(0.3);
  expect(commitsFor('')).toEqual([]);
});
