import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { accessibilityFaults } from './accessibility.ts';
import { openBrowser, openPage } from './browser.ts';
import { PASSWORD, type Product, startProduct } from './product.ts';
import { sentinel } from './sentinels.ts';

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];

const NEW_PASSWORD = sentinel('another harbour at dusk');

beforeAll(async () => {
  product = await startProduct({ allowedHosts: [] });
  browser = await openBrowser(inject('chromium'));
  context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  ({ page, faults } = await openPage(context));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function see(text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

async function press(name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
}

async function expectAccessible(): Promise<void> {
  expect.soft((await accessibilityFaults(page)).join('\n')).toBe('');
}

async function signIn(password: string): Promise<void> {
  await page.getByLabel('Email or username').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press('Sign in');
}

test('an account is made, and other ways to sign in say that they are not set up', async () => {
  await page.goto('/signup?next=/profile');
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await expect.poll(() => page.getByRole('button', { name: 'GitHub' }).isDisabled()).toBe(true);
  await see('Not set up on this server');
  const terms = page.getByRole('link', { name: 'terms and conditions' });
  expect(await terms.getAttribute('href')).toBe('/terms-and-conditions');
  await press('Create account');
  await page.waitForURL('**/profile');
});

test('the profile is changed in place, and the top bar follows', async () => {
  await press('Edit Profile');
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Website').fill('javascript:alert(1)');
  await press('Save');
  await see('Enter a URL that begins with https:// or http://.');
  await expectAccessible();
  await page.getByLabel('Website').fill('https://example.org/~ada');
  await press('Save');
  await see('Profile saved');
  await page.getByRole('banner').getByText('Ada Lovelace').waitFor();
  expect(await page.getByRole('link', { name: 'https://example.org/~ada' }).getAttribute('href')).toBe(
    'https://example.org/~ada',
  );
  await expectAccessible();
});

test('settings are saved, survive a reload, and theme and language apply at once', async () => {
  await page.goto('/settings');
  await page.getByRole('switch', { name: 'Push notifications' }).uncheck();
  await page.getByLabel('Username').fill('ada_l');
  await press('Save Changes');
  await see('Settings saved successfully!');
  await page.getByRole('main').getByRole('radio', { name: 'Dark' }).click();
  await page.locator('html[data-theme=dark]').waitFor();
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await see('Einstellungen');
  await page.getByLabel('Sprache', { exact: true }).selectOption('en');
  await see('Save Changes');
  await expectAccessible();
  await page.reload();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await expect.poll(() => page.getByRole('switch', { name: 'Push notifications' }).isChecked()).toBe(false);
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('ada_l');
});

test('what was not saved is not called saved', async () => {
  await page.route('**/api/auth/me', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await press('Save Changes');
  await see('The server does not respond.');
  expect(await page.getByText('Settings saved successfully!').count()).toBe(0);
  await page.unroute('**/api/auth/me');
});

test('a forgotten password is reset with the link in an email', async () => {
  await press('Logout');
  await page.waitForURL(`${product.url}/`);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.waitForURL('**/forgot-password');
  await page.getByLabel('Email', { exact: true }).fill('ada@example.org');
  await press('Send reset link');
  await see('we sent it a reset link');
  await expectAccessible();

  await page.goto(await linkInEmail());
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await expectAccessible();
  await press('Set password');
  await page.waitForURL('**/login?reset=done');
  await see('Password changed. Sign in with your new password.');
  await expectAccessible();
  await signIn(PASSWORD);
  await see('Wrong email, username or password.');
  await signIn(NEW_PASSWORD);
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
});

test('a sign-in elsewhere is listed and can be ended', async () => {
  const elsewhere = await context.request.post('/api/auth/login', {
    form: { username: 'ada_l', password: NEW_PASSWORD },
    headers: { 'user-agent': 'curl/8.5.0' },
  });
  expect(elsewhere.ok()).toBe(true);
  const { access_token } = (await elsewhere.json()) as { access_token: string };
  await page.goto('/settings');
  await see('curl');
  await press('Sign out everywhere else');
  await see('One other session signed out.');
  await page.getByText('curl', { exact: true }).waitFor({ state: 'detached' });
  const reply = await fetch(`${product.url}/api/auth/me`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(reply.status).toBe(401);
});

test('no page broke, and the policy refused nothing', () => {
  // What the browser itself notes of refused and failed calls is what the pages above showed in words.
  expect(faults.filter((fault) => !/^Failed to load resource/.test(fault))).toEqual([]);
});

/** Without a mail server, emails are files in the data folder. */
async function linkInEmail(): Promise<string> {
  const folder = join(product.dataDir, 'mail');
  const [file = ''] = await vi.waitFor(
    async () => {
      const files = await readdir(folder);
      expect(files).toHaveLength(1);
      return files;
    },
    { timeout: 60_000, interval: 100 },
  );
  return /http:\S+\/reset-password#\S+/.exec(await readFile(join(folder, file), 'utf8'))![0];
}
