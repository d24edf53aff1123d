import type { Browser } from 'playwright-core';

/** Web vitals of a page: largest contentful paint and total blocking time in milliseconds, and layout shift score. */
export interface PageVitals {
  lcp: number;
  /** Of every task longer than 50 ms the rest, from the first paint of content on. */
  tbt: number;
  /** The worst burst of layout shifts: gaps of at most a second, five seconds in all. */
  cls: number;
}

/** Page to visit, signed in with the token or signed out when it is empty. */
interface Visit {
  url: string;
  token: string;
  rounds: number;
}

const SLOW_LINE = { offline: false, latency: 100, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** After so long without a request or a long task a page counts as loaded. */
const QUIET_MS = 1_500;

/** Fastest of several first visits with an empty browser cache, signed in with this token or signed out. */
export async function measurePageLoad(browser: Browser, { url, token, rounds }: Visit): Promise<PageVitals> {
  const loads: PageVitals[] = [];
  for (let round = 0; round < rounds; round++) {
    const { context, page } = await openVisit(browser, { url, token });
    await page.goto(url, { waitUntil: 'networkidle' }).catch(() => null);
    await page.waitForTimeout(QUIET_MS);
    loads.push(await page.evaluate(() => (window as unknown as Observed).loaded()));
    await context.close();
  }
  const min = (of: keyof PageVitals) => Math.min(...loads.map((loaded) => loaded[of]));
  return { lcp: min('lcp'), tbt: min('tbt'), cls: Math.max(...loads.map(({ cls }) => cls)) };
}

/** Milliseconds until the first text of a first visit at 50 KB/s with 100 ms of latency, the fastest of several. */
export async function measureSlowLine(browser: Browser, { url, token, rounds }: Visit): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { context, page } = await openVisit(browser, { url, token });
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_LINE);
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    times.push(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]!.startTime),
    );
    await context.close();
  }
  return Math.min(...times);
}

/** A browser without a cache, as the server knows it: signed in by token and cookie, or signed out. */
async function openVisit(browser: Browser, { url, token }: Omit<Visit, 'rounds'>) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  if (token !== '') await context.addCookies([{ name: 'signed_in', value: '1', url: new URL(url).origin }]);
  await context.addInitScript(signIn, token);
  await context.addInitScript(observe);
  return { context, page: await context.newPage() };
}

interface Observed {
  loaded(): PageVitals;
}

/** In the page, before anything else. */
function signIn(token: string): void {
  if (token !== '' && location.protocol === 'http:') localStorage.setItem('access_token', token);
}

/** In the page: collects what the browser tells of painting, long tasks and shifts. */
function observe(): void {
  const entries: Record<string, PerformanceEntry[]> = {};
  for (const type of ['largest-contentful-paint', 'longtask', 'layout-shift']) {
    const list: PerformanceEntry[] = [];
    entries[type] = list;
    new PerformanceObserver((found) => list.push(...found.getEntries())).observe({ type, buffered: true });
  }
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
  const shifts = () => {
    let [worst, burst, first, last] = [0, 0, 0, 0];
    for (const { startTime, value, hadRecentInput } of entries['layout-shift'] as Shift[]) {
      if (hadRecentInput) continue;
      const isNew = startTime - last > 1_000 || startTime - first > 5_000;
      if (isNew) [burst, first] = [0, startTime];
      burst += value;
      last = startTime;
      worst = Math.max(worst, burst);
    }
    return worst;
  };
  (window as unknown as Observed).loaded = () => {
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    const blocked = entries.longtask!.filter(({ startTime, duration }) => startTime + duration > painted);
    return {
      lcp: entries['largest-contentful-paint']!.at(-1)?.startTime ?? Number.NaN,
      tbt: blocked.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
      cls: shifts(),
    };
  };
}
