import { afterAll, beforeAll, expect, test } from 'vitest';
import { debugAnswer } from '#contract/debug.ts';
import type { InvestigateDeps } from '#investigate/investigate.ts';
import { buildShop, SHOP_TRACE, type ShopHistory } from '#investigate/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { isResolvable, parseCitations } from '../answer/citations.ts';
import { createPool } from '../pool.ts';
import { answerError } from './answer-error.ts';

type AssistantPool = ReturnType<typeof createPool>;

let shop: ShopHistory;
let deps: InvestigateDeps;
let pool: AssistantPool;

beforeAll(async () => {
  shop = await buildShop();
  const index = await indexRepository(shop.repository.path, 'main');
  deps = { repo: shop.repository.path, index, sessions: [], now: '2024-03-01T00:00:00Z' };
  pool = createPool({ threads: 1 });
});
afterAll(async () => {
  await pool.close();
  await shop.repository.remove();
});

const ERRORS = [
  SHOP_TRACE,
  'Error: Unknown region atlantis for currency doubloon, no tax rate is known',
  'format of negative amounts in money is rounded the wrong way',
  'nothing works',
  `\`${'0'.repeat(12)}\` and \`src/money.js:1-900 @ ${'1'.repeat(40)}\` are at fault`,
];

test('the answer has the shape of the contract and a timeline in order', async () => {
  const { fingerprint, ...answer } = await answerError({ error_message: SHOP_TRACE }, deps, 'en');
  expect(debugAnswer.parse({ id: 's', number: 1, took_ms: 1, ...answer })).toMatchObject({
    abstained: false,
    indexed_commit: deps.index.revision,
    root_cause: { code: 'debug.cause.near', params: { hash: shop.culprit.slice(0, 7) } },
  });
  expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.timeline.map(({ kind }) => kind)).toEqual(['introduced', 'fixed_before', 'suspect', 'now']);
  expect(answer.context.similar_errors[0]).toMatchObject({
    hash: shop.fix,
    still_in_place: false,
    outcome: { state: 'reverted', undone_by: shop.culprit },
  });
  expect(answer.context.code_suggestions.length).toBeGreaterThanOrEqual(2);
  expect(answer.solution).toContain(answer.patch);
});

test.each(ERRORS)('every citation in the answer to %j resolves', async (error_message) => {
  const { solution, evidence } = await answerError({ error_message }, deps, 'en');
  for (const citation of parseCitations(solution)) expect(await isResolvable(citation, deps)).toBe(true);
  const ids = new Set(evidence.map(({ id }) => id));
  for (const [, id] of solution.matchAll(/\[(e\d+)\]/g)) expect(ids).toContain(id);
});

test('insufficient evidence names no cause and asks for details', async () => {
  const answer = await answerError({ error_message: 'nothing works' }, deps, 'en');
  expect(answer).toMatchObject({ abstained: true, confidence: 0, root_cause: null, patch: null });
  expect(answer.solution).toContain('not enough evidence');
  expect(answer.context.code_suggestions[0]).toMatch(/^Add the full stack trace/);
});

test('a deliberate error names its guard and its caller, and accuses no commit', async () => {
  const error_message = `Error: Unknown region atlantis for currency doubloon, no tax rate is known
    at taxRate (/srv/shop/node_modules/shop/src/region.js:6:11)
    at order (/srv/shop/order.js:12:5)`;
  const answer = await answerError({ error_message }, deps, 'en');
  expect(answer).toMatchObject({
    ...{ kind: 'guard', abstained: false, suspect_commits: [], patch: null },
    guard: {
      ...{ path: 'src/region.js', start_line: 5, end_line: 6, condition: 'if (rate === undefined)' },
      commit: { message: 'Know the tax rates of regions' },
      caller: { path: '/srv/shop/order.js', line: 12, in_repository: false },
    },
    root_cause: { code: 'debug.cause.raised' },
  });
  // That the place is right does not make the kind certain.
  expect(answer.confidence).toBeLessThanOrEqual(answer.place_confidence!);
  expect(answer.solution).toContain('Called from `/srv/shop/order.js:12`');
  expect(answer.solution).not.toContain('### Suspect commit');
});

test('another kind is stated where the signs leave it likely', async () => {
  const trace = (message: string) => `TypeError: ${message}
    at applyDiscount (/srv/app/src/checkout/total.js:13:48)
    at order (/srv/shop/order.js:12:5)`;
  const answerTo = (error_message: string) => answerError({ error_message }, deps, 'en');
  const [doubtful, clear, unclear] = [
    await answerTo(trace('code.toLowerCase is not a function')),
    await answerTo(trace("Cannot read properties of undefined (reading 'percent')")),
    await answerTo('nothing works'),
  ];
  expect(doubtful).toMatchObject({ kind: 'usage', alternative: { kind: 'regression' } });
  expect(doubtful.alternative!.confidence).toBeLessThan(doubtful.confidence);
  expect([clear.alternative, unclear.alternative]).toEqual([null, null]);
});

