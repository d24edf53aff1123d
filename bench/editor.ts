import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { openBrowser } from '../e2e/browser.ts';
import { buildRepository, type TestFiles } from '../src/git/testing.ts';
import {
  type Account,
  connectRepository,
  describeMachine,
  signUp,
  startEditorServer,
  writeSection,
} from './editor-server.ts';
import { readTasks } from './editor-trace.ts';
import { percentile } from './speed-timing.ts';

/*
 * npm run build && CHROMIUM=… node bench/editor.ts [--out yes]
 *
 * Measures the editor in a browser with built pages, on a repository of 100,000 files: from a click to the text of a file of
 * 10,000 lines, typing into it, from the link to the first row of the tree; and saves on a repository of 20,000 files.
 */
const { values } = parseArgs({ options: { out: { type: 'string' } } });
const LINES = 10_000;
const OPENED_FILES = 10;
const FOLDERS = 800;
const FILES_OF_FOLDER = 100;
const LARGE_FOLDER_FILES = 20_000;
const SAVES = 200;
/** Between two keys of a fast typist. */
const KEY_INTERVAL_MS = 60;
const FRAME_MS = 1_000 / 60;
const TYPED = 'const total = add1(first) + add2(second); // adds what was counted before\n';

const dataDir = await mkdtemp(`${tmpdir()}/hindsight-editor-`);
const large = await buildRepository(async (repo) => void (await repo.commit({ files: largeTree() })), {
  name: 'large.git',
});
const medium = await buildRepository(async (repo) => void (await repo.commit({ files: mediumTree() })), {
  name: 'medium.git',
});
const server = await startEditorServer(dataDir, tmpdir());
const browser = await openBrowser(process.env.CHROMIUM ?? 'chromium');
try {
  const ada = await signUp(server.url);
  const mediumId = await connectRepository(ada, 'medium', medium.path);
  const saves = await timeSaves(ada, mediumId);
  const largeId = await connectRepository(ada, 'large', large.path);
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: 'signed_in', value: '1', url: server.url }]);
  await context.addInitScript((token) => localStorage.setItem('access_token', token), ada.token);
  const trees = await timeTree(context, largeId);
  const { page, opens } = await timeOpening(context, largeId);
  const typing = await timeTyping(page, await browser.newBrowserCDPSession());
  const report = reportOf({ saves, trees, opens, typing });
  console.log(report);
  if (values.out) await writeSection('Figures', report);
} finally {
  await browser.close();
  await server.stop();
  for (const folder of [dataDir, large.folder, medium.folder])
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

function largeTree(): TestFiles {
  const files: TestFiles = {};
  for (let folder = 0; folder < FOLDERS; folder++) {
    for (let file = 0; file < FILES_OF_FOLDER; file++)
      files[`packages/p${folder}/f${file}.js`] = `export const v = ${folder};\n`;
  }
  for (let file = 0; file < LARGE_FOLDER_FILES; file++) files[`wide/f${file}.txt`] = `${file}\n`;
  for (let file = 0; file <= OPENED_FILES; file++) files[`long/file${file}.ts`] = longFile(file);
  return files;
}

function longFile(seed: number): string {
  const lines = Array.from({ length: LINES / 5 }, (_, index) => [
    `/** Adds ${index} to a number, unless it is ${seed}. */`,
    `export function add${index}(value: number): number {`,
    `  if (value === ${seed}) throw new Error('unexpected value: ' + value);`,
    `  return value + ${index};`,
    '}',
  ]);
  return `${lines.flat().join('\n')}\n`;
}

function mediumTree(): TestFiles {
  const files: TestFiles = {};
  for (let index = 0; index < 20_000; index++)
    files[`src/${index % 200}/file${index}.js`] = `export const value = ${index};\n`;
  return files;
}

/** Milliseconds of each save by the clock of the client. */
async function timeSaves({ call }: Account, project: string): Promise<number[]> {
  const times: number[] = [];
  let base: string | undefined;
  for (let count = 0; count < SAVES; count++) {
    const path = `src/${count % 200}/file${count}.js`;
    base ??= (await call('GET', `/ide/projects/${project}/files/${path}`)).body.commit as string;
    const started = performance.now();
    const { status, body } = await call('POST', `/ide/projects/${project}/files/${path}`, {
      content: `export const value = -${count};\n`,
      base_sha: base,
    });
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`A save answered ${status}.`);
    base = body.commit;
  }
  return times;
}

/** From the click on the link of the editor to the first row of the tree, and from a click on a folder of 20,000 files to its first. */
async function timeTree(context: BrowserContext, project: string) {
  const page = await context.newPage();
  const roots: number[] = [];
  const folders: number[] = [];
  for (let round = 0; round < 6; round++) {
    await page.goto(`/projects/${project}`);
    const link = page.getByRole('link', { name: 'IDE', exact: true });
    await link.waitFor();
    await page.waitForLoadState('networkidle');
    const time = await timeUntil(page, () => link.click(), '[role=treeitem]');
    // The first visit also loads the scripts.
    if (round > 0) roots.push(time);
    const wide = page.getByRole('treeitem', { name: 'wide' });
    const folder = await timeUntil(page, () => wide.click(), '[role=treeitem][aria-level="2"]');
    if (round > 0) folders.push(folder);
  }
  await page.close();
  return { roots, folders };
}

