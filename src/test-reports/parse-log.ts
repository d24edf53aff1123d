import { cleanLog } from './clean-log.ts';
import { parseDotnet, parseGradle, parseMaven, parsePhpunit } from './compiled-runners.ts';
import { parseJest, parseMocha, parseNodeTest, parseVitest } from './javascript-runners.ts';
import {
  parseCargo,
  parseGoTest,
  parseMinitest,
  parsePytest,
  parseRspec,
  parseUnittest,
} from './other-runners.ts';
import { type FailedTests, FailureCollector, type TestFailure } from './test-failure.ts';

/** Parser of the output of one runner; returns [] for the output of others. Linear in the lines. */
type RunnerParser = (lines: readonly string[]) => TestFailure[];

const PARSERS: RunnerParser[] = [
  parseJest,
  parseVitest,
  parseMocha,
  parseNodeTest,
  parsePytest,
  parseUnittest,
  parseGoTest,
  parseCargo,
  parseMaven,
  parseGradle,
  parseRspec,
  parseMinitest,
  parsePhpunit,
  parseDotnet,
];

/** Lines that are read of a text without a report of tests. */
const MAX_ERROR_LINES = 500;

/**
 * Parses the output of a test run into its failures. A text without a report of a known runner is one error: all of it, or its
 * end when it is long. Never throws.
 */
export function parseTestLog(text: string): FailedTests {
  const lines = unwrapGoJson(cleanLog(text));
  const collector = new FailureCollector();
  for (const parse of PARSERS) for (const failure of parse(lines)) collector.add(failure);
  const found = collector.list();
  if (found.total > 0) return found;
  const error = lines.slice(-MAX_ERROR_LINES).join('\n').trim();
  const title = error.split('\n').find((line) => /error|exception|fatal|panic|failed/i.test(line)) ?? error;
  collector.add({ runner: null, name: title.split('\n')[0]!, file: null, text: error });
  return error === '' ? { failures: [], total: 0 } : collector.list();
}

/** Replaces the events of `go test -json` by the output that they carry. */
function unwrapGoJson(lines: string[]): string[] {
  if (!lines.some((line) => line.startsWith('{"Time":') || line.startsWith('{"Action":'))) return lines;
  return lines.flatMap((line) => {
    if (!line.startsWith('{')) return [line];
    try {
      const { Output: output } = JSON.parse(line) as { Output?: unknown };
      return typeof output === 'string' ? [output.replace(/\n$/, '')] : [];
    } catch {
      return [line];
    }
  });
}
