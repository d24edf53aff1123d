import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { buildShop, type ShopHistory } from '#investigate/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { isResolvable, parseCitations } from '../answer/citations.ts';
import { answerQuestion } from './answer-question.ts';
import { weighCues } from './understand/cues.ts';

let shop: ShopHistory;
let index: RepositoryIndex;

beforeAll(async () => {
  shop = await buildShop();
  index = await indexRepository(shop.repository.path, 'main');
});
afterAll(() => shop.repository.remove());

const NOW = '2024-03-01T00:00:00Z';
const deps = () => ({ repo: shop.repository.path, index, now: NOW });
const ask = async (text: string, earlier: string[] = []) =>
  (await answerQuestion({ text, earlier }, deps())).answer;

test.each([
  ['who wrote src/checkout/total.js?', 'who'],
  ['Who are the main contributors?', 'who'],
  ['when was applyDiscount last changed', 'introduced'],
  ['Why is `taxRate` like this?', 'why'],
  ['Where is applyDiscount defined?', 'definition'],
  ['where is `format` used', 'callers'],
  ['what calls applyDiscount', 'callers'],
  ['What changed since 2024-01-01?', 'changes'],
  ['what has happened in the last 2 months', 'changes'],
  ['how was a crash with an unknown discount fixed before?', 'earlier_fixes'],
  ['does the shop know about rounding', 'search'],
  ['How does the shop round when a price is odd?', 'search'],
  ['Tell me when applyDiscount changed', 'introduced'],
  ['Which functions use applyDiscount?', 'callers'],
  ['Which commits touched src/money.js most recently?', 'changes'],
  ['which files are touched most?', 'hotspots'],
  ['¿Quién escribió src/money.js?', 'who'],
  ['Pourquoi applyDiscount est-il ainsi ?', 'why'],
  ['Wo wird applyDiscount verwendet?', 'callers'],
  ['Qu’est-ce qui a changé le mois dernier ?', 'changes'],
  ['Wie wurde ein Absturz früher behoben?', 'earlier_fixes'],
] as const)('%j has the intent %s', (text, intent) => {
  expect(likeliestIntent(text)).toBe(intent);
});

function likeliestIntent(text: string): string {
  const [cue] = weighCues(text);
  return cue && cue.weight > 1 ? cue.intent : 'search';
}

test('authors of a file are counted across renames', async () => {
  const answer = await ask('Who wrote src/checkout/total.js?');
  expect(answer).toMatch(/was added by \*\*Ada Lovelace\*\* on .* in .*“Print totals”/);
  expect(answer).toContain('“Accept discount codes in any case” (Alan Turing, 2024-01-15)');
  expect(answer).toMatch(/- \*\*Ada Lovelace\*\*: .*2 commits/);
});

test('the authors of a definition are those of its lines', async () => {
  const answer = await ask('who wrote applyDiscount?');
  expect(answer).toMatch(/`src\/checkout\/total\.js:\d+-\d+ @ [0-9a-f]{7}`/);
  expect(answer).toContain('**Alan Turing**: 1 line');
});

test('without a target, the authors of the project are listed', async () => {
  expect(await ask('Who works on this project?')).toMatch(/Top contributors to the 12 commits:/);
});

test('when: first and last change with date and age', async () => {
  const answer = await ask('When was src/money.js changed?');
  expect(answer).toMatch(/^`src\/money.js` was added on 5 Jan 2023 \(1 year ago\) in .*“Print totals”/);
  expect(answer).toMatch(/It was last changed on .* in .*“Fix negative amounts in money”/);
});

test('why: messages of the commits that changed the lines', async () => {
  const answer = await ask('why is `applyDiscount` the way it is?');
  expect(answer).toContain('“Print totals” (Ada Lovelace, 2023-01-05) introduced it');
  expect(answer).toContain('“Accept discount codes in any case”');
});

test('where defined and where used', async () => {
  const defined = await ask('Where is applyDiscount defined?');
  expect(defined).toMatch(/^`applyDiscount` is defined in `src\/checkout\/total\.js:/);
  expect(defined).toContain('export function applyDiscount(cents, code) {');
  const used = await ask('where is applyDiscount used?');
  expect(used).toMatch(/^`applyDiscount` has 1 reference in 1 file of the source code/);
  expect(used).toContain('return format(applyDiscount(sum(items), code));');
});

test('what changed: since a day, in a span, in a file', async () => {
  const since = await ask('What changed since 2024-01-01?');
  expect(since).toMatch(/^The project changed in 2 commits by 2 people since 2024-01-01:/);
  expect(await ask('what changed in the last 2 weeks?')).toMatch(/has not changed since/);
  expect(await ask('what changed in src/money.js?')).toMatch(/^`src\/money.js` changed in 5 commits/);
});

test('a commit is described with its diff, and a fix with its outcome', async () => {
  const answer = await ask(`Explain ${shop.refixedFix.slice(0, 10)}`);
  expect(answer).toContain('“Fix rounding of half cents in money”');
  expect(answer).toMatch(
    /This commit is a fix. The fix did not last: its lines were fixed again after 7 days by/,
  );
  expect(answer).toContain('- `src/money.js`: +1 −1');
  expect(answer).toContain('+  return (Math.round(cents) / 100).toFixed(2);');
});

test.each([
  ['What did the last commit do?', '“Log requests”'],
  ['¿Qué hizo el último commit?', '“Log requests”'],
  ['What was the first commit?', '“Print totals”'],
  ['What are the most recent changes?', 'newest first'],
  ['How many commits are there?', '12 commits by'],
])('%j is answered from the whole history', async (question, expected) => {
  expect(await ask(question)).toContain(expected);
});

test('the last commit to a file is not that of the project', async () => {
  expect(await ask('What was the last commit to src/checkout/total.js?')).not.toMatch(
    /^`[0-9a-f]{7}` “Log requests/,
  );
});

test('earlier fixes are listed with their outcomes', async () => {
  const answer = await ask('How was a crash with an unknown discount code fixed before?');
  expect(answer).toMatch(
    /Fix crash when a discount code is unknown.*The fix is still in place after \d+ (?:months|years)/,
  );
});

test('any other question gets the best passages with their latest commits', async () => {
  const answer = await ask('tax rates of regions');
  expect(answer).toMatch(/`src\/region\.js:\d+-\d+ @ .*last changed in .*“Know the tax rates of regions”/);
  expect(await ask('zzzz')).toMatch(/^Nothing in the code or its history/);
});

