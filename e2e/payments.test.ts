import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type FakeRazorpay, startFakeRazorpay } from '#server/payments/testing-fake-razorpay.ts';
import { accessibilityFaults } from './accessibility.ts';
import { openBrowser, openPage } from './browser.ts';
import { PASSWORD, type Product, startProduct } from './product.ts';

let razorpay: FakeRazorpay;
let product: Product;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  razorpay = await startFakeRazorpay();
  const { config } = razorpay;
  product = await startProduct({
    allowedHosts: [],
    settings: {
      RAZORPAY_KEY_ID: config.keyId,
      RAZORPAY_KEY_SECRET: config.keySecret,
      RAZORPAY_WEBHOOK_SECRET: config.webhookSecret!,
      RAZORPAY_API_URL: config.apiUrl,
      RAZORPAY_CHECKOUT_URL: config.checkoutUrl,
      SALES_EMAIL: 'sales@hindsight.example',
    },
  });
  browser = await openBrowser(inject('chromium'));
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  ({ page, faults } = await openPage(context));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await razorpay?.close();
});

async function see(text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

async function expectAccessible(): Promise<void> {
  expect.soft(await accessibilityFaults(page)).toEqual([]);
}

/** URL for which the server sent the open document. */
async function documentPath(): Promise<string> {
  return await page.evaluate("new URL(performance.getEntriesByType('navigation')[0].name).pathname");
}

/** From the card to the checkout. */
async function toCheckout(button: string) {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  const checkout = page.getByRole('dialog', { name: 'Checkout' });
  await checkout.waitFor();
  return checkout;
}

test('a visitor sees what plans cost, and each card leads to signing up', async () => {
  await page.goto('/subscription');
  await see('Rs. 199');
  await see('Rs. 4,500');
  await page.getByText('20% off').click();
  await see('Rs. 1,999');
  await see('16% less than 12 monthly payments');
  await see('26% less than 12 monthly payments');
  await expectAccessible();
  await page.getByRole('button', { name: 'Contact sales' }).click();
  const form = page.getByRole('dialog', { name: 'Contact sales' });
  await form.getByLabel('Message').fill('We are 40 people.');
  await form.getByRole('button', { name: 'Send message' }).click();
  await form.getByText('Required').first().waitFor();
  await expectAccessible();
  await form.getByLabel('Name').fill('Grace');
  await form.getByLabel('Email').fill('grace@example.org');
  await form.getByRole('button', { name: 'Send message' }).click();
  await see('Message sent. You will get a reply by email.');
  await expectAccessible();
  await form.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('link', { name: 'Choose Pro' }).click();
  await page.waitForURL('**/signup?next=%2Fsubscription');
});

test('the page is entered by a document of its own', async () => {
  expect(await documentPath()).toBe('/signup');
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/subscription');
  await see('No payments yet.');
  await see('0 of 3');
  expect(await documentPath()).toBe('/subscription');
  await expectAccessible();
});

test('the trial begins without a card and leaves the plan as it is', async () => {
  await page.getByRole('button', { name: 'Try Pro for 14 days' }).click();
  await see(/Pro trial until/);
  await see('0 of 10');
});

test('walking away from the checkout closes everything', async () => {
  const checkout = await toCheckout('Choose Pro');
  await checkout.getByText('Pro, 1 month: INR 199').waitFor();
  await checkout.getByRole('button', { name: 'Walk away' }).click();
  await checkout.waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await see('No payments yet.');
});

test('a forged payment is refused in the words of the specification', async () => {
  const checkout = await toCheckout('Choose Pro');
  await checkout.getByRole('button', { name: 'Pay with a forged signature' }).click();
  await see('Payment verification failed. Please contact support.');
  await expectAccessible();
});

test('a payment activates Pro', async () => {
  await page.getByText('20% off').click();
  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await see('Subscribe to Pro?');
  await expectAccessible();
  await page.keyboard.press('Escape');
  const checkout = await toCheckout('Choose Pro');
  await checkout.getByText('Pro, 1 year: INR 1999').waitFor();
  await checkout.getByRole('button', { name: 'Pay now' }).click();
  await see('Payment successful! Your subscription has been activated.');
  await see(/Paid until/);
  await see('Pro, 1 year');
  await expectAccessible();
});

test('leaving the page loads another document, in which the checkout’s script is absent and blocked', async () => {
  expect(await page.evaluate("'Razorpay' in window")).toBe(true);
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.waitForURL('**/projects');
  await see('No projects yet');
  expect(await documentPath()).toBe('/projects');
  expect(await page.evaluate("'Razorpay' in window")).toBe(false);
  const known = faults.length;
  await expect(page.addScriptTag({ url: razorpay.config.checkoutUrl })).rejects.toThrow();
  // The browser reports the blocked script after the failure of its element.
  await expect.poll(() => faults.length).toBeGreaterThan(known);
  faults.length = 0;
  await page.goBack();
  await see(/Paid until/);
  expect(await documentPath()).toBe('/subscription');
});

test('a subscription is cancelled for the end of its time', async () => {
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  const dialog = page.getByRole('dialog');
  await see('Cancel your subscription?');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await see(/Ends on/);
});

test('a payment is refunded', async () => {
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await see('Refund Rs. 1,999?');
  await expectAccessible();
  await page.getByRole('button', { name: 'Refund this payment' }).click();
  await see('Refunded');
  await see(/Pro trial until/);
  expect([...razorpay.payments.values()].map((payment) => payment.status)).toEqual(['refunded']);
});

test('usage, billing details and documents are in the settings', async () => {
  await page.getByRole('link', { name: 'Usage, invoices and billing details' }).click();
  await page.waitForURL('**/settings/billing');
  await see('0 of 10');
  await expectAccessible();
  await page.getByLabel('Name or company').fill('Ada GmbH');
  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await page.getByRole('button', { name: 'Save details' }).click();
  await see('Billing details saved.');
  await see('Credit note');
  await page.getByRole('link', { name: /^\d{4}-000001$/ }).click();
  await page.getByRole('heading', { name: /^Invoice \d{4}-000001$/ }).waitFor();
  await see('Paid in full.');
  await expectAccessible();
});

test('nothing broke and nothing was refused on the way', () => {
  // The forged payment and an incomplete message were answered with an error, as it should be.
  expect(faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
});
