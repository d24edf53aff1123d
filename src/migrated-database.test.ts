import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { adminRoutes } from '#contract/admin.ts';
import { auditRoutes } from '#contract/audit.ts';
import { authRoutes } from '#contract/auth.ts';
import { backtestRoutes } from '#contract/backtest.ts';
import { chatRoutes } from '#contract/chat.ts';
import { dashboardRoutes } from '#contract/dashboard.ts';
import { debugRoutes } from '#contract/debug.ts';
import { egressRoutes } from '#contract/egress.ts';
import { historyRoutes } from '#contract/history.ts';
import { hookRoutes } from '#contract/hooks.ts';
import { identityRoutes } from '#contract/identities.ts';
import { keyRoutes } from '#contract/keys.ts';
import { memberRoutes } from '#contract/members.ts';
import { modelRoutes } from '#contract/models.ts';
import { notificationRoutes } from '#contract/notifications.ts';
import { paymentRoutes } from '#contract/payments.ts';
import { projectRoutes } from '#contract/projects.ts';
import type { Route, RouteInput, RouteReply } from '#contract/route.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { migrate } from '#db/migrate.ts';
import { OLD_ROWS, restoreOldDatabase } from '#db/testing-restore.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing.ts';

const PROJECT = String(OLD_ROWS.projects![0]!.id);
const params = { id: PROJECT };

let app: TestApp;
/** Administrator, and owner of the project. */
let ada: TestUser;
/** Editor of the project. */
let grace: TestUser;

beforeAll(async () => {
  app = await testApp();
  const { db } = app.deps;
  await restoreOldDatabase(db);
  await migrate(db);
  ada = await signIn('ada', 'correct horse battery');
  grace = await signIn('grace', 'another horse battery');
});
afterAll(async () => await app.close());

async function signIn(username: string, password: string): Promise<TestUser> {
  const { id, email } = OLD_ROWS.users!.find((row) => row.username === username)!;
  const account = { id: String(id), username, email: String(email), password };
  return await app.signIn({ ...account, accessToken: '', refreshToken: '' });
}

async function read<R extends Route>(route: R, input: RouteInput<R>, as = ada): Promise<RouteReply<R>> {
  const { status, body, raw } = await app.call(route, input, as);
  expect(status, raw.body).toBe(route.status ?? 200);
  expect(route.reply.safeParse(body).error).toBeUndefined();
  return body;
}

async function session(number: number, as = ada) {
  return await read(debugRoutes.session, { params: { id: String(number) } }, as);
}

test('an answer shows fix outcomes, the introducing commit and the index freshness', async () => {
  const { answer, feedback, resolution } = await session(1);
  expect(answer.context.similar_errors[0]).toMatchObject({
    content: 'Fix KeyError for unknown articles in price_of',
    still_in_place: false,
    outcome: { state: 'reverted', days: 336, undone_by: expect.stringMatching(/^0416c127/) },
  });
  expect(answer.timeline.map(({ kind }) => kind)).toEqual(['introduced', 'fixed_before', 'suspect', 'now']);
  expect(answer.timeline[1]!.outcome).toMatchObject({ state: 'reverted' });
  expect(answer.evidence.find(({ kind }) => kind === 'introduced')?.why.code).toBe('debug.why.introduced');
  expect(answer.places.map(({ why }) => why.code)).toContain('debug.why.place_terms');
  expect(answer).toMatchObject({ calibration: null, freshness: { branch: 'main', behind: 0 } });
  expect(feedback).toMatchObject([{ helpful: true }]);
  expect(resolution).toMatchObject({
    state: 'suggested',
    message: 'Fix KeyError for unknown articles again',
    path: 'src/prices.py',
  });
});

test('an answer shows the earlier session that solved the same error, and its calibration', async () => {
  const { answer } = await session(1, grace);
  expect(answer.calibration).toEqual({ log_odds_offset: -0.06570927446392605, sample_count: 2 });
  expect(answer.context.similar_errors.map((error) => Object.keys(error))).toContainEqual(
    expect.arrayContaining(['session_id', 'earlier_answer']),
  );
});

test('an answer shows the run of the language model', async () => {
  const { answer } = await session(3);
  expect(answer.model_run).toMatchObject({
    model: 'ollama:llama3.1',
    failure: { code: 'errors.model_unreachable' },
    patch: 'none',
  });
});

test('sessions, feedback and chats are listed', async () => {
  expect((await read(debugRoutes.sessions, { query: {} })).sessions).toHaveLength(4);
  const query = { scope: 'project' as const };
  expect(await read(historyRoutes.feedback, { params, query })).toHaveLength(2);
  expect((await read(chatRoutes.threads, { params, query: {} })).threads).toMatchObject([
    { title: expect.any(String), message_count: expect.any(Number) },
    { title: 'Prices', message_count: expect.any(Number) },
  ]);
  const thread = String(OLD_ROWS.chat_messages![0]!.thread_id);
  const { messages } = await read(chatRoutes.messages, { params, query: { thread } });
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', freshness: { branch: 'main', behind: 0 } });
  expect(messages.at(-1)?.siblings).toHaveLength(2);
  expect(await read(chatRoutes.summaries, { params, query: { thread } })).toEqual({ summaries: [] });
});

