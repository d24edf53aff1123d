import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../e2e/browser.ts';
import { startProduct } from '../e2e/product.ts';
import { serveRepositories } from '../src/git/testing.ts';
import { type ConnectedProject, connectProject } from './connect-project.ts';
import { measurePageLoad, measureSlowLine, type PageVitals } from './speed-vitals.ts';
import { webRow } from './speed-web.ts';

/**
 * First visits of five pages in the browser that `CHROMIUM` names, on an empty cache: unthrottled, and at 50 KB/s.
 * `npm run build && npm run bench:web -- --repository DIR --out bench/results/web.md`
 */
const GOALS = { lcp: 1_000, tbt: 50, cls: 0.02, firstPaint: 2_000 };
const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    file: { type: 'string', default: 'README.md' },
    rounds: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});
if (!values.repository) throw new Error('--repository names the folder of a bare repository');

interface PageRow extends PageVitals {
  name: string;
  /** First contentful paint at 50 KB/s in milliseconds. */
  firstPaint: number;
}

const browser = await openBrowser(process.env.CHROMIUM ?? 'chromium');
const gitServer = await serveRepositories(dirname(values.repository));
const product = await startProduct({ allowedHosts: [gitServer.host], settings: { LOG_LEVEL: 'info' } });
try {
  const name = basename(values.repository);
  const project = await connectProject(product.url, name, `${gitServer.url}/${name}`);
  const report = reportOf(await measurePages(browser, product.url, project));
  console.log(report);
  if (values.out) writeFileSync(values.out, report);
} finally {
  await browser.close();
  await product.stop();
  await gitServer.close();
}

async function measurePages(browser: Browser, url: string, project: ConnectedProject): Promise<PageRow[]> {
  const { token, projectId, answer } = project;
  const pages: [string, string, string][] = [
    ['landing', '/', ''],
    ['sign-in', '/login', ''],
    ['Home', '/', token],
    ['answer', answer, token],
    ['file', `/projects/${projectId}/files/${values.file}`, token],
  ];
  const rows: PageRow[] = [];
  for (const [name, path, token] of pages) {
    const visit = { url: url + path, token, rounds: Number(values.rounds) };
    const vitals = await measurePageLoad(browser, visit);
    rows.push({ name, ...vitals, firstPaint: await measureSlowLine(browser, visit) });
  }
  return rows;
}

function reportOf(rows: PageRow[]): string {
  const lines = rows.map(({ name, lcp, tbt, cls, firstPaint }) => {
    const met =
      lcp <= GOALS.lcp && tbt <= GOALS.tbt && cls <= GOALS.cls && firstPaint <= GOALS.firstPaint
        ? 'yes'
        : '**no**';
    return `| ${name} | ${Math.round(lcp)} ms | ${Math.round(tbt)} ms | ${cls.toFixed(3)} | ${Math.round(firstPaint)} ms | ${met} |`;
  });
  const [cpu] = cpus();
  const [load = 0] = loadavg();
  const { ours, goal } = webRow();
  return `# Pages in the browser

First visits in Chromium, 1440 × 900, empty cache; the fastest of ${values.rounds} for times, the worst for shifts.
${availableParallelism()} cores (${cpu?.model ?? 'unknown'}), Node ${process.versions.node}; load at the end ${load.toFixed(1)}.

    npm run build && npm run bench:web -- --repository DIR --file ${values.file} --rounds ${values.rounds}

| page | LCP | TBT | CLS | first text at 50 KB/s | goals met |
| --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
| goal | ≤ ${GOALS.lcp} ms | ≤ ${GOALS.tbt} ms | ≤ ${GOALS.cls} | ≤ ${GOALS.firstPaint} ms | |

JavaScript of the application's document, gzip: ${ours} (${goal}). The build prints the scripts of every page and fails above
170 KB, or 310 KB for the editor and the charts.
`;
}
