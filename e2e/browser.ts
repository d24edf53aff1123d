import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Without these a headless Chromium tries to reach its maker's hosts. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A server on a busy machine asks to come back; the page does, and shows it where that does not help. */
export const BUSY_REFUSAL = /status of 503|Unexpected response code: 503/;

/** Time for what a page shows or accepts, long enough for a busy machine. */
const TIMEOUT_MS = 60_000;

/** Starts the browser at this path. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: QUIET });
}

/** A page that collects what must never happen: errors of the page and what its policy refused. */
export async function openPage(context: BrowserContext): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !BUSY_REFUSAL.test(message.text())) faults.push(message.text());
  });
  return { page, faults };
}
