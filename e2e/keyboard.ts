import type { Page } from 'playwright-core';

const MAX_PRESSES = 150;

/** Presses a key until an element of that name has the focus, as users without a pointer do. */
export async function pressUntilFocused(page: Page, key: string, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  const isWanted = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(nameOfFocused);
    if (isWanted(focused)) return;
    passed.push(focused);
  }
  throw new Error(`“${name}” is not reached by ${key}: ${passed.join(', ')}`);
}

/** Presses a key until the focused element matches the selector. */
export async function pressUntilOn(page: Page, key: string, selector: string): Promise<void> {
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    await page.keyboard.press(key);
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  throw new Error(`Nothing that matches ${selector} is reached by ${key}`);
}

/** Runs in the page. */
function nameOfFocused(): string {
  const element = document.activeElement as HTMLInputElement | null;
  const label = element?.labels?.[0]?.textContent;
  return (element?.ariaLabel ?? label ?? element?.textContent ?? '').trim();
}
