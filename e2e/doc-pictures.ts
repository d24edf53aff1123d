// node e2e/doc-pictures.ts [name …]    writes the pictures of the documents, or those named, to docs/pictures
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, openPage } from './browser.ts';
import { sampleEvents } from './doc-events.ts';
import { callApi, PASSWORD, startProduct } from './product.ts';

const FOLDER = 'docs/pictures';
const VIEWPORT = { width: 1440, height: 900 };
const QUALITY = 82;
const MAX_BYTES = 150_000;
const TIMEOUT_MS = 120_000;
/** So much quiet is enough to draw: some pages ask again for what is measured in the background. */
const QUIET_MS = 5_000;
const QUESTIONS = ['Why are rates cached between quotes?', 'Who knows src/zones.js best?'];

/** A screen of the sample project. */
interface Picture {
  name: string;
  path: string;
}

const product = await startProduct({ allowedHosts: [], fromNothing: true });
const browser = await openBrowser(process.env.CHROMIUM ?? 'chromium');
try {
  const { token, pictures } = await createContent(product.url);
  await mkdir(FOLDER, { recursive: true });
  const baseURL = product.url;
  const context = await browser.newContext({
    baseURL,
    viewport: VIEWPORT,
    reducedMotion: 'reduce',
    colorScheme: 'light',
  });
  await context.addInitScript((value) => localStorage.setItem('access_token', value), token);
  await context.addCookies([{ name: 'signed_in', value: '1', url: product.url }]);
  const { page, faults } = await openPage(context);
  const names = process.argv.slice(2);
  for (const picture of pictures.filter(({ name }) => names.length === 0 || names.includes(name)))
    await takePicture(page, picture);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await product.stop();
}

/** Adds the sample project with events, an answer and a chat; returns the screens that show them. */
async function createContent(url: string): Promise<{ token: string; pictures: Picture[] }> {
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  const signedUp = await callApi({ url }, ['POST', '/auth/register'], { token: '', body: account });
  const token = String(signedUp.access_token);
  const call = (method: string, path: string, body?: unknown) =>
    callApi({ url }, [method, path], { token, body });
  const { id } = await call('POST', '/projects/sample');
  await until(async () => {
    const project = await call('GET', `/projects/${id}`);
    if (project.failure) throw new Error(JSON.stringify(project.failure));
    return project.status === 'ready' && project.activity === null;
  });
  const intake = await call('POST', `/projects/${id}/intake`);
  const events = sampleEvents();
  for (const event of events) await sendEvent(intake, event);
  await until(async () => {
    const { errors } = (await call('GET', `/projects/${id}/errors`)) as { errors: { count: number }[] };
    return errors.reduce((sum, { count }) => sum + count, 0) >= events.length;
  });
  const answer = await call('POST', '/debug', { project_id: id, error_message: events[0]!.text });
  for (const message of QUESTIONS)
    await call('POST', `/chat/projects/${id}/messages`, { message, use_chat_history: false });
  const project = `/projects/${id}`;
  const pictures: Picture[] = [
    { name: 'overview', path: project },
    { name: 'inbox', path: `${project}/errors` },
    { name: 'answer', path: `/debug/${answer.id}` },
    { name: 'chat', path: `${project}/chat` },
    { name: 'editor', path: `/ide/${id}?file=src/surcharges.js#L3` },
    { name: 'search', path: `/search?q=surcharge&project_id=${id}` },
    { name: 'evolution', path: `${project}/evolution` },
    { name: 'settings', path: `${project}/settings` },
  ];
  return { token, pictures };
}

/** Sends an event as a program without an SDK would. */
async function sendEvent({ events_url, key }: Record<string, unknown>, event: object): Promise<void> {
  const { text: _, ...body } = event as { text: string };
  const headers = { 'x-sentry-auth': `Sentry sentry_key=${key}`, 'content-type': 'application/json' };
  const reply = await fetch(String(events_url), { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${events_url}: ${reply.status} ${await reply.text()}`);
}

async function takePicture(page: Page, { name, path }: Picture): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => null);
  await until(async () => (await page.locator('#page .spinner').count()) === 0);
  // Charts and lists appear after their data.
  await page.waitForTimeout(1_000);
  await page.evaluate('scrollTo(0, 0)');
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  const file = join(FOLDER, `${name}.webp`);
  await writeFile(file, Buffer.from(data, 'base64'));
  const { size } = await stat(file);
  console.log(`${file}: ${Math.round(size / 1000)} KB`);
  if (size > MAX_BYTES) throw new Error(`${file} has more than ${MAX_BYTES / 1000} KB`);
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; !(await reached()); ) {
    if (Date.now() > end) throw new Error('The sample project did not become ready.');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
