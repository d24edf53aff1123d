import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { abbreviateHash, citeCommit, citeLines, isResolvable, parseCitation } from './citations.ts';
import { checkModelText, streamCheckedLines, type VerdictCache } from './model-text.ts';

const SOURCE = `export function total(items) {
  const sum = items.reduce((all, item) => all + item.price, 0);
  return round(sum);
}
`;

let repository: TestRepository;
let index: RepositoryIndex;
let head: string;
const source = () => ({ repo: repository.path, index });
const lines = (from = 1, to = 4) =>
  citeLines({ path: 'src/total.js', from, to, commit: head }, index.commits);

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    head = await repo.commit({
      message: 'Add up prices\n\nRounding came with the euro.',
      files: { 'src/total.js': SOURCE },
    });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

/** Code spans of the rendered text. */
function shownCode(markdown: string): string[] {
  const found: string[] = [];
  const collect = (node: Nodes) => {
    if (node.type === 'inlineCode') found.push(node.value);
    if ('children' in node) for (const child of node.children) collect(child);
  };
  const remarkPlugins = [remarkGfm, () => collect];
  renderToStaticMarkup(createElement(Markdown, { remarkPlugins, skipHtml: true }, markdown));
  return found;
}

const quoted: [string, (cite: () => string) => string][] = [
  ['code before', (cite) => `\`return round(sum);\` (${cite()})`],
  ['a name before', (cite) => `\`Cart.total()\` in ${cite()} adds up`],
  ['code behind', (cite) => `See ${cite()}: \`const sum = items.reduce(\``],
  ['code with something left out', (cite) => `\`const sum = … item.price, 0)\` in ${cite()}`],
  ['the path', (cite) => `\`src/total.js\` (${cite()})`],
  ['a block', (cite) => `In ${cite()}:\n\n\`\`\`js\nreturn   round(sum);\n}\n\`\`\`\nso.`],
  ['a block with numbers', (cite) => `${cite()}\n\`\`\`\n3\t  return round(sum);\n4\t}\n\`\`\``],
  [
    'a block with something left out',
    (cite) => `${cite()}:\n~~~\nexport function total(items) {\n  // ...\n}\n~~~`,
  ],
  ['a proposal', (cite) => `Change ${cite()} to:\n\n\`\`\`js\nreturn sum;\n\`\`\``],
  ['a patch', (cite) => `${cite()}:\n\`\`\`diff\n-  return round(sum);\n+  return sum;\n\`\`\``],
  ['code that is not beside it', (cite) => `\`undefined\` comes back, since ${cite()} does not check.`],
];
test.each(quoted)('%s occurs in the source: the citation is valid', async (_, write) => {
  const text = write(lines);
  expect(await checkModelText(text, source())).toBe(text);
});

const misquoted: [string, (cite: () => string) => string][] = [
  ['code before', (cite) => `\`return sum;\` (${cite()})`],
  ['a name before', (cite) => `\`totals()\` in ${cite()} adds up`],
  ['code behind', (cite) => `See ${cite()}: \`sum = 1\``],
  ['words', (cite) => `“never rounds” (${cite()})`],
  ['a block', (cite) => `In ${cite()}:\n\n\`\`\`js\nreturn floor(sum);\n\`\`\`\nso.`],
];
test.each(misquoted)('%s does not occur in the source: the citation is struck out', async (_, write) => {
  const struck = lines().replaceAll('`', '');
  expect(await checkModelText(write(lines), source())).toBe(write(() => `~~≠ ${struck}~~`));
});

test('a quote of a commit may be from its message or its diff', async () => {
  const cite = citeCommit(head, index.commits);
  const right = `${cite} “Add up prices”, “rounding came with the Euro.” (${cite}), \`return round(sum)\` in ${cite}`;
  expect(await checkModelText(right, source())).toBe(right);
  expect(await checkModelText(`${cite} “Drop prices”`, source())).toBe(
    `~~≠ ${abbreviateHash(head, index.commits)}~~ “Drop prices”`,
  );
});

test('only a line that introduces a block stays pending until the block ends', async () => {
  const text = `First.\nIn ${lines()}:\n\n\`\`\`js\nreturn floor(sum);\n\`\`\`\nLast.`;
  async function* write() {
    for (const line of text.split(/(?<=\n)/)) yield line;
  }
  const shown: string[] = [];
  for await (const piece of streamCheckedLines(write(), source())) shown.push(piece);
  expect(shown[0]).toBe('First.\n');
  expect(shown[1]).toMatch(/^In ~~≠ .*floor/s);
  expect(shown.join('')).toBe(await checkModelText(text, source()));
});

const PIECES = [
  '`',
  '``',
  '```',
  '```js',
  '~~~',
  '\n',
  '\n\n',
  '\n- ',
  '\n  ',
  '\n> ',
  '\n1. ',
  '    ',
  ' ',
  '|',
];
const MORE = [
  '\n|---|---|\n',
  '<div>',
  '<!--',
  '-->',
  '\\',
  '**',
  '~~',
  '[a](b',
  ')',
  '<a title="',
  '">',
  '“',
  '”',
  'word',
];

test('no model text renders a citation that does not resolve', { timeout: 60_000 }, async () => {
  const known: VerdictCache = new Map();
  const cited = [
    '0123456789ab',
    `src/total.js:1-9 @ ${head}`,
    `no.js:1 @ ${head}`,
    `src/total.js:2 @ ${head}`,
  ];
  const pieces = [...PIECES, ...MORE, ...cited, ...cited.map((text) => `\`${text}\``), head, `\`${head}\``];
  const ticks = fc.constantFrom('`', '``', '`\n', '\n`', '` ', ' `', '|`', '`|', '">`', '```\n', '\n```\n');
  const wrapped = fc.tuple(ticks, fc.constantFrom(...cited), ticks).map((three) => three.join(''));
  const part = fc.oneof(fc.constantFrom(...pieces), wrapped);
  const verdicts = new Map<string, boolean>();
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 16 }), async (parts) => {
      const checked = await checkModelText(parts.join(''), source(), known);
      const twice = await checkModelText(checked, source(), known);
      for (const text of [...shownCode(checked), ...shownCode(twice)]) {
        const citation = parseCitation(text);
        if (!citation) continue;
        if (!verdicts.has(text)) verdicts.set(text, await isResolvable(citation, source()));
        expect(verdicts.get(text), text).toBe(true);
      }
    }),
    { numRuns: 600, seed: 6 },
  );
});
