// node e2e/shots.ts [name …]    writes pictures of all screens, or of those named, to ./shots
import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { type Shot, STATES, type State, shotsOf } from './screens.ts';
import { createWorld } from './spec/world.ts';

const FOLDER = 'shots';
const WIDTHS = [1440, 1024, 390];
const THEMES = ['light', 'dark'];

/** API calls other than sign-in state, which resolves even where all others are delayed or fail. */
const DATA_CALLS = /^\/api\/(?!auth\/)/;

/** So much quiet is enough to draw; a state that never becomes quiet is drawn as it then is. */
const QUIET_MS = 2_000;

/** One visit: every width in both themes, which are only an attribute of the document. */
async function shoot(page: Page, shot: Shot, state: State): Promise<void> {
  await page.setViewportSize({ width: WIDTHS[0]!, height: 900 });
  await page.goto(shot.url);
  await quiet(page);
  if (shot.open) {
    await shot.open(page);
    await quiet(page);
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of THEMES) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.screenshot({
        path: `${FOLDER}/${shot.name}-${state}-${theme}-${width}.png`,
        fullPage: true,
      });
    }
  }
}

async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => null);
  // What is slow to come appears late on purpose.
  await page.waitForTimeout(400);
}

/** Holds or fails the calls of a shot; a 503 would be tried again before it is shown. */
async function hinder(page: Page, { calls = DATA_CALLS }: Shot, state: State): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const callBehavior = STATES[state].calls;
  if (callBehavior === 'answered') return;
  const hindered = ({ pathname }: URL) => pathname.startsWith('/api/') && calls.test(pathname);
  await page.route(hindered, async (route) => {
    if (callBehavior === 'held') return;
    const message = 'The server ran into an error of its own.';
    await route.fulfill({
      status: 500,
      json: { error: { code: 'internal', message, request_id: 'r1' }, detail: message },
    });
  });
}

const names = process.argv.slice(2);
const world = await createWorld(process.env.CHROMIUM ?? 'chromium');
const missed: string[] = [];
try {
  await mkdir(FOLDER, { recursive: true });
  const shots = (await shotsOf(world)).filter(({ name }) => names.length === 0 || names.includes(name));
  for (const state of Object.keys(STATES) as State[]) {
    const page = await (await world.contextOf(STATES[state].who)).newPage();
    for (const shot of shots.filter(({ states }) => states.includes(state))) {
      await hinder(page, shot, state);
      await shoot(page, shot, state).catch((error: Error) =>
        missed.push(`${shot.name}, ${state}: ${error.message}`),
      );
    }
    await page.close();
  }
  console.log(`${shots.length} screens are drawn in ./${FOLDER}`);
  for (const what of missed) console.error(`Not drawn: ${what}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  await world.close();
}
