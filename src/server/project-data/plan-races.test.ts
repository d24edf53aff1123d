import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyRoutes } from '#contract/keys.ts';
import { memberRoutes } from '#contract/members.ts';
import { paymentRoutes } from '#contract/payments.ts';
import { projectRoutes } from '#contract/projects.ts';
import { newId } from '#db/ids.ts';
import { reserveModelBudget } from '../llm/model-budget.ts';
import { placeOrder } from '../payments/orders.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';

/** Limits are counted in the transaction that adds a row: concurrent calls get no more than sequential ones. */

const RAZORPAY = {
  keyId: 'rzp_test_1',
  keySecret: 'secret',
  webhookSecret: null,
  apiUrl: 'http://127.0.0.1:9',
  checkoutUrl: 'http://127.0.0.1:9/checkout.js',
};
const FREE_PROJECTS = 3;

let app: TestApp;
let ada: TestUser;

beforeAll(async () => {
  const git = {
    allowedPrivateHosts: ['127.0.0.1:9'],
    localRoots: [],
    maxRepoMb: 100,
    maxEntries: 1000,
    timeoutS: 30,
    maxFileBytes: 2 ** 20,
  };
  const unlimited = { day: null, month: null };
  const modelBudget = { tokens: { day: 40_000, month: null }, cost: unlimited, prices: null };
  app = await testApp({ work: true, config: { git, razorpay: RAZORPAY, modelBudget } });
  ada = await app.signUp('ada');
});
afterAll(() => app.close());

const times = async <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  await Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).toSorted();

const create = async (user: TestUser, index = 0) =>
  await app.call(
    projectRoutes.create,
    { body: { name: `Project ${index}`, git_url: `http://127.0.0.1:9/p${index}.git` } },
    user,
  );
const owned = async (user: TestUser) =>
  (await app.call(projectRoutes.list, {}, user)).body.filter(({ role }) => role === 'owner').length;

/** Another user's project with `member` in it, beyond every plan limit. */
async function projectOf(owner: TestUser, member: TestUser): Promise<string> {
  return await insertTestProject(app.deps, [
    [owner, 'owner'],
    [member, 'editor'],
  ]);
}

const handOver = async (id: string, from: TestUser, to: TestUser) =>
  await app.call(
    memberRoutes.transfer,
    { params: { id }, body: { user_id: to.id, current_password: from.password } },
    from,
  );

test('of nine concurrently created projects the plan allows three', async () => {
  const bea = await app.signUp('bea');
  const replies = await times(9, (index) => create(bea, index));
  expect(statuses(replies)).toEqual([201, 201, 201, 402, 402, 402, 402, 402, 402]);
  expect(await owned(bea)).toBe(FREE_PROJECTS);
});

test('a project is not transferred to a member whose plan does not allow it', async () => {
  const cid = await app.signUp('cid');
  const replies = await times(5, async (index) => {
    // Each confirms a password: tries for one account would take turns.
    const owner = await app.signUp(`owner${index}`);
    return await handOver(await projectOf(owner, cid), owner, cid);
  });
  expect(statuses(replies)).toEqual([200, 200, 200, 402, 402]);
  expect(replies.find(({ status }) => status === 402)?.error).toMatchObject({
    reason: 'recipient_project_limit',
  });
  expect(await owned(cid)).toBe(FREE_PROJECTS);
  expect((await create(cid)).status).toBe(402);
});

test('concurrently created and transferred projects are counted together', async () => {
  const dan = await app.signUp('dan');
  const owners = await times(3, (index) => app.signUp(`former${index}`));
  const ids = await Promise.all(owners.map((owner) => projectOf(owner, dan)));
  const handed = ids.map((id, index) => handOver(id, owners[index]!, dan));
  await Promise.all([...handed, times(3, (index) => create(dan, index))]);
  expect(await owned(dan)).toBe(FREE_PROJECTS);
});

test('of concurrently created API keys at most fifty exist', async () => {
  const eve = await app.signUp('eve');
  const rows = Array.from({ length: 45 }, () => {
    const digest = newId();
    return { id: newId(), user_id: eve.id, name: 'x', prefix: 'hs_', digest, scope: 'read' as const };
  });
  await app.deps.db.insertInto('api_keys').values(rows).execute();
  const body = { name: 'Key', scope: 'read' as const, current_password: eve.password };
  const replies = await times(12, () => app.call(keyRoutes.create, { body }, eve));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
  expect((await app.call(keyRoutes.list, {}, eve)).body.keys).toHaveLength(50);
});

test('of concurrently created invitations at most a hundred are open', async () => {
  const fay = await app.signUp('fay');
  const id = await projectOf(fay, ada);
  const soon = new Date(Date.now() + 3600_000);
  const rows = Array.from({ length: 95 }, () => ({
    ...{ id: newId(), project_id: id, digest: newId(), role: 'viewer' as const, email: null },
    ...{ invited_by: fay.id, created_at: new Date(), expires_at: soon },
  }));
  await app.deps.db.insertInto('project_invitations').values(rows).execute();
  const replies = await times(15, () =>
    app.call(memberRoutes.invite, { params: { id }, body: { role: 'viewer' } }, fay),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
});

test('one invitation admits one of many concurrent users', async () => {
  const gus = await app.signUp('gus');
  const id = await projectOf(gus, ada);
  const { body } = await app.call(memberRoutes.invite, { params: { id }, body: { role: 'viewer' } }, gus);
  const invitation = body.link.split('#')[1]!;
  const users = [];
  for (let index = 0; index < 6; index++) users.push(await app.signUp(`guest${index}`));
  const replies = await Promise.all(
    users.map((user) => app.call(memberRoutes.accept, { body: { token: invitation } }, user)),
  );
  expect(statuses(replies)).toEqual([200, 404, 404, 404, 404, 404]);
});

test('the trial starts once', async () => {
  const hal = await app.signUp('hal');
  const replies = await times(8, () => app.call(paymentRoutes.trial, {}, hal));
  expect(statuses(replies)).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
});

test('one idempotency key creates one order, also at the gateway', async () => {
  let made = 0;
  const gateway = {
    createOrder: async () => {
      made += 1;
      return { id: `order_${made}` };
    },
  } as unknown as Parameters<typeof placeOrder>[1];
  const wish = { userId: ada.id, plan: 'pro' as const, period: 'monthly' as const, idempotencyKey: 'once' };
  const orders = await times(6, () => placeOrder(app.deps, gateway, wish));
  expect(new Set(orders.map(({ gateway_order_id }) => gateway_order_id)).size).toBe(1);
});

test('of concurrently started answers the budget allows three', async () => {
  const shares = await times(9, () => reserveModelBudget(app.deps, { userId: ada.id }));
  expect(shares.filter((share) => !('usedUp' in share))).toHaveLength(3);
});