test('a follow-up question uses the target of the one before it', async () => {
  const answer = await ask('And when?', ['Who wrote src/money.js?']);
  expect(answer).toMatch(/^`src\/money.js` was added on/);
  expect(await ask('And when?')).not.toContain('src/money.js` was added');
});

test('without code, the answer uses the history only', async () => {
  const blind = { ...deps(), index: { ...index, code: null }, forModel: true };
  const { answer, context } = await answerQuestion({ text: 'tax rates of regions', earlier: [] }, blind);
  expect(answer).toContain('“Know the tax rates of regions”');
  expect(answer + context).not.toContain('RATES[region]');
});

test.each([
  'who wrote src/money.js',
  'why is taxRate so',
  'where is `format` used',
  'tax rates of regions',
  'what changed since 2023-01-01',
  `explain ${'0'.repeat(12)} and src/nothing.js:1-900`,
])('every citation in the answer to %j resolves', async (text) => {
  const { answer } = await answerQuestion({ text, earlier: [] }, deps());
  for (const citation of parseCitations(answer.replace(/~~.*?~~/g, ''))) {
    expect(await isResolvable(citation, deps())).toBe(true);
  }
});

test('the context for a model contains code and messages, and stays within its budget', async () => {
  const question = { text: 'how is the discount of a code applied', earlier: [] };
  const { answer, context } = await answerQuestion(question, { ...deps(), forModel: true });
  expect(await answerQuestion(question, deps())).toMatchObject({ answer, context: '' });
  expect(context).toContain('discount.percent');
  expect(context).toContain('Accept discount codes in any case');
  expect(context.length).toBeLessThanOrEqual(24_000);
});

test('hotspots, co-change, files and folders are answered from the whole history', async () => {
  expect(await ask('Which files change most often?')).toMatch(/Most frequently changed files:\n\n- `src\//);
  expect(await ask('What are the hotspots under src/checkout?')).toMatch(
    /^Most frequently changed files in `src\/checkout`/,
  );
  expect(await ask('What usually changes together with src/money.js?')).toMatch(
    /in the same commits as `src\/money\.js`/,
  );
  expect(await ask('Explain src/region.js')).toContain('`taxRate` in `src/region.js:');
  expect(await ask('what happened in src/checkout since 2024-01-01?')).toMatch(
    /^`src\/checkout` changed in 1 commit/,
  );
});

test('a plain word that is also a symbol name does not become the target', async () => {
  const answer = await ask('How was the format of a crash fixed before?');
  expect(answer).toMatch(
    /^Most similar fixes:\n\n- `[0-9a-f]{7}` “Fix crash when a discount code is unknown”.*still in place/,
  );
  expect(answer).not.toMatch(/Fixes in `src\/money\.js`|Fix rounding of half cents/);
});

test('moved code is followed to its origin, and a rename is reported', async () => {
  const moved = await buildRepository(async (repo) => {
    const body = (name: string) =>
      `export function ${name}(parcels) {\n  const heavy = parcels.filter((parcel) => parcel.weight > limitOfWeight);\n  return heavy.map((parcel) => splitIntoSmaller(parcel));\n}\n`;
    await repo.commit({
      message: 'Pack parcels',
      author: 'Ada',
      files: { 'a.js': `let a;\n${body('pack')}` },
    });
    await repo.commit({
      message: 'Call it wrap',
      author: 'Bob',
      files: { 'a.js': `let a;\n${body('wrap')}` },
    });
    await repo.commit({ message: 'Split it off', files: { 'a.js': 'let a;\n', 'b.js': body('wrap') } });
  });
  const own = { repo: moved.path, index: await indexRepository(moved.path, 'main'), now: NOW };
  const answerTo = async (text: string) => (await answerQuestion({ text, earlier: [] }, own)).answer;
  expect(await answerTo('When was `wrap` added?')).toMatch(
    /^`wrap` in .* was added on .*“Pack parcels”.*The name `wrap` was introduced in .*“Call it wrap”/s,
  );
  const split = /Most of it was previously in `a\.js`, which was added in .*“Pack parcels” \(Ada/;
  expect(await answerTo('Who began b.js?')).toMatch(split);
  expect(await answerTo('When was b.js created?')).toMatch(split);
  expect(await answerTo('Why does b.js exist?')).toMatch(split);
  expect(await answerTo('Why is there a `wrap`?')).toContain(
    '“Pack parcels” (Ada, 2024-01-01) introduced it',
  );
  await moved.remove();
});
