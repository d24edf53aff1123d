import { afterAll, expect, test } from 'vitest';
import { createCheckerPool } from './checker-pool.ts';

const pool = createCheckerPool();
afterAll(pool.close);

const BROKEN = { path: 'a.js', text: 'export const a = ;\n' };

test('a file is checked in another process', async () => {
  const { diagnostics, checkedBy } = await pool.check(BROKEN);
  expect(checkedBy).toEqual(['Biome']);
  expect(diagnostics[0]).toMatchObject({ line: 1, column: 18, severity: 'error' });
});

test('text that crashes a checker is an error, and the next file is checked normally', async () => {
  await expect(pool.check({ path: 'a.js', text: '['.repeat(5_000) })).rejects.toMatchObject({
    code: 'unavailable',
    reason: 'checker_failed',
  });
  expect((await pool.check(BROKEN)).diagnostics).not.toEqual([]);
});

test('a check stops on timeout and on abort', async () => {
  const hasty = createCheckerPool({ timeoutMs: 1 });
  await expect(hasty.check(BROKEN)).rejects.toMatchObject({ reason: 'timed_out' });
  const aborted = AbortSignal.abort();
  await expect(pool.check(BROKEN, { signal: aborted })).rejects.toMatchObject({ reason: 'stopped' });
});

test.each([
  ['a.yaml', 128, ['"', '&a ', '!a ', '[', '"a" ']],
  ['a.yaml', 1024, ['"', '&a ', '!a ', '[', '"a" ', '{', '- ', '*a ']],
  ['a.tsx', 1024, ['[', '`${', '<a>', 'a?']],
  ['a.py', 1024, ['(', ' a:\n', 'f"{']],
  ['a.cpp', 1024, ['(', '#if a\n']],
  ['a.json', 1024, ['{', '"']],
])(
  'a large %s of %i KB is answered whatever it is made of, and takes no memory here',
  async (path, kb, units) => {
    const before = process.memoryUsage.rss();
    for (const unit of units) {
      const text = unit.repeat((kb * 1024) / unit.length);
      const outcome = await pool.check({ path, text }).then(
        () => 'checked',
        ({ code }) => code,
      );
      expect(['checked', 'too_large', 'unavailable'], unit).toContain(outcome);
    }
    expect((await pool.check(BROKEN)).diagnostics).not.toEqual([]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 2 ** 20);
  },
);

test('YAML above 128 KB yields a single diagnostic', async () => {
  const found = await pool.check({ path: 'a.yml', text: `a: 1\n${'# comment\n'.repeat(13_200)}` });
  expect(found).toEqual({
    diagnostics: [
      {
        line: 1,
        message: 'This file is larger than 128 KB. It was not checked.',
        severity: 'info',
        source: 'yaml too-large',
      },
    ],
    checkedBy: [],
  });
});

test('long names in messages are truncated', async () => {
  const name = 'a'.repeat(10_000);
  const { diagnostics } = await pool.check({ path: 'a.py', text: `${name}\n`.repeat(50) });
  expect(Math.max(...diagnostics.map(({ message }) => message.length))).toBeLessThan(1100);
});

test('one user never occupies all processes', async () => {
  const spin = { path: 'a.js', text: `${'a?'.repeat(100_000)}` };
  const busy = Array.from({ length: 4 }, () => pool.check(spin, { userId: 'busy' }).catch(() => null));
  expect((await pool.check(BROKEN, { userId: 'other' })).diagnostics).not.toEqual([]);
  await Promise.all(busy);
});
