import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorGroupRoutes } from '#contract/error-groups.ts';
import { newId } from '#db/ids.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { recordOccurrence } from './record-occurrences.ts';

let app: TestApp;
let ada: TestUser;
let ben: TestUser;
/** Ada owns both; Ben may look at the first. */
let shop: string;
let library: string;

beforeAll(async () => {
  app = await testApp();
  ada = await app.signUp('ada');
  ben = await app.signUp('ben');
  shop = await addProject('shop', { [ada.id]: 'owner', [ben.id]: 'viewer' });
  library = await addProject('library', { [ada.id]: 'owner' });
  for (let number = 1; number <= 5; number++) {
    await addError(shop, `e${number}`, {
      title: `TypeError: number ${number}`,
      kind: 'regression',
      cause: 0.6,
    });
  }
  await addError(library, 'f1', { title: 'KeyError: 100%_sure', kind: 'guard' });
  await addError(shop, 'secret', { title: 'Draft of ada', kind: 'vague', draft: true });
});
afterAll(() => app.close());

async function addProject(name: string, members: Record<string, 'owner' | 'viewer'>): Promise<string> {
  const id = newId();
  const row = { id, name, git_url: `https://git.example/${name}`, status: 'ready' } as const;
  await app.deps.db.insertInto('projects').values(row).execute();
  const rows = Object.entries(members).map(([user_id, role]) => ({ project_id: id, user_id, role }));
  await app.deps.db.insertInto('project_members').values(rows).execute();
  return id;
}

let number = 0;
interface NewError {
  title: string;
  kind: string;
  cause?: number;
  draft?: boolean;
}

async function addError(project_id: string, fingerprint: string, { title, kind, cause, draft }: NewError) {
  const id = newId();
  number += 1;
  await app.deps.db.transaction().execute(async (trx) => {
    await recordOccurrence(trx, { project_id, key: fingerprint, title: draft ? null : title });
    const places = [{ path: 'src/a.js', start_line: 1, end_line: 3 }];
    const suspect_commits = [{ hash: 'a'.repeat(40) }];
    const answer = { kind, cause_confidence: cause ?? null, places, suspect_commits, timeline: [] };
    const row = { id, project_id, fingerprint, title, number, user_id: ada.id, draft: draft ?? false };
    const texts = { request: '{"error_message":"x"}', answer: JSON.stringify(answer) };
    await trx
      .insertInto('debug_sessions')
      .values({ ...row, ...texts })
      .execute();
  });
  return id;
}

async function list(user: TestUser, query: Record<string, string> = {}) {
  const { status, body } = await app.call(errorGroupRoutes.list, { query }, user);
  expect(status).toBe(200);
  return body;
}

test('errors of all projects are paged, last seen first, each once', async () => {
  const titles: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(ada, { limit: '2', ...(cursor && { cursor }) });
    expect(page.errors.length).toBeLessThanOrEqual(2);
    expect(page.counts === null).toBe(cursor !== null);
    titles.push(...page.errors.map(({ title }) => title));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(titles[0]).toBe('Draft of ada');
  expect(titles[1]).toBe('KeyError: 100%_sure');
  expect(titles.slice(2)).toEqual([5, 4, 3, 2, 1].map((at) => `TypeError: number ${at}`));
  const { errors, counts } = await list(ada, { project_id: library });
  expect(counts).toEqual({ open: 1, regressed: 0, solved: 0, snoozed: 0, ignored: 0 });
  expect(errors).toMatchObject([{ project_name: 'library', kind: 'guard', count: 1, state: 'open' }]);
  expect(errors[0]!.weeks).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test('filters combine; wildcards in a search are text', async () => {
  expect((await list(ada, { kind: 'regression' })).errors).toHaveLength(5);
  expect((await list(ada, { kind: 'regression', q: 'NUMBER 3' })).errors).toHaveLength(1);
  expect((await list(ada, { q: '%' })).errors).toHaveLength(1);
  expect((await list(ada, { state: 'solved' })).errors).toHaveLength(0);
  for (const cursor of ['x', Buffer.from('["2026-13-99 00:00:00+00","x"]').toString('base64url')]) {
    const { status } = await app.call(errorGroupRoutes.list, { query: { cursor } }, ada);
    expect(status).toBe(400);
  }
});

test('a draft of another member shows no error, and changes none', async () => {
  const seen = await list(ben);
  expect(seen.errors.map(({ title }) => title)).not.toContain('Draft of ada');
  expect(seen.counts).toMatchObject({ open: 5, regressed: 0, solved: 0 });
  const [draft] = (await list(ada)).errors;
  const params = { id: shop, error: draft!.id };
  const asBen = await app.call(errorGroupRoutes.setState, { params, body: { state: 'solved' } }, ben);
  expect(asBen.status).toBe(409);
  const { body } = await app.call(
    errorGroupRoutes.ofProject,
    { params: { id: shop }, query: { q: 'draft' } },
    ben,
  );
  expect(body.errors).toEqual([]);
});

test('errors are resolved together or not at all; a recurrence reopens', async () => {
  const { errors } = await list(ada, { state: 'open' });
  const changes = errors.slice(1).map(({ id }) => ({ id, state: 'solved' as const }));
  const unknown = [...changes, { id: newId(), state: 'solved' as const }];
  expect((await app.call(errorGroupRoutes.setStates, { body: { changes: unknown } }, ada)).status).toBe(404);
  expect((await list(ada)).counts).toMatchObject({ solved: 0 });
  const shared = { changes: changes.slice(1) };
  expect((await app.call(errorGroupRoutes.setStates, { body: shared }, ben)).status).toBe(409);
  const { body } = await app.call(errorGroupRoutes.setStates, { body: { changes } }, ada);
  expect(body.errors).toHaveLength(6);
  expect(body.errors[0]).toMatchObject({ state: 'solved', previous_state: 'open' });

  await addError(library, 'f1', { title: 'KeyError: again', kind: 'guard' });
  const regressed = await list(ada, { state: 'regressed' });
  expect(regressed.errors).toMatchObject([{ title: 'KeyError: again', count: 2 }]);
  expect(regressed.errors[0]!.state_changed_at).not.toBeNull();
  const elsewhere = {
    params: { id: shop, error: regressed.errors[0]!.id },
    body: { state: 'open' as const },
  };
  expect((await app.call(errorGroupRoutes.setState, elsewhere, ada)).status).toBe(404);
});

test('only what an answer names can be marked as right', async () => {
  const id = await addError(shop, 'marked', { title: 'Error: marked', kind: 'regression' });
  const label = (body: { commit: string | null; place: { path: string; line: number } | null }) =>
    app.call(errorGroupRoutes.label, { params: { id }, body }, ben);
  expect((await label({ commit: 'b'.repeat(40), place: null })).status).toBe(400);
  expect((await label({ commit: null, place: { path: 'src/b.js', line: 1 } })).status).toBe(400);
  const stored = () => app.deps.db.selectFrom('debug_labels').select(['commit', 'place']).execute();
  await label({ commit: 'a'.repeat(40), place: { path: 'src/a.js', line: 2 } });
  expect(await stored()).toEqual([{ commit: 'a'.repeat(40), place: { path: 'src/a.js', line: 2 } }]);
  await label({ commit: null, place: null });
  expect(await stored()).toEqual([]);
});
