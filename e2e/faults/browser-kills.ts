import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { startEmbedded } from '#db/embedded.ts';
import { serveRepositories } from '#git/testing.ts';
import { startS3 } from '#storage/testing.ts';
import { type Account, signUp } from '../../bench/editor-server.ts';
import { createReplica, REPLICA_ROLES, type Replica, replicaSettings } from '../../bench/replica.ts';
import { findOrInstallChromium } from '../../scripts/chromium.mjs';
import { openBrowser } from '../browser.ts';
import { buildLedger, raiseError } from '../ledger.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type BrowsingResult, browse, SAVED_FILE, type Visitor } from './browsing.ts';
import { type Fault, type FaultRun, type Measurement, trialsOf } from './fault.ts';

const PASSWORD = 'a quiet harbour at dawn';
const NAMES = ['ada', 'ben'];
const PROJECT = 'Ledger';
const KILL_EVERY_MS = 3_000;
/** With more processes that are starting, no page would be served. */
const MAX_STARTING = 1;
const MAX_MS = 45 * 60_000;

/** R24: people use a browser behind a load balancer while two servers and two workers are killed. */
export const browserFault: Fault = {
  id: 'R24',
  name: '`kill -9` of servers and workers while people use a browser',
  target: 'every page shows what was asked for or a way on; nothing missing that the page said was saved',
  run: measure,
};

async function measure(options: FaultRun): Promise<Measurement> {
  const cluster = await startCluster();
  const result: BrowsingResult = {
    ...{ journeys: 0, steps: 0, retries: 0, abandoned: 0, reloads: 0 },
    ...{ deadEnds: [], pageErrors: [], saved: [] },
  };
  try {
    const people = await openPeople(cluster);
    let isOver = false;
    const browsing = people.map((visitor) => browse(visitor, { result, isOver: () => isOver }));
    const report = (kills: number) =>
      options.report(
        `R24: ${kills} kills, ${result.journeys} journeys, ${result.saved.length} saves, ${result.retries} retries, ${result.reloads} reloads, ${result.abandoned} given up, ${result.deadEnds.length} dead ends, ${result.pageErrors.length} errors`,
      );
    const kills = await killAtRandom(cluster.replicas, trialsOf(options, 100), report).finally(() => {
      isOver = true;
    });
    await Promise.all(browsing);
    const missing = await findMissing(people, result);
    for (const line of [...result.deadEnds, ...new Set(result.pageErrors), ...missing])
      options.report(`R24: ${line}`);
    const losses = missing.length + result.deadEnds.length + result.pageErrors.length;
    const figures = [
      `${kills} kills, ${result.journeys} journeys of ${result.steps} steps in all`,
      `${result.retries} retries, ${result.reloads} reloads, ${result.abandoned} steps given up with a way on`,
      `pages without a way on: ${result.deadEnds.length}, unhandled errors: ${result.pageErrors.length}`,
      `saves that are missing: ${missing.length} of ${result.saved.length}`,
    ];
    return { trials: kills, losses, figures: figures.join('; '), isMet: losses === 0 };
  } finally {
    await cluster.close();
  }
}

interface Cluster {
  replicas: Replica[];
  balancer: Balancer;
  browser: Browser;
  gitUrl: string;
  errorText: string;
  close(): Promise<void>;
}

