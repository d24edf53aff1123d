import type { Page, WebSocketRoute } from 'playwright-core';
import { expect } from 'vitest';
import { all, answered, at, click, has, hasStoredToken, reload, see, unhindered, unseen } from './checks.ts';
import type { Screen } from './row.ts';
import { button, css, heading, link, role, text, within } from './targets.ts';

const bell = within(role('banner'), link(/notifications/i));

/** URLs that links in Markdown may have, then refused ones. */
const LINK_URLS = [
  'http://a.example/',
  'https://a.example/',
  'mailto:a@a.example',
  'irc://a.example/',
  'ircs://a.example/',
  'xmpp:a@a.example',
  '/projects',
];
const EMPTIED = ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd'];
const nameOf = (address: string) => (address.startsWith('/') ? 'relative' : address.split(':')[0]!);
const wordsOf = (address: string) => new RegExp(`^to ${nameOf(address)}\\b`);

/** Sections 4 and 5: what happens over time and when calls fail. */
export const overTime: Screen[] = [
  {
    section: 4,
    title: 'Signed in',
    as: 'newcomer',
    open: '/projects',
    ready: heading('Your Projects'),
    rows: [
      {
        what: 'the profile is loaded at the start',
        check: async (page) => {
          const [request] = await Promise.all([page.waitForRequest(/\/api\/auth\/me$/), page.reload()]);
          expect(request.headers().authorization).toMatch(/^Bearer /);
        },
      },
      {
        what: 'the token is refreshed silently and the profile reloaded every 25 minutes',
        section: 9,
        check: async (page, world) => {
          await page.clock.install();
          await page.reload();
          await see(heading('Your Projects'))(page, world);
          const calls = Promise.all([
            page.waitForRequest(/\/api\/auth\/refresh$/, { timeout: 5000 }),
            page.waitForRequest(/\/api\/auth\/me$/, { timeout: 5000 }),
          ]);
          await page.clock.fastForward(25 * 60_000 + 1_000);
          await calls;
          await page.clock.resume();
        },
      },
      {
        what: 'a 401 leads to one refresh and a second try',
        decision: '0005-status-codes-decide',
        check: async (page, world) => {
          let refused = 0;
          await page.route(/\/api\/projects$/, async (route) => {
            if (refused > 0) return await route.continue();
            refused += 1;
            await route.fulfill({
              status: 401,
              json: { error: { code: 'unauthenticated', message: 'No.' } },
            });
          });
          const refreshed = page.waitForRequest(/\/api\/auth\/refresh$/, { timeout: 5000 });
          await page.reload();
          await refreshed;
          await see(text('No projects yet'))(page, world);
          await page.unrouteAll();
        },
      },
      {
        what: 'a message that mentions a token changes nothing by itself',
        decision: '0005-status-codes-decide',
        check: all(
          answered(/\/api\/projects$/, {
            status: 500,
            json: {
              error: { code: 'internal', message: 'Unexpected token 401' },
              detail: 'Unexpected token 401',
            },
          }),
          reload,
          see(text('Unexpected token 401')),
          at('/projects'),
          unhindered,
        ),
      },
      {
        what: 'the detail of the server is shown',
        section: 8,
        check: all(
          answered(/\/api\/projects$/, { status: 500 }),
          reload,
          see(text('The disk is on holiday.')),
          unhindered,
        ),
      },
      {
        what: 'HTTP error! status: {code} where there is no detail',
        section: 8,
        check: all(
          answered(/\/api\/projects$/, { status: 502, body: '' }),
          reload,
          see(text('HTTP error! status: 502')),
          unhindered,
        ),
      },
      {
        what: 'a script that does not load offers a reload',
        section: 8,
        decision: '0025-visible-errors',
        check: async (page, world) => {
          await page.reload();
          await page.route(/\/assets\/.*\.js/, (route) => route.abort());
          await page.clock.install();
          await click(link('Debug'))(page, world);
          await page.clock.runFor(119_000);
          await see(text('A new version is available'), button('Reload'))(page, world);
          await page.unrouteAll();
        },
      },
    ],
  },
  {
    section: 4,
    title: 'Live line',
    as: 'newcomer',
    open: '/projects',
    ready: heading('Your Projects'),
    rows: [
      {
        what: 'notification_count_update moves the badge',
        section: 7,
        check: async (page, world) => {
          await page.routeWebSocket(/\/ws\/notifications\?token=/, (line) => {
            sendCount(line, 7);
          });
          await page.reload();
          await see(within(bell, text('7')))(page, world);
        },
      },
      {
        what: 'the badge shows 99+ above 99',
        section: 9,
        check: async (page, world) => {
          await page.routeWebSocket(/\/ws\/notifications\?token=/, (line) => {
            sendCount(line, 100);
          });
          await page.reload();
          await see(within(bell, text('99+')))(page, world);
        },
      },
      {
        what: 'the line is opened again 5 seconds after it closed',
        section: 9,
        decision: '0031-websocket-ticket',
        check: async (page, world) => {
          let opened = 0;
          await page.routeWebSocket(/\/ws\/notifications\?token=/, async (line) => {
            opened += 1;
            if (opened === 1) await line.close();
          });
          await page.clock.install();
          await page.reload();
          await see(heading('Your Projects'))(page, world);
          await expect.poll(() => opened).toBe(1);
          await page.clock.fastForward(4_000);
          expect(opened).toBe(1);
          await page.clock.fastForward(1_500);
          await expect.poll(() => opened).toBe(2);
        },
      },
    ],
  },
  {
    section: 4,
    title: 'Sign-in that has ended',
    as: 'leaver',
    open: '/projects',
    ready: heading('Your Projects'),
    rows: [
      {
        what: 'a refresh that fails clears the token and asks to sign in',
        check: async (page, world) => {
          await page.route(/\/api\/auth\/refresh$/, (route) =>
            route.fulfill({ status: 401, json: { error: { code: 'unauthenticated', message: 'No.' } } }),
          );
          await page.route(/\/api\/(projects|auth\/me)$/, (route) =>
            route.fulfill({ status: 401, json: { error: { code: 'unauthenticated', message: 'No.' } } }),
          );
          await page.reload();
          await at(/^\/login/)(page, world);
          await hasStoredToken(false)(page, world);
        },
      },
      {
        what: 'a deactivated account is signed out',
        section: 5,
        decision: '0005-status-codes-decide',
        check: async (page, world) => {
          await page.unrouteAll();
          await page.evaluate(
            (token) => localStorage.setItem('access_token', token),
            world.accounts.leaver.access_token,
          );
          await page.route(/\/api\/(projects|auth\/me)$/, (route) =>
            route.fulfill({ status: 403, json: { error: { code: 'deactivated', message: 'It is off.' } } }),
          );
          // The sign-out may leave the page before it is loaded.
          await page.goto('/projects', { waitUntil: 'commit' }).catch(ignoreAborted);
          await at(/^\/login/)(page, world);
          await hasStoredToken(false)(page, world);
          await page.unrouteAll();
        },
      },
    ],
  },
  {
    section: 5,
    title: 'Addresses in markdown',
    as: 'user',
    open: ({ session }) => `/debug/${session.id}`,
    ready: text('Was this solution helpful?'),
    rows: [
      ...LINK_URLS.map((address) => ({
        what: `${nameOf(address)} addresses stay`,
        check: all(showAddresses, has(link(wordsOf(address)), 'href', address)),
      })),
      ...EMPTIED.map((address) => ({
        what: `${nameOf(address)} addresses are emptied`,
        check: all(showAddresses, see(text(wordsOf(address))), unseen(css(`a[href^="${nameOf(address)}:"]`))),
      })),
    ],
  },
];

/** Another navigation, such as that to the sign-in page, ends one that is under way. */
function ignoreAborted(error: Error): null {
  if (error.message.includes('ERR_ABORTED')) return null;
  throw error;
}

/** The answer of the page is replaced by links to all addresses, unless it is already. */
async function showAddresses(page: Page): Promise<void> {
  if ((await page.getByText(wordsOf(LINK_URLS[0]!)).count()) > 0) return;
  const links = [...LINK_URLS, ...EMPTIED].map((address) => `[to ${nameOf(address)}](${address})`);
  await page.unrouteAll();
  await page.route(/\/api\/debug\/sessions\/[\w-]+$/, async (route) => {
    const reply = await route.fetch();
    const session = await reply.json();
    session.answer.solution = links.join('\n\n');
    session.answer.patch = null;
    await route.fulfill({ response: reply, json: session });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Show full report' }).click();
}

/** Sends the count after a delay: sent at once, it would precede the count that the page requests. */
function sendCount(line: WebSocketRoute, count: number): void {
  setTimeout(() => line.send(JSON.stringify({ type: 'notification_count_update', count })), 1_500);
}
