import { expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { investigate } from '../investigate.ts';

const body = (head: string, guard: string) =>
  [
    `export function price(${head}) {`,
    ...Array.from({ length: 12 }, (_, i) => `  const step${i} = item.steps[${i}];`),
    guard,
    '  return item.offer.amount;',
    '}',
    '',
  ].join('\n');

const ERROR =
  "TypeError: Cannot read properties of undefined (reading 'amount')\n    at price (/srv/price.js:15:21)";
const GUARD = '  if (item.offer === undefined) return 0;';
const PLAIN = '  // what it costs';

/** A function whose guard was there from the start or came later, and a last change of `words`. */
async function answerAfter({ path = 'price.js', ...last }: { head: string; guard: string; path?: string }) {
  const first = path === 'price.js' ? GUARD : 'const free = item.offer === undefined;';
  const repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Price an item', files: { [path]: body('item', first) } });
    await repo.commit({
      message: 'Change the price of an offer',
      files: { [path]: body(last.head, last.guard) },
    });
  });
  try {
    const index = await indexRepository(repository.path);
    const now = '2024-03-01T00:00:00.000Z';
    return await investigate(
      { error_message: ERROR.replace('price.js', path) },
      { repo: repository.path, index, sessions: [], now },
    );
  } finally {
    await repository.remove();
  }
}

test('proposes to revert a change near the failing line', async () => {
  const { patch } = await answerAfter({ head: 'item', guard: PLAIN });
  expect(patch).toMatchObject({ kind: 'revert', path: 'price.js' });
  expect(patch?.text).toContain(`+${GUARD}`);
});

test('does not propose to revert a change without effect at run time', async () => {
  const guard = 'const free: boolean = item.offer === undefined;';
  const { suspects, patch } = await answerAfter({ head: 'item', guard, path: 'price.ts' });
  expect(suspects[0]?.hunk?.lines.some(({ text }) => text === guard)).toBe(true);
  expect(patch).toBeNull();
});

test('does not propose to revert a change far from the failing line', async () => {
  const { suspects, patch } = await answerAfter({ head: 'item, shop', guard: GUARD });
  expect(suspects[0]?.path).toBe('price.js');
  expect(patch).toBeNull();
});
