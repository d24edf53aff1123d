import { expect, test } from 'vitest';
import { quoteMessageBody } from './quote-body.ts';

const SQUASHED = [
  'Reuse connections (#12)',
  ...['* Add the pool', `* Fix typos\n\n${'Unrelated words about the release. '.repeat(12)}`],
  'The limit is 20 because the load balancer drops the next one.',
  ...Array.from({ length: 20 }, (_, i) => `* Address review ${i}`),
  'Signed-off-by: Ada <ada@example.com>',
].join('\n\n');

const countOf = (words: string[]) => (text: string) => words.filter((word) => text.includes(word)).length;

test('a short body is quoted whole, without trailers', () => {
  expect(quoteMessageBody('Fix\n\nOne.\n\nTwo.\nSigned-off-by: Ada <a@b.c>')).toBe('> One.\n>\n> Two.');
  expect(quoteMessageBody('Fix')).toBe('');
});

test('of a squashed commit only the paragraph that answers is quoted', () => {
  const quoted = quoteMessageBody(SQUASHED, { relevanceOf: countOf(['limit', 'balancer']) });
  expect(quoted).toBe('> …\n>\n> The limit is 20 because the load balancer drops the next one.\n>\n> …');
});

test('where no paragraph answers, the first ones are quoted', () => {
  const quoted = quoteMessageBody(SQUASHED, { relevanceOf: countOf(['elsewhere']) });
  expect(quoted).toMatch(/^> \\\* Add the pool\n>\n> \\\* Fix typos\n/);
  expect(quoted).toMatch(/\n> …$/);
  expect(quoted.length).toBeLessThan(700);
});

test('a long paragraph is cut at a word, and a long line is quoted in parts', () => {
  const quoted = quoteMessageBody(`Fix\n\n${'word '.repeat(400)}`);
  expect(quoted).toMatch(/word…$/);
  expect(quoted.replace(/[>\s]/g, '').length).toBeGreaterThan(400);
  expect(quoteMessageBody(`Fix\n\n${'x'.repeat(50_000)}`).length).toBeLessThan(700);
});
