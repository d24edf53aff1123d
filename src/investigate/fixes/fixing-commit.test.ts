import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { findFixingCommit } from './fixing-commit.ts';

const PATH = 'src/a.js';
const lines = (...changed: [number, string][]) => {
  const all = Array.from({ length: 20 }, (_, index) => `const step${index + 1} = ${index + 1};`);
  for (const [line, text] of changed) all[line - 1] = text;
  return `${all.join('\n')}\n`;
};

let repository: TestRepository;
const at: Record<string, string> = {};

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const commit = async (name: string, message: string, files: Record<string, string>) => {
      at[name] = await repo.commit({ message, files });
    };
    await commit('base', 'Begin', { [PATH]: lines() });
    await commit('elsewhere', 'Fix the other file', { 'src/b.js': 'const b = 1;\n' });
    await commit('above', 'Fix the head', {
      [PATH]: `// one\n// two\n// three\n${lines([1, 'const step1 = 0;'])}`,
    });
    await commit('touch', 'Rename a step', {
      [PATH]: `// one\n// two\n// three\n${lines([1, 'const step1 = 0;'], [10, 'const stepTen = 10;'])}`,
    });
    await commit('fix', 'Fix crash in the tenth step', {
      [PATH]: `// one\n// two\n// three\n${lines([1, 'const step1 = 0;'], [10, 'const stepTen = 10 ?? 0;'])}`,
    });
    await commit('later', 'Fix something else', { [PATH]: lines([19, 'const last = 19;']) });
  });
});
afterAll(() => repository.remove());

const find = (head: string, from: number, to = from) =>
  findFixingCommit([{ path: PATH, from, to }], { repo: repository.path, base: at.base!, head: at[head]! });

test('a commit elsewhere in the file, or in another file, is not the fix', async () => {
  expect(await find('above', 10)).toBeNull();
});

test('moved lines are followed to the commit that changes them', async () => {
  expect(await find('touch', 10)).toMatchObject({ hash: at.touch, message: 'Rename a step', path: PATH });
  // Twelve lines down is unrelated code.
  expect(await find('touch', 13)).toBeNull();
});

test('a commit with a fix message is preferred to one that only touches the lines', async () => {
  const found = await find('fix', 9, 11);
  expect(found?.hash).toBe(at.fix);
  expect(found?.hunk.lines).toContainEqual({ kind: 'add', text: 'const stepTen = 10 ?? 0;' });
  expect(found?.hunk.lines.some(({ kind }) => kind === 'context')).toBe(true);
});
