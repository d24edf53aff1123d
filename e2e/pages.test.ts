import { mkdir, readdir, readFile } from 'node:fs/promises';
import { matchPath } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { raiseError } from './ledger.ts';
import { startSweep } from './page-sweep.ts';
import { listPages, type PageEntry } from './pages.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** Folder that pictures of all pages are written to, if any. */
const { SHOTS } = process.env;

/** About four minutes beside another test on two cores. */
const SWEEP_TIMEOUT_MS = 600_000;

let workspace: Workspace;
let pages: PageEntry[];

beforeAll(async () => {
  workspace = await openWorkspace();
  const { call, gitUrl: url } = workspace;
  const project = await workspace.connect();
  const question = { error_message: await raiseError(workspace.repository), project_id: project };
  // The second report has an earlier one.
  await call('POST', '/debug', question);
  const { id } = await call('POST', '/debug', question);
  await call('POST', `/chat/projects/${project}/messages`, {
    ...{ message: 'Who wrote src/total.js?', project_id: project },
  });
  const { commits } = (await call('GET', `/projects/${project}/commits`)) as { commits: { hash: string }[] };
  pages = listPages({ project, session: id as string, commit: commits[0]!.hash, gitUrl: url });
  if (SHOTS) await mkdir(SHOTS, { recursive: true });
});

afterAll(async () => {
  await workspace?.close();
});

test('every path of the router is among the pages', async () => {
  const features = new URL('../src/web/', import.meta.url);
  const files = (await readdir(features, { recursive: true })).filter((file) => file.endsWith('/routes.tsx'));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, features), 'utf8')));
  // Built for development only.
  const paths = texts
    .flatMap((text) => text.match(/(?<=path: ')\/[^']*/g) ?? [])
    .filter((path) => path !== '/design');
  expect(paths.length).toBeGreaterThan(25);
  const shown = pages.map(({ url }) => url.replace(/[?].*/, ''));
  expect(paths.filter((path) => !shown.some((url) => matchPath(path, url)))).toEqual([]);
});

test(
  'no page scrolls sideways, violates a rule of accessibility or reports an error, at any size in both themes',
  async () => {
    const { browser, page, faults, product } = workspace;
    const visitor = await openPage(
      await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' }),
    );
    const sweeps = {
      user: await startSweep(page, faults, SHOTS),
      visitor: await startSweep(visitor.page, visitor.faults, SHOTS),
    };
    const sweep = async (who: PageEntry['who']) => {
      const violations: string[] = [];
      for (const entry of pages.filter((one) => one.who === who))
        violations.push(...(await sweeps[who].visit(entry)));
      return violations;
    };
    expect((await Promise.all([sweep('user'), sweep('visitor')])).flat()).toEqual([]);
  },
  SWEEP_TIMEOUT_MS,
);
