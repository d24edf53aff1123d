import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Limits of a search by keys, both to be exceeded: a page may still be loading during the first presses. */
const MAX_PRESSES = 150;
const LOADING_MS = 20_000;

/** Presses a key until an element of that name has the focus, as users without a pointer do. */
export async function pressUntilFocused(page: Page, key: string, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  const isWanted = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  const start = performance.now();
  while (passed.length < MAX_PRESSES || performance.now() - start < LOADING_MS) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(nameOfFocused);
    if (isWanted(focused)) return;
    passed.push(focused);
  }
  throw new Error(`“${name}” is not reached by ${key}: ${passed.slice(-MAX_PRESSES).join(', ')}`);
}

/** Presses a key until the focused element matches the selector. */
export async function pressUntilOn(page: Page, key: string, selector: string): Promise<void> {
  const start = performance.now();
  for (let presses = 0; presses < MAX_PRESSES || performance.now() - start < LOADING_MS; presses++) {
    await page.keyboard.press(key);
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  throw new Error(`Nothing that matches ${selector} is reached by ${key}`);
}

/** Presses `g` and another key until the page with this address is shown: the second key must follow soon. */
export async function goByKeys(page: Page, key: string, address: RegExp): Promise<void> {
  await expect
    .poll(async () => {
      if (!address.test(page.url())) {
        await page.keyboard.press('g');
        await page.keyboard.press(key);
        // Keys that were heard are not pressed again: the next page may have a field for them.
        await page.waitForURL(address, { timeout: 5_000 }).catch(() => undefined);
      }
      return page.url();
    })
    .toMatch(address);
}

/** Runs in the page. */
function nameOfFocused(): string {
  const element = document.activeElement as HTMLInputElement | null;
  const label = element?.labels?.[0]?.textContent;
  return (element?.ariaLabel ?? label ?? element?.textContent ?? '').trim();
}
