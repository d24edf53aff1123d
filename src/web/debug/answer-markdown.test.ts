import { expect, test } from 'vitest';
import { formatAnswerMarkdown } from './answer-markdown.ts';

const LABELS = { place: 'Place', suspect: 'Suspect', patch: 'Recommended Fix', source: 'Ledger #3' };

test('an answer names verdict, place and suspect with the changed lines', () => {
  const hunk = {
    ...{ old_start: 1, old_lines: 2, new_start: 1, new_lines: 2, header: '' },
    lines: [
      { kind: 'delete' as const, text: 'a ```' },
      { kind: 'add' as const, text: 'b' },
    ],
  };
  const suspect = {
    ...{ hash: '1eb89f9aaaabbbbcccc', message: 'Simplify\n\nBody', author: 'Chris' },
    ...{ timestamp: '2024-02-14T10:00:00Z', hunk },
  };
  expect(
    formatAnswerMarkdown({
      ...{ headline: '`a.js:3` fails.', claims: ['Regression', 'Place 96%'], place: 'a.js:3', suspect },
      ...{ patch: null, url: 'http://x/debug/1', labels: LABELS },
    }),
  ).toBe(
    [
      '**`a.js:3` fails.**',
      'Regression · Place 96%',
      '- Place: `a.js:3`\n- Suspect: 1eb89f9aaaab “Simplify” (Chris, 2024-02-14)',
      '````diff\n-a ```\n+b\n````',
      '[Ledger #3](http://x/debug/1)\n',
    ].join('\n\n'),
  );
});

test('an answer that claims nothing is a sentence and a link', () => {
  const text = formatAnswerMarkdown({
    ...{ headline: 'Not enough evidence', claims: [], place: null, suspect: null, patch: null },
    ...{ url: 'http://x/debug/1', labels: LABELS },
  });
  expect(text).toBe('**Not enough evidence**\n\n[Ledger #3](http://x/debug/1)\n');
});
