import type { Family, Input } from '../family.ts';

/*
 * Hostile model output. Invariants: the process keeps answering other users while it is checked, and
 * what is too long is cut.
 */

const repeat = (unit: string, bytes: number) => unit.repeat(Math.ceil(bytes / unit.length));

const TEXTS: [string, () => string][] = [
  ['40 KB of tabs', () => repeat('\t', 40_000)],
  ['200 KB of blanks', () => repeat(' ', 200_000)],
  ['30 KB of lines with code', () => repeat('a `b `\n', 30_000)],
  ['120 KB of cited lines', () => repeat('see `src/cart.js:1-2 @ abcdef0`\n', 120_000)],
  ['200 KB of backticks', () => repeat('`', 200_000)],
  [
    '100 KB of runs of backticks of all lengths',
    () => Array.from({ length: 440 }, (_, index) => '`'.repeat(index)).join(' '),
  ],
  ['100 KB of open fences', () => repeat('```js\n', 100_000)],
  ['100 KB of fences in lists', () => repeat('- > - ```\n', 100_000)],
  ['100 KB of a table', () => `|a|b|\n|-|-|\n${repeat('|`x`|`y`|\n', 100_000)}`],
  ['100 KB of a table without an end', () => repeat('|-', 100_000)],
  ['100 KB of dashes', () => repeat('-', 100_000)],
  ['100 KB of "> "', () => repeat('> ', 100_000)],
  ['100 KB of tags', () => repeat('<a ', 100_000)],
  ['100 KB of escapes', () => repeat('\\', 100_000)],
  ['100 KB of brackets', () => repeat('[', 100_000)],
  ['100 KB of pictures', () => repeat('![a](http://127.0.0.1:9/x) ', 100_000)],
  ['100 KB of quotes beside citations', () => repeat('"total" in `src/cart.js:1-2 @ HEAD`: "x"\n', 100_000)],
  ['20,000 line feeds', () => repeat('\n', 20_000)],
  ['4 MB of words', () => repeat('word and more words\n', 4_000_000)],
  ['one word of 1 MB', () => repeat('a', 1_000_000)],
  ['links that look like another host', () => repeat('[paypal.com](https://evil.example) ', 50_000)],
  ['blanks before a quotation', () => repeat(' \t>', 60_000)],
];

const inputs: Input[] = TEXTS.flatMap(([name, make], index) =>
  (['json', 'events'] as const).map((form) => ({
    name: `the model writes ${name}, asked for ${form}`,
    act: async (world) => {
      world.model!.script = make();
      try {
        await world.send('viewer', {
          ...{ method: 'POST', path: `/api/chat/projects/${world.projectId}/messages` },
          headers: form === 'events' ? { accept: 'text/event-stream' } : {},
          timeoutMs: 25_000,
          body: { message: `Why is ${name} there?`, use_chat_history: false },
        });
      } finally {
        world.model!.script = null;
      }
      return null;
    },
    slowestMs: 20_000,
    short: index < 3 && form === 'events',
  })),
);

export const modelText: Family = { name: 'model text', modes: ['model'], inputs };
