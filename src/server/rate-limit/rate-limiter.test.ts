import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialRoutes } from '#contract/credentials.ts';
import { debugRoutes } from '#contract/debug.ts';
import { memberRoutes } from '#contract/members.ts';
import { projectRoutes } from '#contract/projects.ts';
import { DEFAULT_RATE_LIMITS } from '#contract/rate-limits.ts';
import { searchRoutes } from '#contract/search.ts';
import { type TestApp, testApp } from '../testing.ts';

/** One's own people, and strangers. */
let server: TestApp;
let open: TestApp;

beforeAll(async () => {
  server = await testApp();
  const limits = {
    ...DEFAULT_RATE_LIMITS,
    callsPerUser: { max: 30, seconds: 60 },
    callsPerIp: { max: 60, seconds: 60 },
  };
  open = await testApp({ config: { publicInstance: true, limits } });
});
afterAll(async () => {
  await server.close();
  await open.close();
});

test('the limits have these defaults', () => {
  const shown = Object.fromEntries(
    Object.entries(DEFAULT_RATE_LIMITS).map(([name, { max, seconds }]) => [name, `${max} in ${seconds} s`]),
  );
  expect(shown).toEqual({
    loginPerIp: '30 in 60 s',
    loginPerIpHourly: '300 in 3600 s',
    loginPerNetwork: '10 in 900 s',
    loginPerAccountHourly: '50 in 3600 s',
    registerPerIp: '30 in 3600 s',
    registerAttemptsPerIp: '120 in 3600 s',
    invitationLookupsPerIp: '60 in 3600 s',
    forgotPerIp: '10 in 3600 s',
    forgotPerAccount: '3 in 3600 s',
    resetPerIp: '10 in 3600 s',
    resetPerLink: '5 in 1800 s',
    refreshPerIp: '120 in 60 s',
    refreshPerSession: '30 in 60 s',
    paymentsPerUser: '10 in 60 s',
    membersPerUser: '60 in 3600 s',
    invitationsPerUser: '30 in 3600 s',
    credentialTestsPerUser: '10 in 60 s',
    eventsPerProject: '60000 in 60 s',
    eventsPerServer: '180000 in 60 s',
    repositoryChecksPerUser: '30 in 60 s',
    replaysPerUser: '10 in 60 s',
    attachmentsPerUser: '60 in 600 s',
    proofsPerUser: '30 in 3600 s',
    projectsPerUser: '10 in 3600 s',
    refreshPerProject: '1 in 60 s',
    answersPerUser: '20 in 60 s',
    answersPerUserDaily: '300 in 86400 s',
    salesMessagesPerIp: '5 in 3600 s',
    savesPerUser: '60 in 60 s',
    analysesPerUser: '20 in 60 s',
    checksPerUser: '120 in 60 s',
    callsPerUser: '300 in 60 s',
    callsPerIp: '600 in 60 s',
  });
});

/** Statuses of a call that is made again and again, and the last reply. */
async function repeat(times: number, call: () => Promise<{ statusCode: number; headers: object }>) {
  const replies = [];
  for (let index = 0; index < times; index++) replies.push(await call());
  const refused = replies.findIndex(({ statusCode }) => statusCode === 429);
  return { first: refused === -1 ? null : refused + 1, last: replies.at(-1)! };
}

test('calls of a user are limited by the setting, over all routes', async () => {
  const user = await open.signUp();
  let round = 0;
  const { first, last } = await repeat(32, () =>
    open.inject(
      { url: round++ % 2 ? '/api/auth/me' : '/api/projects', remoteAddress: `10.9.${round >> 6}.1` },
      user,
    ),
  );
  expect(first).toBe(31);
  expect(Number((last.headers as { 'retry-after': string })['retry-after'])).toBeGreaterThan(0);
  open.advance(61);
  expect((await open.inject({ url: '/api/auth/me' }, user)).statusCode).toBe(200);
});

test('requests of an IP are limited by the setting, signed in or not', async () => {
  const { first } = await repeat(61, () =>
    open.inject({ url: '/api/auth/setup', remoteAddress: '10.8.0.1' }),
  );
  expect(first).toBe(61);
});

test('questions are limited to twenty a minute over all routes', async () => {
  const user = await open.signUp();
  const body = { error_message: 'boom', project_id: 'missing' };
  let round = 0;
  const { first } = await repeat(21, async () => {
    const route = round++ % 2 ? debugRoutes.debug : debugRoutes.rag;
    return (await open.call(route, { body }, user)).raw;
  });
  expect(first).toBe(21);
});

test('searches at other revisions are counted as questions, searches at the head are not', async () => {
  const user = await open.signUp();
  const search = (query: Record<string, string>) => async () =>
    (await open.call(searchRoutes.search, { query: { project_id: 'missing', q: 'x', ...query } }, user)).raw;
  expect((await repeat(5, search({}))).first).toBeNull();
  expect((await repeat(21, search({ revision: 'v1' }))).first).toBe(21);
});

test('on a public instance a user creates ten projects an hour', async () => {
  const user = await open.signUp();
  const body = { name: 'x', git_url: 'https://127.0.0.1/x' };
  const { first } = await repeat(11, async () => (await open.call(projectRoutes.create, { body }, user)).raw);
  expect(first).toBe(11);
});

test('these limits are not enforced on a private instance', async () => {
  const user = await server.signUp();
  const body = { name: 'x', git_url: 'https://127.0.0.1/x' };
  expect(
    (await repeat(12, async () => (await server.call(projectRoutes.create, { body }, user)).raw)).first,
  ).toBeNull();
  expect((await repeat(310, () => server.inject({ url: '/api/auth/me' }, user))).first).toBeNull();
});

test('member lookups and invitation attempts are limited on every instance', async () => {
  const user = await server.signUp();
  const params = { id: 'missing' };
  const accept = async () => (await server.call(memberRoutes.accept, { body: { token: 'x' } }, user)).raw;
  expect((await repeat(31, accept)).first).toBe(31);
  // Another user's project stays a 404, however often it is requested.
  const test = async () => (await server.call(credentialRoutes.test, { params }, user)).raw;
  expect((await repeat(12, test)).first).toBeNull();
});