/** From the click on a file of the tree to its text; each file is opened for the first time. */
async function timeOpening(
  context: BrowserContext,
  project: string,
): Promise<{ page: Page; opens: number[] }> {
  const page = await context.newPage();
  await page.goto(`/ide/${project}?file=long/file0.ts`);
  await page.locator('.cm-line').first().waitFor();
  await page.waitForLoadState('networkidle');
  const opens: number[] = [];
  for (let file = 1; file <= OPENED_FILES; file++) {
    const name = `file${file}.ts`;
    const row = page.getByRole('treeitem', { name, exact: true });
    opens.push(await timeUntil(page, () => row.click(), `.cm-content[aria-label="long/${name}"] .cm-line`));
    await page.waitForTimeout(300);
  }
  return { page, opens };
}

/** Milliseconds in the page from the press of the mouse to the frame after an element is there. */
async function timeUntil(page: Page, act: () => Promise<void>, selector: string): Promise<number> {
  await page.evaluate((wanted) => {
    const times: { pressed: number; shown: number } = { pressed: 0, shown: 0 };
    Object.assign(window, { editorTimes: times });
    const watch = () => {
      if (times.pressed > 0 && document.querySelector(wanted)) {
        requestAnimationFrame(() => {
          times.shown = performance.now();
        });
      } else requestAnimationFrame(watch);
    };
    addEventListener(
      'pointerdown',
      (event) => {
        times.pressed = event.timeStamp;
        requestAnimationFrame(watch);
      },
      { once: true, capture: true },
    );
  }, selector);
  await act();
  await page.waitForFunction(() => (window as unknown as TimedWindow).editorTimes.shown > 0);
  return await page.evaluate(() => {
    const { pressed, shown } = (window as unknown as TimedWindow).editorTimes;
    return shown - pressed;
  });
}

interface TimedWindow {
  editorTimes: { pressed: number; shown: number };
  frames: number[];
}

/** Types into the middle of a file of 10,000 lines while the browser records its tasks and the page its frames. */
async function timeTyping(page: Page, session: CDPSession) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.waitForTimeout(500);
  const tasks = await readTasks(session, async () => {
    await page.evaluate(() => {
      const frames: number[] = [];
      Object.assign(window, { frames });
      const count = (time: number) => {
        frames.push(time);
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
    });
    for (const key of TYPED.repeat(2)) {
      await page.keyboard.press(key === ' ' ? 'Space' : key === '\n' ? 'Enter' : key);
      await page.waitForTimeout(KEY_INTERVAL_MS);
    }
  });
  const frames = await page.evaluate(() => (window as unknown as TimedWindow).frames);
  const gaps = frames.slice(1).map((time, index) => time - frames[index]!);
  return { keys: 2 * TYPED.length, tasks, gaps };
}

interface Figures {
  saves: number[];
  trees: { roots: number[]; folders: number[] };
  opens: number[];
  typing: { keys: number; tasks: number[]; gaps: number[] };
}

function reportOf({ saves, trees, opens, typing }: Figures): string {
  const ms = (time: number) => `${time.toFixed(time < 20 ? 1 : 0)} ms`;
  const of = (times: number[]) => `${ms(percentile(times, 0.5))} / ${ms(Math.max(...times))}`;
  const met = (isMet: boolean) => (isMet ? 'yes' : '**no**');
  const late = typing.gaps.filter((gap) => gap > 1.5 * FRAME_MS).length;
  const longest = Math.max(...typing.tasks);
  const rows = [
    [
      `open a file of ${LINES} lines, median / slowest of ${opens.length}`,
      of(opens),
      'median ≤ 300 ms',
      percentile(opens, 0.5) <= 300,
    ],
    [
      `first row of a tree of ${FOLDERS * FILES_OF_FOLDER + LARGE_FOLDER_FILES} files, median / slowest`,
      of(trees.roots),
      'median ≤ 500 ms',
      percentile(trees.roots, 0.5) <= 500,
    ],
    [
      `first row of a folder of ${LARGE_FOLDER_FILES} files, median / slowest`,
      of(trees.folders),
      'median ≤ 500 ms',
      percentile(trees.folders, 0.5) <= 500,
    ],
    [
      `processor time of a task while ${typing.keys} keys are typed, p99 / longest`,
      `${ms(percentile(typing.tasks, 0.99))} / ${ms(longest)}`,
      '≤ 16.7 ms',
      longest <= FRAME_MS,
    ],
    [
      'frames that came late while typing',
      `${late} of ${typing.gaps.length}`,
      '≤ 1 %',
      late <= typing.gaps.length / 100,
    ],
    [
      `save in 20,000 files, median / p95 of ${saves.length}`,
      `${ms(percentile(saves, 0.5))} / ${ms(percentile(saves, 0.95))}`,
      'p95 ≤ 500 ms',
      percentile(saves, 0.95) <= 500,
    ],
  ] as const;
  return `In Chromium, 1440 × 900, with built pages and a warm cache. ${describeMachine()}.

    npm run build && CHROMIUM=/usr/bin/chromium node bench/editor.ts --out yes

| what | measured | goal | met |
| --- | --- | --- | --- |
${rows.map(([what, value, goal, isMet]) => `| ${what} | ${value} | ${goal} | ${met(isMet)} |`).join('\n')}
`;
}
