import { expect, test } from 'vitest';
import { capMarkdown } from './markdown-limits.ts';

test('ordinary Markdown is unchanged', () => {
  const text =
    '# Cause\n\n> quoted\n\n- one\n  - two\n    1. three\n\n```py\nx = a - b\n```\n**bold** - dash';
  expect(capMarkdown(text)).toBe(text);
});

test('quotes and lists are limited to 50 levels', () => {
  expect(capMarkdown(`${'>'.repeat(5000)} deep`)).toBe(`${'>'.repeat(50)} deep`);
  expect(capMarkdown(`${'- '.repeat(300)}x`)).toBe(`${'- '.repeat(50).trimEnd()} x`);
  expect(capMarkdown(`${' '.repeat(600)}- x`)).toBe(`${' '.repeat(100)}- x`);
});

test('the text is limited to 32,000 characters', () => {
  expect(capMarkdown('a'.repeat(60_000))).toHaveLength(32_000);
});
