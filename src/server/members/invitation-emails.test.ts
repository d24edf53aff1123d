import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberRoutes } from '#contract/members.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import { insertInvitation } from './invitations.ts';

/** With a mail server, only verified emails match. */

let app: TestApp;
let ada: TestUser;
let bea: TestUser;

beforeAll(async () => {
  app = await testApp({
    work: true,
    config: { mail: { smtpUrl: 'smtp://127.0.0.1:9', from: 'Hindsight <h@localhost>' } },
  });
  [ada, bea] = [await app.signUp('ada'), await app.signUp('bea')];
});
afterAll(() => app.close());

async function invite(email: string | undefined): Promise<string> {
  const projectId = await insertTestProject(app.deps, [[ada, 'owner']]);
  const { db, now } = app.deps;
  const values = { projectId, role: 'viewer' as const, email: email ?? null, invitedBy: ada.id };
  return (await db.transaction().execute((trx) => insertInvitation({ db: trx, now }, values))).secret;
}

const previewInvitation = async (invitation: string) =>
  await app.call(memberRoutes.preview, { body: { token: invitation } }, bea);
const accept = async (invitation: string) =>
  await app.call(memberRoutes.accept, { body: { token: invitation } }, bea);
const confirm = async (email_verified_at: Date | null) =>
  await app.deps.db.updateTable('users').set({ email_verified_at }).where('id', '=', bea.id).execute();

test('an email invitation is accepted once the email is verified', async () => {
  const secret = await invite('Bea@example.org');
  for (const reply of [await previewInvitation(secret), await accept(secret)]) {
    expect(reply).toMatchObject({ status: 400, error: { reason: 'email_unverified' } });
    expect(reply.error?.message).toMatch(/Confirm it/);
  }
  await confirm(new Date());
  expect((await previewInvitation(secret)).status).toBe(200);
  expect((await accept(secret)).status).toBe(200);
});

test('without an email the link suffices', async () => {
  await confirm(null);
  expect((await accept(await invite(undefined))).status).toBe(200);
});

test('an invitation for another email equals an unknown one, verified or not', async () => {
  const other = await accept(await invite('cid@example.org'));
  expect(other.status).toBe(404);
  expect(other.error?.message).toBe((await accept('A'.repeat(43))).error?.message);
});
