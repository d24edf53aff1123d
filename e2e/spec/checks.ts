import type { Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import type { Check } from './row.ts';
import type { Target } from './targets.ts';
import type { World } from './world.ts';

/** Timeout of a row's expectations, long enough for an answer on a busy machine. */
const TIMEOUT_MS = 30_000;
const patient = { timeout: TIMEOUT_MS };

/** The first visible one of what is meant. */
function shown(page: Page, target: Target): Locator {
  return target(page).filter({ visible: true }).first();
}

/** A check that depends on what is in the product. */
export const inWorld =
  (check: (world: World) => Check): Check =>
  async (page, world) => {
    await check(world)(page, world);
  };

/** One after the other, each with the effect of those before. */
export const all =
  (...checks: Check[]): Check =>
  async (page, world) => {
    for (const check of checks) await check(page, world);
  };

/** It can be seen. */
export const see =
  (...targets: Target[]): Check =>
  async (page) => {
    for (const target of targets) await shown(page, target).waitFor(patient);
  };

/** It can't be seen, or can't any longer. */
export const unseen =
  (target: Target): Check =>
  async (page) => {
    await expect.poll(() => target(page).filter({ visible: true }).count(), patient).toBe(0);
  };

/** As many as this can be seen. */
export const count =
  (target: Target, number: number): Check =>
  async (page) => {
    await expect.poll(() => target(page).filter({ visible: true }).count(), patient).toBe(number);
  };

export const enabled =
  (target: Target): Check =>
  async (page) => {
    await expect.poll(() => shown(page, target).isEnabled(patient), patient).toBe(true);
  };

export const disabled =
  (target: Target): Check =>
  async (page) => {
    await expect
      .poll(async () => {
        const marked = await shown(page, target).getAttribute('aria-disabled', patient);
        return marked === 'true' || (await shown(page, target).isDisabled(patient));
      }, patient)
      .toBe(true);
  };

export const checked =
  (target: Target, is = true): Check =>
  async (page) => {
    await expect
      .poll(async () => {
        const aria = await shown(page, target).getAttribute('aria-checked', patient);
        return aria === null ? await shown(page, target).isChecked(patient) : aria === 'true';
      }, patient)
      .toBe(is);
  };

/** An attribute with this value; null when it must not be there. */
export const has =
  (target: Target, attribute: string, value: string | RegExp | null): Check =>
  async (page) => {
    const read = () => shown(page, target).getAttribute(attribute, patient);
    if (value === null) await expect.poll(read, patient).toBeNull();
    else await expect.poll(read, patient).toMatch(value);
  };

/** An input that holds this text. */
export const holds =
  (target: Target, value: string | RegExp): Check =>
  async (page) => {
    const read = () => shown(page, target).inputValue(patient);
    if (typeof value === 'string') await expect.poll(read, patient).toBe(value);
    else await expect.poll(read, patient).toMatch(value);
  };

/** An element whose text is like this. */
export const reads =
  (target: Target, words: string | RegExp): Check =>
  async (page) => {
    await expect.poll(() => shown(page, target).innerText(patient), patient).toMatch(words);
  };

/** A link with this address. */
export const leads = (target: Target, to: string | RegExp): Check =>
  typeof to === 'string' ? has(target, 'href', new RegExp(`^${to}$`)) : has(target, 'href', to);

/** An expression that the browser finds true, where nothing but a measurement will do. */
export const truth =
  (expression: string): Check =>
  async (page) => {
    await expect.poll(() => page.evaluate(expression), patient).toBe(true);
  };

/** Something in here has this computed style. */
export const styled = (selector: string, property: string, value: string): Check =>
  truth(
    `[...document.querySelectorAll('${selector}')].some((one) => getComputedStyle(one)['${property}'] === '${value}')`,
  );

/** The page is at this address, query included. */
export const at =
  (address: string | RegExp): Check =>
  async (page) => {
    const here = () => page.url().replace(/^https?:\/\/[^/]+/, '');
    if (typeof address === 'string') await expect.poll(here, patient).toBe(address);
    else await expect.poll(here, patient).toMatch(address);
  };

export const open =
  (address: string): Check =>
  async (page) => {
    await page.goto(address);
  };

/** The server sends a document for this address with this status. */
export const sent =
  (address: string, status: number): Check =>
  async (page) => {
    const response = await page.goto(address);
    expect(response?.status(), address).toBe(status);
  };

export const click =
  (target: Target): Check =>
  async (page) => {
    await shown(page, target).click(patient);
  };

export const hover =
  (target: Target): Check =>
  async (page) => {
    await shown(page, target).hover(patient);
  };

export const fill =
  (target: Target, value: string): Check =>
  async (page) => {
    await shown(page, target).fill(value, patient);
  };

/** A box is ticked, or an option chosen, whatever it looks like. */
export const tick =
  (target: Target): Check =>
  async (page) => {
    await target(page)
      .first()
      .check({ ...patient, force: true });
  };

export const press =
  (key: string): Check =>
  async (page) => {
    await page.keyboard.press(key);
  };

/** The viewport becomes this wide. */
export const wide =
  (width: number): Check =>
  async (page) => {
    await page.setViewportSize({ width, height: 900 });
  };

/** A list in which this is chosen. */
export const chosen =
  (target: Target, option: string): Check =>
  async (page) => {
    const read = () => shown(page, target).locator('option:checked').innerText(patient);
    await expect.poll(read, patient).toBe(option);
  };

/** It is in the page, whether or not it can be seen, like the options of a closed list. */
export const exists =
  (target: Target): Check =>
  async (page) => {
    await target(page)
      .first()
      .waitFor({ ...patient, state: 'attached' });
  };

/** Adds lines at the end of an editor. */
export const append =
  (target: Target, lines: string): Check =>
  async (page) => {
    await shown(page, target).click(patient);
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(lines);
  };

/** Appears by `step` and goes away so many milliseconds later. */
export const brief =
  (step: Check, target: Target, ms: number): Check =>
  async (page, world) => {
    await page.clock.install();
    await step(page, world);
    await see(target)(page, world);
    await page.clock.fastForward(ms + 100);
    await unseen(target)(page, world);
    await page.clock.resume();
  };

/** Checks for a stored access token in the browser. */
export const hasStoredToken = (is: boolean): Check =>
  truth(`(localStorage.getItem('access_token') !== null) === ${is}`);

/** The browser forgets who was signed in. */
export const forget: Check = async (page) => {
  await page.evaluate('localStorage.clear()');
  await page.context().clearCookies();
};

/** Motion is wanted, or not. */
export const motion =
  (reducedMotion: 'no-preference' | 'reduce'): Check =>
  async (page) => {
    await page.emulateMedia({ reducedMotion });
  };

/** Chooses in a list, the browser's own or ours. */
export const choose =
  (target: Target, option: string): Check =>
  async (page) => {
    const list = shown(page, target);
    const native = await list.evaluate((element) => element.tagName === 'SELECT', undefined, patient);
    if (native) {
      await list.selectOption({ label: option }, patient);
    } else {
      await list.click(patient);
      await page.getByRole('option', { name: option, exact: true }).click(patient);
    }
  };

const WORDS = 'The disk is on holiday.';
const FAILURE = { error: { code: 'internal', message: WORDS, request_id: 'r1' }, detail: WORDS };

/** From now on calls to this address are answered by us: what a server far away would do, or one in trouble. */
export const answered =
  (
    address: RegExp,
    reply: { status?: number; json?: unknown; body?: string; afterMs?: number; method?: string },
  ): Check =>
  async (page) => {
    await page.route(address, async (route) => {
      if (reply.method && route.request().method() !== reply.method) return await route.fallback();
      if (reply.afterMs) await new Promise((after) => setTimeout(after, reply.afterMs));
      if (reply.json === undefined && reply.status === undefined) return await route.continue();
      if (reply.body !== undefined) {
        return await route.fulfill({ status: reply.status, body: reply.body });
      }
      await route.fulfill({ status: reply.status ?? 200, json: reply.json ?? FAILURE });
    });
  };

/** Every call is answered by the product again. */
export const unhindered: Check = async (page) => {
  // Waits for a pending answer: a call must not be answered twice.
  await page.unrouteAll({ behavior: 'wait' });
};

export const reload: Check = async (page) => {
  await page.reload();
};

/** While `step` is done, the page sends this call with at least this payload. */
export const sends =
  (step: Check, method: string, address: RegExp, payload?: object): Check =>
  async (page, world) => {
    const isIt = (request: Request) =>
      request.method() === method && address.test(new URL(request.url()).pathname);
    const [request] = await Promise.all([page.waitForRequest(isIt, patient), step(page, world)]);
    if (payload) expect(request.postDataJSON()).toMatchObject(payload);
  };
