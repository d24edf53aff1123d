import { TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type MailServer, startMailServer } from '#mail/testing.ts';
import {
  type FakeOAuthProvider,
  startFakeProvider,
  TEST_CLIENT,
} from '../src/server/auth/testing-oauth-provider.ts';
import { accessibilityFaults } from './accessibility.ts';
import { openBrowser, openPage } from './browser.ts';
import { PASSWORD, type Product, startProduct } from './product.ts';
import { sentinel } from './sentinels.ts';

let provider: FakeOAuthProvider;
let mailServer: MailServer;
let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];

const ada = { username: 'ada', email: 'ada@example.org', password: PASSWORD };

beforeAll(async () => {
  provider = await startFakeProvider();
  mailServer = await startMailServer();
  product = await startProduct({
    allowedHosts: [],
    settings: {
      SMTP_URL: mailServer.url.replace('//', '//robot:sentinel-of-the-mail-server@'),
      MAIL_FROM: 'Hindsight <hindsight@example.org>',
      GITHUB_CLIENT_ID: TEST_CLIENT.clientId,
      GITHUB_CLIENT_SECRET: TEST_CLIENT.clientSecret,
      GITHUB_URL: provider.url,
      GITHUB_API_URL: `${provider.url}/api`,
    },
  });
  browser = await openBrowser(inject('chromium'));
  context = await newContext();
  ({ page, faults } = await openPage(context));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await mailServer?.close();
  await provider?.close();
});

const newContext = async () =>
  await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
const press = async (name: string, on = page) => await on.getByRole('button', { name, exact: true }).click();
const see = async (text: string | RegExp, on = page) => await on.getByText(text).first().waitFor();
const at = (path: string) => `${product.url}${path}`;
const codeField = (on = page) => on.getByRole('textbox', { name: 'Code' });
const codeOf = (secret: string, ahead = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + ahead * 1000 });

async function signIn(on: Page): Promise<void> {
  await on.goto('/login');
  await on.getByLabel('Email or username').fill(ada.email);
  await on.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press('Sign in', on);
}

let secret = '';

test('two-factor authentication is turned on with a QR code, and recovery codes are shown', async () => {
  await context.request.post('/api/auth/register', { data: ada });
  await signIn(page);
  await page.waitForURL(at('/'));
  await page.goto('/settings');
  await press('Enable two-factor authentication');
  await press('Continue');
  await page.getByRole('img', { name: 'QR code for the setup key' }).waitFor();
  expect.soft(await accessibilityFaults(page)).toEqual([]);
  secret = sentinel((await page.getByRole('dialog').locator('code').innerText()).replaceAll(' ', ''));
  await codeField().fill('000000');
  await press('Turn on');
  await see('Wrong code.');
  await codeField().fill(codeOf(secret));
  await press('Turn on');
  await see('they won’t be shown again');
  const recoveryCodes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
  expect(recoveryCodes.map(sentinel)).toHaveLength(10);
  await press('I have saved them');
  await see('10 recovery codes left.');
  expect.soft(await accessibilityFaults(page)).toEqual([]);
});

test('signing in then asks for the code, and a used one is refused', async () => {
  const other = await (await newContext()).newPage();
  await signIn(other);
  await see('Two-factor authentication is on for this account.', other);
  expect.soft(await accessibilityFaults(other)).toEqual([]);
  const used = codeOf(secret, 30);
  await codeField(other).fill(used);
  await press('Sign in', other);
  await other.waitForURL(at('/'));

  const third = await (await newContext()).newPage();
  await signIn(third);
  await codeField(third).fill(used);
  await press('Sign in', third);
  await see('This code is wrong or was already used', third);
  await other.context().close();
  await third.context().close();
});

test('everything that the account owns is downloaded', async () => {
  await press('Export your data');
  const download = page.waitForEvent('download');
  await press('Download');
  expect((await download).suggestedFilename()).toMatch(/^hindsight-\d{4}-\d\d-\d\d\.zip$/);
  expect(page.url()).toBe(at('/settings'));
});

