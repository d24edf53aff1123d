import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { MAX_JUNIT_BYTES, parseJunit, testFullName } from '#test-reports/parse-junit.ts';
import { parseTestLog } from '#test-reports/parse-log.ts';
import { type FailedTests, FailureCollector } from '#test-reports/test-failure.ts';

/** Reports of one run; further ones are an error. */
const MAX_REPORTS = 1_000;

/** Reads the failures of JUnit reports: files, or folders with `.xml` files below. */
export async function readJunitFailures(paths: readonly string[], signal: AbortSignal): Promise<FailedTests> {
  const collector = new FailureCollector();
  for (const path of await listReports(paths)) {
    for (const test of await readReport(path, signal)) {
      if (test.outcome !== 'failed') continue;
      collector.add({ runner: 'junit', name: testFullName(test), file: test.file, text: test.text });
    }
  }
  return collector.list();
}

/** Reads the failures of a log: the output of a test run, or one error. */
export function readLogFailures(log: string): FailedTests {
  return parseTestLog(log);
}

/** Reads one report. Throws its error with the name of the file. */
export async function readReport(path: string, signal: AbortSignal) {
  try {
    const { size } = await stat(path);
    if (size > MAX_JUNIT_BYTES) {
      const params = { size: Math.round(size / 2 ** 20), limit: MAX_JUNIT_BYTES / 2 ** 20 };
      throw new AppError('too_large', 'junit_too_large', { params });
    }
    return await parseJunit(await readFile(path), signal);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('invalid_input', 'junit_file', {
      params: { file: path, message: error.message },
      cause: error,
    });
  }
}

/** Lists the reports at paths: each file as it is, and the `.xml` files below each folder. */
export async function listReports(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const info = await stat(path).catch(() => null);
    if (!info) throw new AppError('bad_request', 'junit_file_missing', { params: { file: path } });
    if (!info.isDirectory()) found.push(path);
    else {
      const names = await readdir(path, { recursive: true });
      const reports = names.filter((name) => name.endsWith('.xml')).sort();
      if (reports.length === 0)
        throw new AppError('bad_request', 'junit_file_missing', { params: { file: join(path, '*.xml') } });
      found.push(...reports.map((name) => join(path, name)));
    }
    if (found.length > MAX_REPORTS)
      throw new AppError('bad_request', 'junit_too_many_reports', { params: { limit: MAX_REPORTS } });
  }
  return found;
}
