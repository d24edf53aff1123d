import { expect, test } from 'vitest';
import { quoteDocument } from './quote-document.ts';

test.each([
  ['docs/setup.md', ['# Set-up', 'Run `make`.'], '```markdown quote'],
  ['docs/setup.md', ['Run', '```sh', 'make', '```'], '````markdown quote'],
  ['docs/setup.md', ['Run', '```sh', 'make'], '````'],
  ['docs/setup.md', ['---', 'title: Set-up', '---'], '```'],
  ['docs/setup.rst', ['Set-up', '======'], '```'],
])('%s with %j', (path, lines, opening) => {
  expect(quoteDocument(path, lines).split('\n')).toEqual([opening, ...lines, opening.replace(/[^`]+/, '')]);
});

test('a manual page is quoted without its formatting', () => {
  const lines = ['.TP', '\\fB\\-\\-all\\fR', 'Lists all.', '.RS'];
  expect(quoteDocument('man/shop.1', lines)).toBe('```\n--all\nLists all.\n```');
});
