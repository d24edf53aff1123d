import { afterAll, expect, test } from 'vitest';
import { createCheckerPool } from './pool.ts';

const pool = createCheckerPool();
afterAll(pool.close);

const BROKEN = { path: 'a.js', text: 'export const a = ;\n' };

test('a file is checked in another thread', async () => {
  const { diagnostics, checkedBy } = await pool.check(BROKEN);
  expect(checkedBy).toEqual(['Biome']);
  expect(diagnostics[0]).toMatchObject({ line: 1, column: 18, severity: 'error' });
});

test('text that breaks a checker is an error in words, and the next file is checked as ever', async () => {
  await expect(pool.check({ path: 'a.js', text: '['.repeat(5_000) })).rejects.toMatchObject({
    code: 'unavailable',
    reason: 'checker_failed',
  });
  expect((await pool.check(BROKEN)).diagnostics).not.toEqual([]);
});

test('a check that takes too long ends, and so does one that nobody waits for', async () => {
  const hasty = createCheckerPool({ timeoutMs: 1 });
  await expect(hasty.check(BROKEN)).rejects.toMatchObject({ reason: 'timed_out' });
  await hasty.close();
  const gone = AbortSignal.abort();
  await expect(pool.check(BROKEN, { signal: gone })).rejects.toMatchObject({ reason: 'stopped' });
});
