import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Browser, Page, Route } from 'playwright-core';
import { type Rolldown, build as runVite } from 'vite';
import { afterAll, beforeAll, inject } from 'vitest';
import { openBrowser } from '../browser.ts';

const ORIGIN = 'http://localhost';
const DOCUMENT = `<!doctype html><html lang="en"><body><div id="root"></div>
<script type="module" src="/harness.js"></script></body></html>`;

/** Interface of `src/web/testing-harness.tsx` in the page. */
interface HarnessWindow {
  harness: { mount(name: unknown, ...args: unknown[]): Promise<void>; update(...args: unknown[]): void };
}

/** A reply by call, such as `GET /projects`: its JSON, or a function of the request body. Others answer 404. */
type Replies = Record<string, unknown | ((body: unknown) => unknown)>;

/** A failed reply. */
export function failure(status: number, code = 'internal', message = 'It failed'): Response {
  return Response.json({ error: { code, message, request_id: 'r' } }, { status });
}

let browser: Browser;
let files: Map<string, string | Uint8Array>;
/** Of all files of the process. */
let build: ReturnType<typeof buildHarness> | undefined;

/** Builds the harness and starts the browser for the tests of a file. */
export function setUpComponentBrowser(): void {
  beforeAll(async () => {
    build ??= buildHarness();
    [browser, files] = await Promise.all([openBrowser(inject('chromium')), build]);
  });
  afterAll(() => browser?.close());
}

/** Opens a page on which the hook or component is mounted with these arguments. */
export async function mount(replies: Replies, name: string, ...args: unknown[]) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  const calls: string[] = [];
  await context.route('**/*', (route) => answer(route, replies, calls));
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('access_token', 'test'));
  await page.goto(`${ORIGIN}/`);
  await page.waitForFunction(() => 'harness' in window);
  await page.evaluate(
    ({ subject, rest }) => (window as unknown as HarnessWindow).harness.mount(subject, ...rest),
    { subject: name, rest: args },
  );
  return {
    page,
    calls,
    /** Evaluates an expression over `it`, the last return value of the hook. */
    read: (expression: string) => read(page, expression),
    /** Renders again with other arguments. */
    update: (...next: unknown[]) =>
      page.evaluate((list) => (window as unknown as HarnessWindow).harness.update(...list), next),
  };
}

function read(page: Page, expression: string): Promise<unknown> {
  return page.evaluate(`(() => { const it = window.harness.result; return (${expression}); })()`);
}

async function answer(route: Route, replies: Replies, calls: string[]): Promise<void> {
  const request = route.request();
  const { pathname } = new URL(request.url());
  if (!pathname.startsWith('/api/')) {
    const body = files.get(pathname.slice(1)) ?? DOCUMENT;
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    return route.fulfill({ contentType: type, body: Buffer.from(body) });
  }
  const call = `${request.method()} ${pathname.slice('/api'.length)}`;
  calls.push(call);
  const reply = replies[call] ?? failure(404, 'not_found', 'Not found');
  const value = typeof reply === 'function' ? await reply(request.postDataJSON()) : reply;
  const response = value instanceof Response ? value.clone() : Response.json(value);
  return (
    route
      .fulfill({ status: response.status, contentType: 'application/json', body: await response.text() })
      // The page may have aborted the request.
      .catch(() => undefined)
  );
}

async function buildHarness(): Promise<Map<string, string | Uint8Array>> {
  const root = fileURLToPath(new URL('../../src/web', import.meta.url));
  const output = (await runVite({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [react()],
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        input: `${root}/testing-harness.tsx`,
        output: { entryFileNames: 'harness.js' },
      },
    },
  })) as Rolldown.RolldownOutput;
  return new Map(
    output.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  );
}
