import { expect, test } from 'vitest';
import { failure, mount, setUpComponentBrowser } from './harness.ts';

setUpComponentBrowser();

test('a query is announced as loading, then shows its data', async () => {
  let release = () => {};
  const pending = new Promise<void>((resolve) => {
    release = resolve;
  });
  const projects = async () => {
    await pending;
    return [{ id: '1', name: 'Alpha' }];
  };
  const { page } = await mount({ 'GET /projects': projects }, 'Projects');
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor();
  release();
  await page.getByText('Alpha').waitFor();
  await page.getByRole('status').waitFor({ state: 'detached' });
});

test('an empty result shows the empty state', async () => {
  const { page } = await mount({ 'GET /projects': [] }, 'Projects');
  await page.getByText('No projects').waitFor();
});

test('an error is an alert with Retry, which loads again', async () => {
  let attempts = 0;
  const projects = () => {
    attempts += 1;
    return attempts === 1 ? failure(500) : [{ id: '1', name: 'Alpha' }];
  };
  const { page } = await mount({ 'GET /projects': projects }, 'Projects');
  await page.getByRole('alert').filter({ hasText: 'Failed: ' }).waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Alpha').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test.each([
  [false, 0],
  [true, 1],
])(
  'data stays when a refetch fails; with showStaleError %s there are %i alerts',
  async (showStaleError, alerts) => {
    let attempts = 0;
    const projects = () => {
      attempts += 1;
      return attempts === 1 ? [{ id: '1', name: 'Alpha' }] : failure(500);
    };
    const { page } = await mount({ 'GET /projects': projects }, 'Projects', { showStaleError });
    await page.getByText('Alpha').waitFor();
    await page.getByRole('button', { name: 'Refetch' }).click();
    await expect.poll(() => attempts).toBe(2);
    await expect.poll(() => page.getByRole('alert').count()).toBe(alerts);
    expect(await page.getByText('Alpha').count()).toBe(1);
  },
);

test('Retry of a notice is busy, and keeps the focus, until its promise settles', async () => {
  const { page } = await mount({}, 'RetryNotice');
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry.click();
  await expect.poll(() => retry.getAttribute('aria-busy')).toBe('true');
  await expect.poll(() => retry.getAttribute('aria-busy')).toBe(null);
  expect(await retry.evaluate((button) => button === document.activeElement)).toBe(true);
});
