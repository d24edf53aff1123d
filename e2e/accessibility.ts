import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Lists the axe violations of the current page, one line per rule. axe runs in the page itself: the builder for Playwright
 * loads it again for every report and opens a second page to write it, which took three quarters of the time of a sweep.
 * Waits for the page's first heading: the script of a route arrives after its address.
 */
export async function accessibilityFaults(page: Page, options: RunOptions = {}): Promise<string[]> {
  // A page without a heading is reported by axe itself.
  await page
    .locator('h1')
    .first()
    .waitFor({ state: 'attached', timeout: 10_000 })
    .catch(() => undefined);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return await page.evaluate(listViolations, { ...options, resultTypes: ['violations' as const] });
}

/** Runs in the page. */
async function listViolations(options: RunOptions): Promise<string[]> {
  const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}
