import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openBrowser } from '../e2e/browser.ts';
import { percentile } from './speed-timing.ts';

/*
 * CHROMIUM=… node bench/code.ts --email E --password P --project git [--url http://127.0.0.1:3000] [--out FILE]
 *     [--files commit.c,grep.c,…] [--history refs.c] [--functions diff.c:diff_flush,…] [--compare v2.0.0...v2.40.0,…]
 *
 * Measures pages of code of a project on a running server with built pages: from a click on a file of 2,000 lines to its text,
 * steps of the slider through the versions of a file, comparisons of revisions, and histories of functions.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    email: { type: 'string', default: '' },
    password: { type: 'string', default: '' },
    project: { type: 'string', default: 'git' },
    files: { type: 'string', default: 'commit.c,convert.c,graph.c,grep.c,http-push.c,run-command.c' },
    history: { type: 'string', default: 'refs.c' },
    functions: {
      type: 'string',
      default: 'diff.c:diff_flush,revision.c:handle_revision_opt,builtin/log.c:cmd_format_patch',
    },
    compare: {
      type: 'string',
      default:
        'e83c5163316f89bfbde7d9ab23ca2e25604af290...v2.40.0,v1.0.0...v2.0.0,v2.0.0...v2.40.0,v2.39.0...v2.40.0',
    },
    out: { type: 'string' },
  },
});
const ROUNDS = 5;
const STEPS = 30;
/** A step is over when the page has not changed for so long. */
const QUIET_MS = 350;

interface Row {
  what: string;
  times: number[];
  goal: string;
  met: boolean | null;
}

const browser = await openBrowser(process.env.CHROMIUM ?? 'chromium');
try {
  const context = await browser.newContext({ baseURL: values.url, viewport: { width: 1440, height: 900 } });
  const form = { username: values.email, password: values.password };
  const reply = await context.request.post('/api/auth/login', { form });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  await context.addInitScript((stored) => localStorage.setItem('access_token', stored), token);
  await context.addCookies([{ name: 'signed_in', value: '1', url: values.url }]);
  const headers = { authorization: `Bearer ${token}` };
  const call = async (path: string, accept = 'application/json') => {
    const response = await fetch(`${values.url}/api${path}`, { headers: { ...headers, accept } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const projects = (await (await call('/projects')).json()) as { id: string; name: string }[];
  const { id } = projects.find(({ name }) => name === values.project)!;
  const page = await context.newPage();
  const rows = [
    await timeFiles(page, id),
    await timeSlider(page, id),
    ...(await timeComparisons((query) => call(`/projects/${id}/compare?${query}`))),
    ...(await timeFunctions((path) => call(`/projects/${id}/functions/${path}`, 'text/event-stream'))),
  ];
  const report = reportOf(rows);
  console.log(report);
  if (values.out) writeFileSync(values.out, report);
} finally {
  await browser.close();
}

/** From the press on the name of a file in its folder to the frame after its first lines. */
async function timeFiles(page: Page, id: string): Promise<Row> {
  const times: number[] = [];
  // The first visit also loads the scripts.
  for (const path of [values.files.split(',')[0]!, ...values.files.split(',')]) {
    await page.goto(`/projects/${id}/files/`);
    const link = page.getByRole('main').getByRole('link', { name: path, exact: true });
    await link.waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      const times = { pressed: 0, shown: 0 };
      Object.assign(window, { paintTimes: times });
      const watch = () => {
        if (!document.querySelector('[data-line="1"]')) return requestAnimationFrame(watch);
        return requestAnimationFrame(() => {
          times.shown = performance.now();
        });
      };
      const onPress = ({ timeStamp }: Event) => {
        times.pressed = timeStamp;
        watch();
      };
      addEventListener('pointerdown', onPress, { once: true, capture: true });
    });
    await link.click();
    await page.waitForFunction(() => (window as unknown as TimedWindow).paintTimes.shown > 0);
    times.push(
      await page.evaluate(() => {
        const { pressed, shown } = (window as unknown as TimedWindow).paintTimes;
        return shown - pressed;
      }),
    );
  }
  const measured = times.slice(1);
  return {
    what: `first lines of a file of 2,000 lines, from the click (${measured.length} files)`,
    times: measured,
    goal: 'median ≤ 300 ms',
    met: percentile(measured, 0.5) <= 300,
  };
}

interface TimedWindow {
  paintTimes: { pressed: number; shown: number };
  stepTimes: { pressed: number; changed: number };
}

/** From a key on the slider to the last change of the page that it causes. */
async function timeSlider(page: Page, id: string): Promise<Row> {
  await page.goto(`/projects/${id}/files/${values.history}?view=history`);
  const slider = page.getByRole('slider');
  await slider.waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const times = { pressed: 0, changed: 0 };
    Object.assign(window, { stepTimes: times });
    const onChange = () =>
      requestAnimationFrame(() => {
        times.changed = performance.now();
      });
    const observed = { childList: true, subtree: true, characterData: true };
    new MutationObserver(onChange).observe(document.querySelector('main')!, observed);
    const onKey = ({ timeStamp }: Event) => {
      times.pressed = timeStamp;
    };
    addEventListener('keydown', onKey, { capture: true });
  });
  await slider.focus();
  const times: number[] = [];
  for (let step = 0; step < STEPS; step++) {
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((quiet) => {
      const { pressed, changed } = (window as unknown as TimedWindow).stepTimes;
      return changed > pressed && performance.now() - changed > quiet;
    }, QUIET_MS);
    times.push(
      await page.evaluate(() => {
        const { pressed, changed } = (window as unknown as TimedWindow).stepTimes;
        return changed - pressed;
      }),
    );
  }
  return {
    what: `step of the slider through the versions of \`${values.history}\` (${STEPS} steps)`,
    times,
    goal: '95th percentile ≤ 150 ms',
    met: percentile(times, 0.95) <= 150,
  };
}

