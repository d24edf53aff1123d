import { expect, test } from 'vitest';
import type { DebugAnswer } from '#contract/debug.ts';
import type { FileDiff } from '#contract/projects.ts';
import { limitDiff } from '#git/diff-limits.ts';
import { truncateAnswer } from '../debug/truncate-answer.ts';
import { createByteBudget, jsonByteLength, truncateToJsonBytes } from './json-size.ts';

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test('a text is truncated by its bytes in JSON, including escapes', () => {
  expect(truncateToJsonBytes('short', 100)).toBe('short');
  for (const character of ['x', 'é', '😀', '\u0001', '"']) {
    const cut = truncateToJsonBytes(character.repeat(10_000), 1000);
    expect(jsonByteLength(cut)).toBeLessThanOrEqual(1000);
    expect(cut.length).toBeGreaterThan(100);
  }
});

test('unused shares of small items are available to large ones', () => {
  const share = createByteBudget(1000, 10);
  const sizes = ['a', 'b', 'x'.repeat(5000)].map(
    (text) => share((max) => truncateToJsonBytes(text, max)).length,
  );
  expect(sizes[2]).toBeGreaterThan(18);
  const total = createByteBudget(1000, 3);
  const all = Array.from({ length: 3 }, () => total((max) => truncateToJsonBytes('y'.repeat(9000), max)));
  expect(sizeOf(all)).toBeLessThan(1100);
});

const line = (text: string) => ({ kind: 'add' as const, text });
const hunk = (lines: number, text = '') => ({
  ...{ old_start: 1, old_lines: 0, new_start: 1, new_lines: lines, header: 'h'.repeat(20) },
  lines: Array.from({ length: lines }, () => line(text)),
});
const file = (hunks: FileDiff['hunks']): FileDiff => ({
  ...{ old_path: 'a', new_path: 'a', binary: false, truncated: false },
  hunks,
});
const LIMITS = { maxFiles: 10, maxHunks: 50, maxBytes: 100_000 };

test.each([
  ['a hunk of a million lines', [file([hunk(500_000)])]],
  ['lines of control characters', [file([hunk(100, '\u0001'.repeat(2000))])]],
  ['100,000 hunks', [file(Array.from({ length: 100_000 }, () => hunk(1)))]],
  ['100,000 files', Array.from({ length: 100_000 }, () => file([hunk(1)]))],
  ['long paths', [{ ...file([]), new_path: 'p'.repeat(200_000) }]],
])('a diff with %s is cut', (_name, files) => {
  const cut = limitDiff(files, LIMITS);
  expect(sizeOf(cut)).toBeLessThanOrEqual(LIMITS.maxBytes);
  expect(cut.length).toBeLessThanOrEqual(10);
  expect(cut.flatMap(({ hunks }) => hunks).length).toBeLessThanOrEqual(50);
  if (files.length === 1 && cut.length === 1) expect(cut[0]!.truncated).toBe(true);
});

test('a small diff is not truncated', () => {
  const files = [file([hunk(3, 'x')]), file([])];
  expect(limitDiff(files, LIMITS)).toEqual(files);
});

test('an answer that quotes huge changes takes less than a megabyte', () => {
  const huge = 'x'.repeat(500_000);
  const why = { code: 'c', params: {}, text: 't' };
  const cited = { hash: 'h', message: huge, author: 'a', timestamp: '' };
  const about = { ...cited, path: 'p', hunk: hunk(100_000, 'y') };
  const longHeader = { ...hunk(1, 'y'), header: huge };
  const answer = {
    solution: huge,
    patch: huge,
    context: { similar_errors: [{ ...about, content: huge, similarity: 1 }], code_suggestions: [huge] },
    places: Array.from({ length: 1000 }, () => ({ path: 'p', start_line: 1, end_line: 1, score: 1, why })),
    suspect_commits: [{ ...about, score: 1, why }],
    evidence: [{ id: 'e1', kind: 'frame', quote: huge, why }],
    changed_since: { path: 'p', line: 1, text: huge, how: 'changed', commit: cited, hunk: about.hunk },
    changed_later: { path: 'p', line: 1, text: 't', how: 'changed', commit: cited, hunk: longHeader },
    timeline: [{ kind: 'now', timestamp: '', commit: null, why, evidence: [], hunk: hunk(100_000, 'y') }],
  } as unknown as DebugAnswer;
  const limited = truncateAnswer(answer);
  expect(sizeOf(limited)).toBeLessThan(2 ** 20);
  expect(limited.places).toHaveLength(100);
  expect(limited.patch).toBeNull();
});
