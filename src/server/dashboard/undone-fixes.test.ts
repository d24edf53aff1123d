import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notificationRoutes } from '#contract/notifications.ts';
import { projectRoutes } from '#contract/projects.ts';
import { webhookRoutes } from '#contract/webhooks.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const PATH = 'src/total.js';
const BROKEN = 'export const total = (cart) => {\n  return sum(cart.items);\n};\n';
const FIXED = BROKEN.replace('{\n', "{\n  if (!cart.items) throw new TypeError('no items in the cart');\n");

/** Bodies that webhooks sent. */
const received: string[] = [];
let repository: TestRepository;
let server: GitServer;
let app: TestApp;
let ada: TestUser;
let ben: TestUser;
let id: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Add totals', files: { [PATH]: BROKEN } });
    await repo.commit({ message: 'Fix crash for empty carts', files: { [PATH]: FIXED } });
  });
  server = await serveRepositories(repository.folder, {
    answer: (request, reply) => {
      if (request.url !== '/hook') return false;
      void text(request).then((body) => {
        received.push(body);
        reply.writeHead(200).end();
      });
      return true;
    },
  });
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [server.host] } } });
  ada = await app.signUp('ada');
  ben = await app.signUp('ben');
  const git_url = `${server.url}/${repository.name}`;
  const { body } = await app.call(projectRoutes.create, { body: { name: 'Shop', git_url } }, ada);
  id = body.id;
  await untilIndexed(await repository.head());
  const membership = {
    project_id: id,
    user_id: ben.id,
    role: 'viewer' as const,
    direct_role: 'viewer' as const,
  };
  await app.deps.db.insertInto('project_members').values(membership).execute();
});
afterAll(async () => {
  await app.close();
  await server.close();
  await repository.remove();
});

async function untilIndexed(commit: string): Promise<void> {
  const read = async () => (await app.call(projectRoutes.get, { params: { id } }, ada)).body.indexed_commit;
  while ((await read()) !== commit) await sleep(50);
}

async function notificationsOf(user: TestUser, commit: string) {
  const { body } = await app.call(notificationRoutes.list, { query: {} }, user);
  return body.filter(({ action_url }) => action_url === `/projects/${id}/commits/${commit}`);
}

test('the author of a removed fix gets one notification, and so do webhooks', {
  timeout: 60_000,
}, async () => {
  await app.deps.db
    .updateTable('users')
    .set({ email_verified_at: new Date() })
    .where('id', '=', ben.id)
    .execute();
  const { email } = await app.deps.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', ben.id)
    .executeTakeFirstOrThrow();
  const fix = await repository.commit({
    ...{ message: 'Fix sums of prices', author: 'Ben', email },
    files: { 'src/sum.js': 'export const sum = (items) => {\n  if (!Array.isArray(items)) return 0;\n};\n' },
  });
  const hook = {
    kind: 'standard' as const,
    url: `${server.url}/hook`,
    events: ['fix.undone' as const],
  };
  const { body: webhook } = await app.call(webhookRoutes.create, { params: { id }, body: hook }, ada);
  const commit = await repository.commit({
    message: 'Shorten sums',
    files: { 'src/sum.js': 'export const sum = (items) => {\n};\n' },
  });
  await app.call(projectRoutes.refresh, { params: { id } }, ada);
  while ((await notificationsOf(ben, commit)).length === 0) await sleep(50);
  expect(await notificationsOf(ben, commit)).toMatchObject([
    {
      about: 'errors',
      title: 'A commit removes a fix in Shop',
      message: `\`${commit.slice(0, 7)}\` removes the fix for \`Fix sums of prices\` (\`${fix.slice(0, 7)}\`) in \`src/sum.js\`. Check whether that is intended.`,
    },
  ]);
  expect(await notificationsOf(ada, commit)).toEqual([]);
  const params = { id, webhook: webhook.id };
  const { body: sent } = await app.call(webhookRoutes.deliveries, { params, query: {} }, ada);
  expect(sent.deliveries).toMatchObject([{ event: 'fix.undone' }]);
});

test('the members are notified where the author of the fix is not one', { timeout: 60_000 }, async () => {
  await app.deps.db
    .updateTable('users')
    .set({ notification_scope: 'all' })
    .where('id', '=', ada.id)
    .execute();
  await app.deps.db
    .updateTable('users')
    .set({ notification_scope: 'security' })
    .where('id', '=', ben.id)
    .execute();
  const commit = await repository.commit({ message: 'Shorten totals', files: { [PATH]: BROKEN } });
  await app.call(projectRoutes.refresh, { params: { id } }, ada);
  while ((await notificationsOf(ada, commit)).length === 0) await sleep(50);
  expect(await notificationsOf(ben, commit)).toEqual([]);
});

test('a commit that removes one fix and changes lines of another notifies the author of each', {
  timeout: 60_000,
}, async () => {
  const { email } = await app.deps.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', ben.id)
    .executeTakeFirstOrThrow();
  const rounding = (unit: string) =>
    `const unit = ${unit};\nconst scale = unit * 2;\nexport const round = (price) => {\n  const whole = Math.floor(price / unit);\n  const rest = price - whole * unit;\n  if (rest < 0) throw new RangeError('negative rest');\n  return rest * scale < unit ? whole : whole + 1;\n};\n`;
  await repository.commit({ message: 'Fix crash for empty carts', files: { [PATH]: FIXED } });
  await repository.commit({
    ...{ message: 'Fix rounding of prices', author: 'Ben', email },
    files: { 'src/round.js': rounding('100') },
  });
  const hook = { kind: 'standard' as const, url: `${server.url}/hook`, events: ['fix.changed' as const] };
  const { body: webhook } = await app.call(webhookRoutes.create, { params: { id }, body: hook }, ada);
  const changed = rounding('1000').replace('unit * 2', 'unit + unit').replace('negative', 'bad');
  const commit = await repository.commit({
    message: 'Use mills',
    files: { [PATH]: BROKEN, 'src/round.js': changed },
  });
  await app.call(projectRoutes.refresh, { params: { id } }, ada);
  while ((await notificationsOf(ada, commit)).length === 0) await sleep(50);
  expect(await notificationsOf(ada, commit)).toMatchObject([
    { title: expect.stringContaining('a fix in Shop') },
  ]);
  await expect
    .poll(() => notificationsOf(ben, commit))
    .toMatchObject([{ title: expect.stringContaining('fixed lines'), about: 'errors', watch: null }]);
  const params = { id, webhook: webhook.id };
  const sent = async () =>
    (await app.call(webhookRoutes.deliveries, { params, query: {} }, ada)).body.deliveries;
  await expect.poll(sent).toMatchObject([{ event: 'fix.changed', state: 'delivered', status: 200 }]);
  expect(received.map((body) => JSON.parse(body))).toContainEqual(
    expect.objectContaining({
      type: 'fix.changed',
      data: expect.objectContaining({
        project_id: id,
        commit,
        url: expect.stringContaining(`/commits/${commit}`),
      }),
    }),
  );
});
