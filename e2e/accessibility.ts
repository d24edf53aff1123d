import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Lists the axe violations of the current page, one line per rule. axe runs in the page itself: the builder for Playwright
 * loads it again for every report and opens a second page to write it, which took three quarters of the time of a sweep.
 */
export async function accessibilityFaults(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return await page.evaluate(listViolations, { ...options, resultTypes: ['violations' as const] });
}

/** Runs in the page. */
async function listViolations(options: RunOptions): Promise<string[]> {
  const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}
