import { expect, test } from 'vitest';
import { stripMarkdown } from './markdown-plain.ts';

test('syntax is removed, text and code stay', () => {
  const text =
    '### Root cause\n\n`src/a.js:1-2 @ abc1234` **fails** in [the loop](https://a.b).\n\n```js\nlet x = 1;\n```\n\n- one\\_two\n- ~~gone~~\n\n> said';
  expect(stripMarkdown(text)).toEqual([
    'Root cause',
    'src/a.js:1-2 @ abc1234 fails in the loop.',
    'let x = 1;',
    '• one_two\n• gone',
    'said',
  ]);
});
