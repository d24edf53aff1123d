import { expect, test } from 'vitest';
import { capMarkdown } from './markdown-limits.ts';

test('ordinary markdown is left as it is', () => {
  const text =
    '# Cause\n\n> quoted\n\n- one\n  - two\n    1. three\n\n```py\nx = a - b\n```\n**bold** - dash';
  expect(capMarkdown(text)).toBe(text);
});

test('quotes and lists are at most 50 deep', () => {
  expect(capMarkdown(`${'>'.repeat(5000)} deep`)).toBe(`${'>'.repeat(50)} deep`);
  expect(capMarkdown(`${'- '.repeat(300)}x`)).toBe(`${'- '.repeat(50).trimEnd()} x`);
  expect(capMarkdown(`${' '.repeat(600)}- x`)).toBe(`${' '.repeat(100)}- x`);
});

test('at most 32,000 characters are shown', () => {
  expect(capMarkdown('a'.repeat(60_000))).toHaveLength(32_000);
});
