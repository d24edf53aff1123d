import { testRunRoutes } from '#contract/test-runs.ts';
import type { TestCase } from '#test-reports/parse-junit.ts';
import { type Remote, uploadBytes } from './remote.ts';
import { readReport } from './why/read-failures.ts';

interface RunQuery {
  commit: string;
  suite: string;
  branch?: string | undefined;
}

/** Merges the reports of one run into one, which holds no more than the server stores: no output of passing tests. */
export async function mergeReports(paths: readonly string[], signal: AbortSignal): Promise<Uint8Array> {
  const cases: TestCase[] = [];
  for (const path of paths) for (const test of await readReport(path, signal)) cases.push(test);
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].map(
    ([suite, tests]) => `<testsuite name="${escapeXml(suite)}">${tests.map(formatCase).join('')}</testsuite>`,
  );
  return Buffer.from(`<testsuites>${suites.join('')}</testsuites>`);
}

function formatCase({ scope, name, file, outcome, text }: TestCase): string {
  const at = file === null ? '' : ` file="${escapeXml(file)}"`;
  const open = `<testcase classname="${escapeXml(scope)}" name="${escapeXml(name)}"${at}`;
  if (outcome === 'passed') return `${open}/>`;
  if (outcome === 'skipped') return `${open}><skipped/></testcase>`;
  const tag = outcome === 'flaky' ? 'flakyFailure' : 'failure';
  return `${open}><${tag}>${escapeXml(text)}</${tag}></testcase>`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

function escapeXml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('"', '&quot;').replace(NOT_XML, '').toWellFormed();
}

/** Uploads a report. */
export async function uploadTestRun(
  remote: Remote,
  project: string,
  { commit, suite, branch }: RunQuery,
  body: Uint8Array,
  signal: AbortSignal,
) {
  const query = { commit, suite, ...(branch && { branch }) };
  const path = `/projects/${encodeURIComponent(project)}/test-runs`;
  return await uploadBytes(
    remote,
    testRunRoutes.upload,
    { path, query, type: 'application/xml', body },
    signal,
  );
}
