import { expect, test } from 'vitest';
import { CARD_WEEKS } from '#contract/project-overview.ts';
import type { CommitTable } from '#memory/repository-index.ts';
import { alignCommitWeeks, countCommitWeeks } from './commit-weeks.ts';

/** A history of these days, newest first. */
function historyOf(...days: string[]): CommitTable {
  const times = days.map((day) => Date.parse(day) / 1000);
  return { count: times.length, time: (commit: number) => times[commit] } as CommitTable;
}

const now = new Date('2026-05-27T12:00:00Z');

test('commits are counted by weeks from Monday; broken, older and future dates do no harm', async () => {
  const history = historyOf('2026-06-30', '2026-05-25', '2026-05-24', 'broken', '2026-05-18', '2025-01-01');
  const { week, counts } = await countCommitWeeks(history, now);
  expect(week).toBe('2026-05-25');
  expect(counts.slice(-2)).toEqual([2, 2]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(4);
});

test('stored weeks move on with time', async () => {
  const stored = await countCommitWeeks(historyOf('2026-05-25', '2026-05-18'), now);
  expect(alignCommitWeeks(stored, now)?.slice(-3)).toEqual([0, 1, 1]);
  const later = alignCommitWeeks(stored, new Date('2026-06-08T00:00:00Z'));
  expect(later?.slice(-4)).toEqual([1, 1, 0, 0]);
  expect(later).toHaveLength(CARD_WEEKS);
  expect(alignCommitWeeks(stored, new Date('2030-01-01'))).toEqual(new Array(CARD_WEEKS).fill(0));
  expect(alignCommitWeeks(null, now)).toBeNull();
});
