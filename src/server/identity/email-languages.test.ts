import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { formatMessage } from '#locales/format-message.ts';
import { LANGUAGES, type Language } from '#locales/languages.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { queueEmail, queueInvitationEmail } from './account-emails.ts';

/** Every email of an account is in the language that its recipient has stored. */

let app: TestApp;
const users = new Map<Language, TestUser>();

beforeAll(async () => {
  app = await testApp({ work: true });
  for (const language of LANGUAGES) {
    const user = await app.signUp(`reader-${language}`);
    await app.deps.db.updateTable('users').set({ language }).where('id', '=', user.id).execute();
    users.set(language, user);
  }
});
afterAll(() => app.close());

const origin = 'https://hindsight.example';

const KINDS = [
  ['password_reset', (user) => queueEmail(app.deps, { kind: 'password_reset', email: user.email, origin })],
  ['email_confirm', (user) => queueEmail(app.deps, { kind: 'email_confirm', userId: user.id, origin })],
  [
    'email_changed',
    (user) => queueEmail(app.deps, { kind: 'email_changed', userId: user.id, to: user.email, origin }),
  ],
  ['two_factor_reset', (user) => queueEmail(app.deps, { kind: 'two_factor_reset', userId: user.id, origin })],
  ['account_deletion', (user) => queueEmail(app.deps, { kind: 'account_deletion', userId: user.id, origin })],
  [
    'invoice',
    (user) => queueEmail(app.deps, { kind: 'invoice', userId: user.id, path: '/billing/invoices/x', origin }),
  ],
  [
    'trial_ending',
    (user) =>
      queueEmail(app.deps, {
        kind: 'trial_ending',
        userId: user.id,
        date: new Date(0).toISOString(),
        origin,
      }),
  ],
  ['invitation', (user) => invite('invitation', user)],
  ['project_invitation', (user) => invite('project_invitation', user)],
] as const satisfies [string, (user: TestUser) => Promise<void>][];

/** The inviter reads another language than any recipient but one. */
async function invite(kind: 'invitation' | 'project_invitation', user: TestUser): Promise<void> {
  const link = `${origin}/invitation#x`;
  await queueInvitationEmail(app.deps, { kind, to: user.email, language: 'en', link, origin });
}

async function readEmails(to: string): Promise<string[]> {
  const folder = join(app.deps.config.dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const emails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return emails.filter((email) => email.includes(`\nTo: ${to}\n`));
}

test.each(KINDS)('%s', async (kind, send) => {
  for (const user of users.values()) await send(user);
  for (const [language, user] of users) {
    const subject = formatMessage(language, `mail.${kind}.subject`);
    await vi.waitFor(
      async () =>
        expect(await readEmails(user.email)).toContainEqual(expect.stringContaining(`Subject: ${subject}\n`)),
      { timeout: 60_000, interval: 100 },
    );
  }
});

test('an invitation of someone without an account is in the language of the inviter', async () => {
  const to = 'new@example.org';
  const link = `${origin}/signup#x`;
  await queueInvitationEmail(app.deps, { to, language: 'de', link, origin });
  const subject = formatMessage('de', 'mail.invitation.subject');
  await vi.waitFor(async () => expect((await readEmails(to)).join()).toContain(`Subject: ${subject}\n`), {
    timeout: 60_000,
    interval: 100,
  });
});