test('profiles show their notification scope', async () => {
  expect((await read(accountRoutes.me, {})).preferences.notification_scope).toBe('all');
  expect(await read(accountRoutes.me, {}, grace)).toMatchObject({
    email_verification: 'unavailable',
    two_factor_enabled: false,
    preferences: { notification_scope: 'participating' },
  });
  expect(await read(twoFactorRoutes.state, {})).toEqual({ enabled: false, recovery_codes_remaining: 0 });
  expect((await read(authRoutes.sessions, {})).sessions.length).toBeGreaterThan(0);
  expect((await read(identityRoutes.list, {})).identities).toEqual([]);
});

test('the security log names its events by their standard codes', async () => {
  const { events } = await read(auditRoutes.all, { query: { limit: '200' } });
  const names = events.map(({ event }) => event);
  expect(names).toEqual(
    expect.arrayContaining([
      'deletion_canceled',
      'deletion_requested',
      'invitation_created',
      'invitation_revoked',
      'project_updated',
      'signup_invitation_created',
      'signup_mode_changed',
    ]),
  );
  const created = events.find(({ event }) => event === 'project_created');
  expect(created?.detail).toEqual({ project: 'shop', git_url: 'https://git.example.org/shop.git' });
  expect((await read(auditRoutes.mine, { query: {} }, grace)).events.length).toBeGreaterThan(0);
});

test('notifications have the codes of their texts', async () => {
  const codes = async (as: TestUser) =>
    (await read(notificationRoutes.list, { query: {} }, as)).map(({ sentence }) => sentence.title.code);
  expect(await codes(ada)).toEqual(
    expect.arrayContaining(
      ['project_ready', 'project_updated'].map((name) => `notifications.event.${name}.title`),
    ),
  );
  expect(await codes(grace)).toContain('notifications.event.deletion_canceled.title');
});

test('the project, its members, webhook, back-test and outbound calls are shown', async () => {
  expect(await read(projectRoutes.list, {})).toMatchObject([{ id: PROJECT, coverage: { indexed: 4 } }]);
  expect(await read(projectRoutes.get, { params })).toMatchObject({ status: 'ready', role: 'owner' });
  const { members, invitations } = await read(memberRoutes.list, { params });
  expect(members).toMatchObject([
    { username: 'ada', role: 'owner', is_self: true, joined_at: expect.any(String) },
    { username: 'grace', role: 'editor', is_self: false },
  ]);
  expect(invitations).toHaveLength(3);
  expect(await read(hookRoutes.get, { params })).toMatchObject({
    push_url: expect.stringContaining(`/api/hooks/${PROJECT}/push`),
    last_delivery: null,
  });
  const { backtest } = await read(backtestRoutes.get, { params });
  expect(backtest?.metrics?.files).toEqual({ case_count: 1, at1: 1, at3: 1, at5: 1 });
  expect(backtest?.metrics?.calibration.expected_error).toBeCloseTo(0.94);
  expect(backtest?.metrics?.calibration.bins[0]).toMatchObject({ case_count: 1, accuracy: 1 });
  expect(backtest?.cases[0]?.files).toEqual({ expected: ['src/prices.py'], rank: 1 });
  const { entries } = await read(egressRoutes.project, { params, query: {} });
  expect(entries.find(({ purpose }) => purpose === 'debug')).toMatchObject({
    bytes_sent: expect.any(Number),
    bytes_received: 0,
    duration_ms: expect.any(Number),
  });
  expect((await read(egressRoutes.all, { query: {} })).entries.length).toBeGreaterThanOrEqual(entries.length);
  expect(await read(dashboardRoutes.get, {})).toMatchObject({ total_projects: 1, solved_errors: 1 });
});

test('API keys, plans and administration show what was stored', async () => {
  expect((await read(keyRoutes.list, {})).keys).toMatchObject([{ name: 'ci', scope: 'read' }]);
  expect(await read(paymentRoutes.subscription, {})).toMatchObject({ plan: 'free' });
  expect(await read(modelRoutes.state, {})).toMatchObject({
    source: 'admin',
    name: 'llama3.1',
    has_api_key: false,
  });
  expect((await read(modelRoutes.usage, {})).month.tokens).toBeGreaterThanOrEqual(0);
  expect((await read(modelRoutes.users, {})).users).toEqual(expect.any(Array));
  expect((await read(adminRoutes.users, { query: {} })).users).toMatchObject([
    { username: 'grace', project_count: 1 },
    { username: 'ada', project_count: 1, two_factor_enabled: false },
  ]);
  expect((await read(adminRoutes.projects, { query: {} })).projects).toMatchObject([
    { name: 'shop', member_count: 2, commit_count: 6, file_count: 4 },
  ]);
  expect((await read(adminRoutes.invitations, {})).invitations).toMatchObject([{ email: 'eve@example.org' }]);
  expect(await read(adminRoutes.features, {})).toMatchObject({ project_creation: true, webhooks: true });
  expect(await read(authRoutes.setup, {})).toMatchObject({ signup: 'invite' });
});

test('tokens that were issued before can be used', async () => {
  const { rows } = await sql<{
    purpose: string;
  }>`select purpose from one_time_tokens order by purpose`.execute(app.deps.db);
  expect(rows.map(({ purpose }) => purpose)).toEqual(['data_export', 'password_reset']);
});

test('the data export reads every renamed column', async () => {
  const { url } = await read(
    accountRoutes.requestExport,
    { body: { current_password: grace.password } },
    grace,
  );
  const token = new URL(url, 'http://localhost').searchParams.get('token')!;
  const { statusCode, headers } = await app.inject({ url: `/api/auth/export?token=${token}` });
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('application/zip');
});
