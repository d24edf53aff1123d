import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { indexRepository } from '#memory/testing.ts';
import { isResolvable, parseCitations } from '../../answer/citations.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { linkMentions } from '../understand/link.ts';
import type { Intent } from '../understand/reading.ts';
import { ANSWER_BY_INTENT } from './intent-registry.ts';

let repository: TestRepository;
let context: ToolContext;

const PRICE = (check: string) =>
  `export function roundPrice(cents, currency) {\n  ${check}\n  return Math.round(cents / 100);\n}\n`;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({
      message: 'Round prices',
      author: 'Ada Lovelace',
      files: {
        'src/price.js': PRICE('const unit = 100;'),
        'src/legacy/fax_sender.js': 'export const sendFax = 1;\n',
      },
    });
    await repo.tag('v1.0.0');
    await repo.commit({
      message: 'Support partial refunds (#7)\n\nShops asked for it.',
      author: 'Grace Hopper',
      files: { 'src/refund.js': 'export const refund_partially = (amount) => amount;\n' },
    });
    await repo.commit({
      message:
        'Reject negative cents before rounding\n\nA negative amount was rounded towards zero and lost a cent.\n\nFixes #12',
      author: 'Alan Turing',
      files: { 'src/price.js': PRICE('if (cents < 0) throw new RangeError(currency);') },
    });
    await repo.commit({
      message: 'Remove the fax sender\n\nNobody faxes; email replaces it.',
      author: 'Grace Hopper',
      files: { 'src/legacy/fax_sender.js': null, 'src/email_sender.js': 'export const sendEmail = 2;\n' },
    });
    await repo.tag('v2.0.0');
    await repo.commit({
      message: 'Indent by tabs',
      author: 'Format Fan',
      files: { 'src/refund.js': 'export const  refund_partially = (amount) => amount;\n' },
    });
  });
  const index = await indexRepository(repository.path, 'main');
  const sources = openSourceReader(repository.path, index);
  context = { repo: repository.path, index, sources, now: Date.parse('2024-03-01T00:00:00Z') / 1000 };
});
afterAll(async () => {
  context.sources.close();
  await repository.remove();
});

async function answer(intent: Intent, question: string): Promise<string> {
  const mentions = await linkMentions(question, context);
  const found = await ANSWER_BY_INTENT[intent](
    { intent, mentions, topic: question, question, prior: 1 },
    context,
  );
  const text = found?.text ?? '';
  for (const citation of parseCitations(text)) expect(await isResolvable(citation, context)).toBe(true);
  return text;
}

test('a feature in plain words was introduced by the commit that added it, with its first release', async () => {
  const text = await answer('introduced', 'Since which commit can we do partial refunds?');
  expect(text).toMatch(/was added on 1 Jan 2024 .*“Support partial refunds \(\\#7\)” \(Grace Hopper/);
  expect(text).toContain('Shops asked for it.');
  expect(text).toContain('#7');
  expect(text).toContain('First released in `v2.0.0`.');
});

test('a deleted file is found by its words, with the reason and what came in its place', async () => {
  const text = await answer('removed', 'What happened to the fax sender? Which commit dropped it?');
  expect(text).toMatch(/was removed on .*“Remove the fax sender” \(Grace Hopper/);
  expect(text).toContain('Nobody faxes; email replaces it.');
  expect(text).toContain('Deleted: `src/legacy/fax_sender.js`');
  expect(text).toContain('Added in the same commit: `src/email_sender.js`');
});

test('a condition is explained by the commit that wrote it', async () => {
  const text = await answer('why', 'why does roundPrice throw a RangeError when cents are negative?');
  expect(text).toMatch(/^`src\/price\.js:\d+-\d+ @ .*“Reject negative cents before rounding” \(Alan Turing/);
  expect(text).toContain('lost a cent');
  expect(text).toContain('#12');
});

test('the last change of a file is the newest that is no formatting, which is named', async () => {
  const text = await answer('who', 'Who touched src/refund.js last?');
  expect(text).toMatch(/was last changed by \*\*Grace Hopper\*\*/);
  expect(text).toMatch(/Not counted: .*“Indent by tabs”/);
});

test('a commit is found by the number of the issue that it closes', async () => {
  const text = await answer('commit', 'what did the fix for #12 do?');
  expect(text).toContain('“Reject negative cents before rounding”');
  expect(text).toContain('First released in `v2.0.0`.');
});

test('a commit shows the code that remains before what it deleted', async () => {
  const text = await answer('commit', 'what did “Remove the fax sender” do?');
  expect(text).toMatch(
    /In `src\/email_sender\.js`:[\s\S]*\+export const sendEmail[\s\S]*In `src\/legacy\/fax_sender\.js`:/,
  );
});
