import { chromium } from 'playwright-core';
import { percentile } from './speed-timing.ts';

/**
 * Measures in a browser how long a key in the palette takes to the next paint, from the browser's own timing of events, and how
 * long the results of the server take: `CHROMIUM=… node bench/palette-paint.ts URL EMAIL PASSWORD`.
 */
const [url = 'http://127.0.0.1:3000', email = '', password = ''] = process.argv.slice(2);
const TEXTS = ['route.js', 'parse_options', 'fix crash of', 'builtin/log', 'gin context'];
/** Time between two keys of a fast typist. */
const KEY_INTERVAL_MS = 120;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  const reply = await context.request.post('/api/auth/login', { form: { username: email, password } });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  await context.addInitScript((stored) => localStorage.setItem('access_token', stored), token);
  await context.addCookies([{ name: 'signed_in', value: '1', url }]);
  const page = await context.newPage();
  await page.goto('/projects');
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { keyTimes: times });
    // Events of one key share its interaction; the longest of them ends with the paint.
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.name === 'keydown' || entry.name === 'keypress' || entry.name === 'input')
          times.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit);
  });
  const session = await context.newCDPSession(page);
  // Processor time of the page's main thread, which other work on the machine does not change.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  const processor: number[] = [];
  for (const text of ['warm up', ...TEXTS]) {
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(400);
    if (text === TEXTS[0]) await page.evaluate(() => (window as unknown as KeyWindow).keyTimes.splice(0));
    for (const key of text) {
      const before = await taskMs();
      await page.keyboard.press(key === ' ' ? 'Space' : key);
      await page.waitForTimeout(KEY_INTERVAL_MS);
      if (text !== 'warm up') processor.push((await taskMs()) - before);
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.waitForTimeout(200);
  }
  const slow = await page.evaluate(() => (window as unknown as KeyWindow).keyTimes);
  // Events below 16 ms are not reported.
  const paint = [...slow, ...new Array<number>(Math.max(0, processor.length - slow.length)).fill(16)];
  const row = (times: number[]) =>
    [0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(0)).join(' | ');
  console.log(`| ${processor.length} keys | p50 ms | p95 ms | max ms |`);
  console.log('|---|---|---|---|');
  console.log(`| to the next paint | ${row(paint)} |`);
  console.log(`| processor time of key, results and paint | ${row(processor)} |`);
} finally {
  await browser.close();
}

interface KeyWindow {
  keyTimes: number[];
}
