import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ISSUER_CLIENT, startTestIssuer, type TestIssuer } from '#server/auth/testing-oidc-issuer.ts';
import { accessibilityFaults } from './accessibility.ts';
import { openBrowser, openPage } from './browser.ts';
import { callApi, PASSWORD, type Product, startProduct } from './product.ts';

/** An administrator sets up a provider, and someone signs in with it, in a browser. */

let product: Product;
let issuer: TestIssuer;
let browser: Browser;
let admin: Page;
let visitor: Page;

beforeAll(async () => {
  product = await startProduct({ allowedHosts: [] });
  issuer = await startTestIssuer([`${product.url}/api/auth/social/acme/callback`]);
  browser = await openBrowser(inject('chromium'));
  admin = await newPage();
  visitor = await newPage();
});
afterAll(async () => {
  await browser?.close();
  await issuer?.close();
  await product?.stop();
});

/** A page with cookies of its own. */
async function newPage(): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  return (await openPage(context)).page;
}

async function expectAccessible(page: Page): Promise<void> {
  expect.soft((await accessibilityFaults(page)).join('\n')).toBe('');
}

test('an administrator adds a provider', async () => {
  await admin.goto('/signup?next=/admin?tab=sign-in');
  await admin.getByLabel('Username').fill('root');
  await admin.getByLabel('Email').fill('root@example.org');
  await admin.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await admin.getByRole('checkbox').check();
  await admin.getByRole('button', { name: 'Create account' }).click();
  await admin.getByRole('heading', { name: 'OpenID Connect providers' }).waitFor();
  const token = (await admin.evaluate(() => localStorage.getItem('access_token'))) ?? '';
  await callApi(product, ['POST', '/admin/hosts'], { token, body: { host: issuer.host } });

  await admin.getByRole('button', { name: 'Add provider' }).click();
  await admin.getByLabel('Id', { exact: true }).fill('acme');
  await admin.getByLabel('Display name').fill('Acme');
  await admin.getByLabel('Issuer URL').fill(issuer.url);
  await admin.getByLabel('Client ID').fill(ISSUER_CLIENT.clientId);
  await admin.getByLabel('Client secret', { exact: true }).fill(ISSUER_CLIENT.clientSecret);
  await expectAccessible(admin);
  await admin.getByRole('button', { name: 'Save', exact: true }).click();
  await admin.getByText(`${product.url}/api/auth/social/acme/callback`).waitFor();
  await expectAccessible(admin);
});

test('the audit log tells what was done, without the codes of events', async () => {
  await admin.goto('/admin?tab=audit');
  await admin.getByText('root · The sign-in provider Acme was set up.').waitFor();
  await admin.getByText('root · The account was created.').waitFor();
  await expectAccessible(admin);
});

test('someone signs in with the provider', async () => {
  Object.assign(issuer.account, { sub: 'grace', email: 'grace@example.org', name: 'Grace Hopper' });
  await visitor.goto('/login');
  await visitor.getByRole('button', { name: 'Continue with Acme' }).click();
  await visitor.locator('input[name=login]').fill('grace');
  await visitor.locator('input[name=password]').fill('any');
  await visitor.locator('button[type=submit]').click();
  await visitor.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
  await visitor.locator('button[type=submit]').click();
  await visitor.getByRole('banner').getByText('Grace Hopper').waitFor();
});

test('a team is created, and a member is added', async () => {
  await admin.goto('/teams');
  await admin.getByText('You are not a member of a team.').waitFor();
  await expectAccessible(admin);
  await admin.getByLabel('Name of the new team').fill('Backend');
  await admin.getByRole('button', { name: 'Create team' }).click();
  await admin.getByRole('heading', { name: 'Backend' }).waitFor();
  await admin.getByLabel('Username or email').fill('grace@example.org');
  await admin.getByRole('button', { name: 'Add member' }).click();
  await admin.getByRole('combobox', { name: /^Role of grace/ }).waitFor();
  await expectAccessible(admin);
  await visitor.goto('/teams');
  await visitor.getByRole('link', { name: 'Backend' }).click();
  await visitor.getByRole('button', { name: 'Leave' }).waitFor();
});

test('a required second factor leads to its setup', async () => {
  await admin.goto('/admin?tab=sign-in');
  const saved = admin.waitForResponse((response) => response.request().method() === 'PUT');
  await admin.getByRole('switch', { name: 'Require two-factor authentication' }).click();
  expect((await saved).ok()).toBe(true);
  await visitor.goto('/projects');
  await visitor.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
  await visitor.waitForURL('**/set-up-two-factor');
  await expectAccessible(visitor);
});
