import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkField, checkReply, makeCalls, type Replies } from './calls.ts';
import type { CallTable, Screen } from './row.ts';
import { CALLS, SCREENS } from './sections.ts';
import { createWorld, type World } from './world.ts';

const LOADING_MS = 30_000;

let world: World;
let rows = 0;
let passed = 0;

beforeAll(async () => {
  world = await createWorld(inject('chromium'));
});

afterAll(async () => {
  await world?.close();
  console.log(`${passed} of ${rows} rows of the specification hold`);
});

/** One sentence of the specification as a test. */
function row(section: number, what: string, decision: string | undefined, check: () => Promise<void> | void) {
  rows += 1;
  test(`${section}: ${what}`, async () => {
    if (decision) expect(existsSync(`docs/decisions/${decision}.md`), `${decision} is recorded`).toBe(true);
    await check();
    passed += 1;
  });
}

describe.each(SCREENS)('$title', (screen: Screen) => {
  let page: Page;
  let failure: unknown = null;
  beforeAll(async () => {
    page = await (await world.contextOf(screen.as)).newPage();
    try {
      await page.goto(typeof screen.open === 'string' ? screen.open : screen.open(world));
      await screen.ready(page).filter({ visible: true }).first().waitFor({ timeout: LOADING_MS });
    } catch (error) {
      failure = error;
    }
  });
  afterAll(() => page?.close());
  for (const { what, check, section = screen.section, decision } of screen.rows) {
    row(section, `${screen.title}: ${what}`, decision, async () => {
      if (failure) throw failure;
      await check(page, world);
    });
  }
});

describe.each(CALLS)('$call $about', (table: CallTable) => {
  let replies: Replies;
  beforeAll(async () => {
    replies = await makeCalls(table, world);
  });
  const about = table.about ? `, ${table.about},` : '';
  row(table.section, `${table.call}${about} answers`, table.decision, () => checkReply(table, replies));
  for (const [path, type] of Object.entries(table.fields ?? {})) {
    row(table.section, `${table.call}${about} has ${path}`, undefined, () => checkField(path, type, replies));
  }
});
