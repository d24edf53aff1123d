import { expect, test } from 'vitest';
import { failure, mount, setUpComponentBrowser } from './harness.ts';

setUpComponentBrowser();

const PROFILE = {
  ...{ id: 'u', username: 'ada', email: 'ada@example.org', role: 'user', is_active: true },
  preferences: { theme: 'light', language: 'en' },
};

test('useSidebar toggles and stores the wide sidebar', async () => {
  const { page, read } = await mount({}, 'useSidebar');
  await expect.poll(() => read('it?.open')).toBe(true);
  await read('it.toggle()');
  await expect.poll(() => read('it.open')).toBe(false);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('sidebar'))).toBe('closed');
});

test('useSidebar closes when the window becomes narrow', async () => {
  const { page, read } = await mount({}, 'useSidebar');
  await expect.poll(() => read('it?.narrow')).toBe(false);
  await page.setViewportSize({ width: 600, height: 800 });
  await expect.poll(() => read('[it.narrow, it.open]')).toEqual([true, false]);
  await read('it.toggle()');
  await expect.poll(() => read('it.open')).toBe(true);
  await read('it.close()');
  await expect.poll(() => read('it.open')).toBe(false);
});

test('useListQuery returns to the first page when the text changes', async () => {
  const { read } = await mount({}, 'useListQuery');
  await expect.poll(() => read('it?.query.skip')).toBe('0');
  await read('it.goTo(50)');
  await expect.poll(() => read('it.query.skip')).toBe('50');
  await read("it.search(' ada ')");
  await expect.poll(() => read('[it.query.skip, it.query.q]')).toEqual(['0', 'ada']);
});

test('useProfileForm asks for the password when the server requires it', async () => {
  const refused = Response.json(
    {
      error: { code: 'invalid_input', message: 'No', fields: { current_password: 'Wrong' }, request_id: 'r' },
    },
    { status: 422 },
  );
  const replies = { 'PUT /auth/me': refused };
  const { read } = await mount(replies, 'useProfileForm', { username: 'ada', email: 'ada@example.org' });
  await expect.poll(() => read('it?.requiresPassword')).toBe(false);
  await read('void it.submit({})()');
  await expect.poll(() => read('[it.requiresPassword, it.saved]')).toEqual([true, false]);
  expect(await read("it.fieldError('current_password')")).toBeTruthy();
});

test('useProfileForm reports a save', async () => {
  const { read } = await mount({ 'PUT /auth/me': PROFILE }, 'useProfileForm', { username: 'ada' });
  await expect.poll(() => read('it?.saved')).toBe(false);
  await read('void it.submit({})()');
  await expect.poll(() => read('[it.saved, it.failure]')).toEqual([true, null]);
});

test('useNow stays the same over renders', async () => {
  const { read, update } = await mount({}, 'useNow');
  await expect.poll(() => read('typeof it')).toBe('number');
  const first = await read('it');
  await update();
  expect(await read('it')).toBe(first);
});

test('RelativeTime is updated every minute', async () => {
  const { page } = await mount({}, 'useNow');
  await page.clock.install({ time: '2026-01-01T00:00:30Z' });
  await page.evaluate(`window.harness.mount('RelativeTime', { at: '2026-01-01T00:00:00Z' })`);
  await expect.poll(() => page.locator('time').textContent()).toBe('just now');
  await page.clock.runFor(120_000);
  await expect.poll(() => page.locator('time').textContent()).toBe('2 minutes ago');
});

test('useDebugRequest follows the steps and returns to idle when stopped', async () => {
  const { page, read } = await mount({ 'POST /debug': () => new Promise(() => {}) }, 'useDebugRequest');
  await expect.poll(() => read('it?.step')).toBe(null);
  await read("it.mutate({ error_message: 'x', project_id: 'p' })");
  await expect.poll(() => read('it.step')).toBe('retrieving');
  await read('it.stop()');
  await expect.poll(() => read('[it.step, it.isPending]')).toEqual([null, false]);
  await page.close();
});

test('useDebugRequest keeps the error of a failed request', async () => {
  const { read } = await mount({ 'POST /debug': failure(409, 'conflict') }, 'useDebugRequest');
  await expect.poll(() => read('it?.step')).toBe(null);
  await read("it.mutate({ error_message: 'x', project_id: 'p' })");
  await expect.poll(() => read('it.error?.code')).toBe('conflict');
  expect(await read('it.step')).toBe(null);
});

test('useCheckout goes from confirmation to the reason why it cannot start, and closes', async () => {
  const config = { razorpay: { enabled: false, key_id: null, checkout_url: null } };
  const { read } = await mount({ 'GET /payments/config': config, 'GET /auth/me': PROFILE }, 'useCheckout');
  await expect.poll(() => read('it !== undefined')).toBe(true);
  const step = 'Object.entries(it).find(([, value]) => value?.step)[1]';
  expect(await read(`${step}.step`)).toBe('none');
  await read("it.choose('monthly')");
  await expect.poll(() => read(`${step}.step`)).toBe('confirm');
  await read("it.start('monthly')");
  await expect.poll(() => read(`${step}.failure`)).toBeTruthy();
  await read('it.close()');
  await expect.poll(() => read(`${step}.step`)).toBe('none');
});

test('the panel of the bell opens on hover and closes by Escape', async () => {
  const { page } = await mount({ 'GET /notifications/unread-count': { count: 120 } }, 'NotificationBell');
  await page.getByText('99+').waitFor();
  await page.getByRole('link').first().hover();
  await page.getByText('120').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByText('120').count()).toBe(0);
});

test('CopyButton confirms for two seconds', async () => {
  const { page } = await mount({}, 'CopyButton', { text: 'abc' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button').click();
  await page.getByText('Copied').waitFor();
  await expect.poll(() => page.getByText('Copied').count()).toBe(0);
});

test('a dead job is discarded once that is confirmed', async () => {
  const job = {
    id: 'j',
    queue: 'email',
    subject: {},
    error: 'No route',
    failed_at: new Date().toISOString(),
  };
  const discard = 'DELETE /admin/jobs/email/j';
  const replies = { 'GET /admin/jobs': { queues: [], active: [], dead: [job] }, [discard]: { ok: true } };
  const { page, calls } = await mount(replies, 'JobList');
  // Without styles, the backdrop lies above the dialog.
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  await press('Discard');
  await press('Cancel');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(calls).not.toContain(discard);
  await press('Discard');
  await press('Discard job');
  await expect.poll(() => calls).toContain(discard);
});

test('LazyMenu opens on a press while its script loads', async () => {
  const { page } = await mount({}, 'useNow');
  const script = Promise.withResolvers<void>();
  await page.route(/\/assets\/menu-/, async (route) => {
    await script.promise;
    await route.fallback();
  });
  const item = { label: 'Outline' };
  await page.evaluate(
    `window.harness.mount('LazyMenu', { label: 'More', trigger: '…', items: [${JSON.stringify(item)}] })`,
  );
  const button = page.getByRole('button', { name: 'More' });
  await button.click();
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true');
  script.resolve();
  await page.getByRole('menuitem', { name: 'Outline' }).waitFor();
});