test('a crash of which neither place nor cause is known is abstained', async () => {
  const answer = await answerError({ error_message: '$ shop money.js\nSegmentation fault' }, deps, 'en');
  const nothing = { confidence: 0, place_confidence: null, root_cause: null };
  expect(answer).toMatchObject({ kind: 'regression', abstained: true, ...nothing });
});

test('an error of another program is declined, and names no place', async () => {
  const error_message = `KeyError: 'visits'
    at count (/srv/stats/node_modules/statistics/lib/visits.js:3:1)
    at main (/srv/stats/stats.js:9:5)`;
  const answer = await answerError({ error_message }, deps, 'en');
  const nothing = {
    abstained: true,
    root_cause: null,
    places: [],
    suspect_commits: [],
    place_confidence: null,
  };
  expect(answer).toMatchObject({ kind: 'foreign', ...nothing, cause_confidence: null });
  expect(answer.solution).toContain('is in this repository');
});

test('a fault of the machine is not one of the code', async () => {
  const error_message = `Error: listen EADDRINUSE: address already in use 127.0.0.1:3000
    at Server.setupListenHandle [as _listen2] (node:net:1908:16)

Node.js v20.20.2`;
  const answer = await answerError({ error_message }, deps, 'en');
  expect(answer).toMatchObject({ kind: 'environment', abstained: false, suspect_commits: [] });
  expect(answer.environment?.map(({ fact, found }) => [fact, found])).toEqual([
    ['port', 'EADDRINUSE: address already in use 127.0.0.1:3000'],
    ['runtime', 'node 20.20.2'],
  ]);
});

test('the people and the sessions around a place are named', async () => {
  const past = { id: 's1', title: 'TypeError', error: SHOP_TRACE, solution: '', helpful: true };
  const sessions = [{ ...past, seenAt: '2024-02-20T00:00:00.000Z' }];
  const answer = await answerError({ error_message: SHOP_TRACE }, { ...deps, sessions }, 'en');
  expect(answer.who_to_ask?.[0]).toEqual({
    ...{ name: 'Alan Turing', commits: 1, last_active: '2024-01-15T10:00:00.000Z' },
  });
  expect(answer.related_sessions).toEqual(['s1']);
});

test('each change is shown once', async () => {
  const { solution } = await answerError({ error_message: SHOP_TRACE }, deps, 'en');
  const line = '+  const discount = DISCOUNTS[code.toLowerCase()];';
  expect(solution.split(line).length - 1).toBeLessThanOrEqual(1);
});

test('an earlier session of the same error is in the timeline and among the similar errors', async () => {
  const past = { title: 'TypeError', error: SHOP_TRACE, solution: '' };
  const sessions = [
    { ...past, id: 's1', helpful: true, seenAt: '2024-02-20T00:00:00.000Z' },
    { ...past, id: 's2', helpful: false, seenAt: '2024-02-10T00:00:00.000Z' },
  ];
  const answer = await answerError({ error_message: SHOP_TRACE }, { ...deps, sessions }, 'en');
  expect(answer.timeline.at(-2)).toMatchObject({ kind: 'first_seen', timestamp: '2024-02-10T00:00:00.000Z' });
  const similarSessions = answer.context.similar_errors.filter(({ session_id }) => session_id);
  expect(similarSessions).toMatchObject([{ session_id: 's1', similarity: 1 }]);
});

/** The request for the trace, as the pool takes it. */
function poolTask() {
  const { repo, sessions, now, index } = deps;
  const request = { error_message: SHOP_TRACE };
  return { repo, shared: index.shared, sessions, now, language: 'en' as const, request };
}

test('a pool thread returns the same answer, and searches', async () => {
  const task = poolTask();
  expect(await pool.answerError(task, { userId: 'ada' })).toEqual(
    await answerError(task.request, deps, 'en'),
  );
  const found = await pool.searchCode(
    { repo: task.repo, shared: task.shared, q: 'applyDiscount', limit: 5 },
    { userId: 'ada' },
  );
  expect(JSON.parse(found).passages[0].path).toBe('src/checkout/total.js');
});

test('an aborted task ends, and the pool continues', async () => {
  const task = poolTask();
  const stop = new AbortController();
  const pending = pool.answerError(task, { userId: 'ada', signal: stop.signal });
  stop.abort();
  await expect(pending).rejects.toMatchObject({ code: 'unavailable', reason: 'stopped' });
  expect((await pool.answerError(task, { userId: 'ada' })).abstained).toBe(false);
});