test('an administrator invites a user, and the link opens the sign-up page', async () => {
  await page.getByRole('link', { name: 'Administration' }).click();
  await see('1–1 of 1');
  expect.soft(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Sign-up' }).click();
  await page.getByRole('radio', { name: 'Invited users only' }).click();
  await page.getByLabel('Email').fill('bob@example.org');
  await press('Create invitation');
  await see(/We sent an email to bob@example.org. You can also copy the link now/);
  expect.soft(await accessibilityFaults(page)).toEqual([]);
  const link = await page.locator('code', { hasText: '/signup#' }).innerText();
  sentinel(link.split('#')[1]!);

  const guest = await (await newContext()).newPage();
  await guest.goto('/signup');
  await see('You need an invitation to create an account on this server.', guest);
  await guest.goto('about:blank');
  await guest.goto(link);
  await guest.getByLabel('Username').fill('bob');
  await expect.poll(() => guest.getByLabel('Email').inputValue()).toBe('bob@example.org');
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await guest.getByRole('checkbox').check();
  await press('Create account', guest);
  await guest.waitForURL(at('/'));
  await guest.goto('/admin');
  await see('Only administrators can view this page.', guest);
  await guest.context().close();
  await page.getByRole('radio', { name: 'Anyone' }).click();
});

test('jobs, projects and the state of the server are there to be seen', async () => {
  for (const [tab, text] of [
    ['Jobs', 'No dead jobs.'],
    ['Projects', 'No results'],
    ['Language model', 'Not configured.'],
    ['Outgoing requests', 'No outgoing requests yet.'],
    ['Server', 'Not configured: answers are assembled from the evidence alone'],
  ]) {
    await page.getByRole('tab', { name: tab! }).click();
    await see(text!);
    expect.soft(await accessibilityFaults(page)).toEqual([]);
  }
});

test('an account of GitHub opens one here, and comes back to the page that was wanted', async () => {
  const visitor = await (await newContext()).newPage();
  await visitor.route(`${provider.url}/login/oauth/authorize**`, async (route) => {
    const location = provider.approve(route.request().url()).href;
    await route.fulfill({ status: 302, headers: { location } });
  });
  provider.state.email = 'octo@example.org';
  await visitor.goto('/login?next=/settings');
  await press('GitHub', visitor);
  await visitor.waitForURL(at('/settings'));
  await see('octo-ada', visitor);
  // No field asks for the password of an account without one.
  expect(await visitor.getByLabel('Current password').count()).toBe(0);
  expect.soft(await accessibilityFaults(visitor)).toEqual([]);
  await visitor.context().close();
});

test('an expired email link is reported', async () => {
  await page.goto('/verify-email#over');
  await press('Confirm email address');
  await see('This link was already used or has expired.');
  expect.soft(await accessibilityFaults(page)).toEqual([]);
});

test('who deletes the account is signed out, and keeps it by signing in', async () => {
  const leaver = await (await newContext()).newPage();
  await leaver.goto('/signup');
  await leaver.getByLabel('Username').fill('lea');
  await leaver.getByLabel('Email').fill('lea@example.org');
  await leaver.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await leaver.getByRole('checkbox').check();
  await press('Create account', leaver);
  await leaver.waitForURL(at('/'));
  await leaver.goto('/settings');
  await press('Delete your account', leaver);
  await leaver.getByRole('dialog').getByLabel('Current password').fill(PASSWORD);
  await press('Delete account', leaver);
  await leaver.waitForURL(at('/login?reset=deleted'));
  await see('To keep it, sign in within 14 days.', leaver);
  await leaver.getByLabel('Email or username').fill('lea');
  await leaver.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press('Sign in', leaver);
  await leaver.waitForURL(at('/'));
  await leaver.goto('/notifications');
  await see('Account deletion canceled', leaver);
  await leaver.context().close();
});

test('no page broke, and the policy refused nothing', () => {
  // What the browser itself notes of refused and failed calls is what the pages above showed in words.
  expect(faults.filter((fault) => !/^Failed to load resource/.test(fault))).toEqual([]);
});