/** Starts two servers and two workers in folders of their own, one PostgreSQL, one S3 server, a load balancer and a browser. */
async function startCluster(): Promise<Cluster> {
  const executable = await findOrInstallChromium();
  if (executable === null) throw new Error('There is no Chromium.');
  const closers: (() => unknown)[] = [];
  const close = async () => {
    while (closers.length > 0) await closers.pop()?.();
  };
  try {
    const root = await mkdtemp(join(tmpdir(), 'hindsight-browsing-'));
    closers.push(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
    const log = pino({ level: 'silent' });
    const embedded = await startEmbedded({ dataDir: join(root, 'database'), log });
    closers.push(embedded.stop);
    const s3 = await startS3();
    closers.push(s3.close);
    const upstream = await buildLedger();
    closers.push(upstream.remove);
    const gitServer = await serveRepositories(upstream.folder);
    closers.push(gitServer.close);
    const settings = {
      ...replicaSettings({ databaseUrl: embedded.url, store: s3.settings, gitHost: gitServer.host }),
      // Chromium, the database and the store share the machine.
      MAX_EVENT_LOOP_DELAY_MS: '0',
    };
    const replicas: Replica[] = [];
    for (const [name, role] of REPLICA_ROLES) {
      const replica = createReplica({ folder: join(root, name), role, settings });
      closers.push(replica.kill);
      await replica.start();
      replicas.push(replica);
    }
    const balancer = await startBalancer(() => replicas.slice(0, 2).map(({ url }) => url));
    closers.push(balancer.close);
    const browser = await openBrowser(executable);
    closers.push(() => browser.close());
    const errorText = await raiseError(upstream);
    const gitUrl = `${gitServer.url}/${upstream.name}`;
    return { replicas, balancer, browser, gitUrl, errorText, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Person = Visitor & { account: Account };

/** Signs people up, connects the repository of the first, and signs all in by the form. */
async function openPeople({ balancer, browser, gitUrl, errorText }: Cluster): Promise<Person[]> {
  const accounts: Account[] = [];
  for (const name of NAMES) accounts.push(await signUp(balancer.url, name));
  const [owner] = accounts;
  const { body } = await owner!.call('POST', '/projects', { name: PROJECT, git_url: gitUrl });
  const projectId = String(body.id);
  for (const name of NAMES.slice(1))
    await owner!.call('POST', `/projects/${projectId}/members`, { identifier: name, role: 'editor' });
  while ((await owner!.call('GET', `/projects/${projectId}`)).body.status !== 'ready') await sleep(200);
  const people = NAMES.map(async (name, index) => {
    const context = await browser.newContext({ baseURL: balancer.url, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByLabel('Email or username').fill(`${name}@example.org`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor({ timeout: 120_000 });
    return { page, name, projectId, projectName: PROJECT, errorText, account: accounts[index]! };
  });
  return await Promise.all(people);
}

/** Kills processes that are up, and starts each again at once; returns how many. */
async function killAtRandom(
  replicas: Replica[],
  kills: number,
  report: (kills: number) => void,
): Promise<number> {
  const starting: Promise<void>[] = [];
  const end = performance.now() + MAX_MS;
  let count = 0;
  while (count < kills && performance.now() < end) {
    await sleep(KILL_EVERY_MS * (0.5 + Math.random()));
    const up = replicas.filter((replica) => replica.isUp());
    if (up.length < replicas.length - MAX_STARTING) continue;
    const victim = up[Math.floor(Math.random() * up.length)]!;
    count += 1;
    const restart = victim.kill().then(() => victim.start());
    // Thrown when all have been awaited.
    restart.catch(() => {});
    starting.push(restart);
    if (count % 5 === 0) report(count);
  }
  await Promise.all(starting);
  return count;
}

/** Lines that a page said were saved and that their branch does not have. */
async function findMissing(people: Person[], { saved }: BrowsingResult): Promise<string[]> {
  const missing: string[] = [];
  for (const { name, projectId, account } of people) {
    const own = saved.filter((one) => one.name === name);
    for (const branch of new Set(own.map((one) => one.branch))) {
      const path = `/ide/projects/${projectId}/files/${SAVED_FILE}?${new URLSearchParams({ ref: branch })}`;
      const { body } = await account.call('GET', path);
      const present = new Set(String(body?.content).split('\n'));
      for (const { branch: on, line } of own)
        if (on === branch && !present.has(line)) missing.push(`${branch} lacks ${line}`);
    }
  }
  return missing;
}