async function timeComparisons(compare: (query: URLSearchParams) => Promise<Response>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const range of values.compare.split(',')) {
    const [base = '', head = ''] = range.split('...');
    const query = new URLSearchParams({ base, head });
    const times: number[] = [];
    let commits = 0;
    // The first reads what the later ones find in memory.
    for (let round = 0; round <= ROUNDS; round++) {
      const started = performance.now();
      const found = (await (await compare(query)).json()) as { total_commits: number };
      times.push(performance.now() - started);
      commits = found.total_commits;
    }
    const what = `compare ${base.slice(0, 12)} with ${head}, ${commits} commits (first ${times[0]!.toFixed(0)} ms)`;
    const measured = times.slice(1);
    rows.push({ what, times: measured, goal: 'median ≤ 500 ms', met: percentile(measured, 0.5) <= 500 });
  }
  return rows;
}

/** Times to the first change and to the end of the history of each function. */
async function timeFunctions(read: (path: string) => Promise<Response>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const item of values.functions.split(',')) {
    const [path = '', name = ''] = item.split(':');
    const started = performance.now();
    const reply = await read(`${path}?${new URLSearchParams({ name })}`);
    let [first, text] = [0, ''];
    for await (const chunk of reply.body!) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (first === 0 && text.includes('event: changes')) first = performance.now() - started;
    }
    const whole = performance.now() - started;
    const changes = text.split('event: changes').length - 1;
    const isComplete = /"complete":true/.test(text);
    rows.push({ what: `first change of \`${name}\``, times: [first], goal: '', met: null });
    const what = `history of \`${name}\`, ${changes} changes${isComplete ? '' : ', ended early'}`;
    rows.push({ what, times: [whole], goal: '', met: null });
  }
  return rows;
}

function reportOf(rows: Row[]): string {
  const [load = 0] = loadavg();
  const lines = rows.map(({ what, times, goal, met }) => {
    const [median, p95, max] = [0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(0));
    const result = met === null ? '' : met ? 'yes' : '**no**';
    return `| ${what} | ${median} | ${p95} | ${max} | ${goal} | ${result} |`;
  });
  return `# Pages of code

Project \`${values.project}\`, through a running server with built pages, in Chromium, 1440 × 900; comparisons and functions by the API.
${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}; load at the end ${load.toFixed(1)}.

    CHROMIUM=/usr/bin/chromium node bench/code.ts --email E --password P --project ${values.project}

| what | median ms | 95th percentile | slowest | goal | met |
| --- | ---: | ---: | ---: | --- | --- |
${lines.join('\n')}
`;
}
