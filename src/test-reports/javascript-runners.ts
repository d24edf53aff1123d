import { cutBlocks, cutSections, dedent, findInLines } from './blocks.ts';
import type { TestFailure } from './test-failure.ts';

/** A position in a file of JavaScript or TypeScript, as a stack prints it. */
const SCRIPT_POSITION = /((?:[A-Za-z]:)?[\w@./\\-]{1,300}\.[cm]?[jt]sx?):\d+/;

/**
 * Jest:
 *
 *     FAIL src/total.test.js
 *       ● checkout › adds tax
 *         expect(received).toBe(expected)
 *     Tests:       1 failed, 1 total
 */
export function parseJest(lines: readonly string[]): TestFailure[] {
  const found: TestFailure[] = [];
  const start =
    /^(?: {2}● (.+)|\s*(?:FAIL|PASS) {1,2}(?:\S+ {1,3})?(\S+\.[cm]?[jt]sx?)(?: \([\d.]+ m?s\))?)$/;
  let file: string | null = null;
  for (const block of cutBlocks(
    lines,
    start,
    /^(?:Test Suites|Tests|Snapshots): |^Summary of all failing tests/,
  )) {
    const [, name, path] = block.start;
    if (path !== undefined) file = path;
    else if (name !== undefined && !/^Console$/.test(name))
      found.push({ runner: 'jest', name: name.replaceAll(' › ', ' > '), file, text: dedent(block.lines) });
  }
  return found;
}

/**
 * Vitest:
 *
 *      FAIL  src/total.test.ts > checkout > adds tax
 *     AssertionError: expected 1 to be 2
 *      ❯ src/total.test.ts:5:10
 *     ⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯
 *
 * Failures with one error are printed above one another.
 */
export function parseVitest(lines: readonly string[]): TestFailure[] {
  const start =
    /^\s*FAIL {2}(?:\|[^|]{1,80}\| |\[[^\]]{1,80}\] )?(\S+\.[cm]?[jt]sx?)(?: > (.+)|\s+\[ .* \])$/;
  const end = /^⎯+\[\d+\/\d+\]⎯*$|^\s*Test Files {2}/;
  const blocks = cutBlocks(lines, start, end);
  let text = '';
  return blocks
    .toReversed()
    .map((block): TestFailure => {
      const [, file = '', name] = block.start;
      if (block.lines.some((line) => line.trim() !== '')) text = block.lines.join('\n');
      return { runner: 'vitest', name: name ?? file, file, text };
    })
    .toReversed();
}

/**
 * Mocha, below `1 failing`:
 *
 *       1) checkout
 *            adds tax:
 *          AssertionError: expected 1 to equal 2
 *           at Context.<anonymous> (test/total.js:5:10)
 */
export function parseMocha(lines: readonly string[]): TestFailure[] {
  const section = cutSections(lines, /^ {2}\d+ failing$/, /^(?:npm (?:ERR!|error)|\S)/);
  return cutBlocks(section, /^ {2}\d+\) (.+)$/, /^\b$/).map(({ start, lines: block }) => {
    const first = start[1]!;
    const endOfName = first.endsWith(':') ? 0 : block.findIndex((line) => line.endsWith(':')) + 1;
    const name = [first, ...block.slice(0, endOfName)].map((line) => line.trim()).join(' > ');
    const text = block.slice(endOfName);
    return {
      runner: 'mocha',
      name: name.replace(/:$/, ''),
      file: findInLines(text, SCRIPT_POSITION),
      text: dedent(text),
    };
  });
}

/**
 * The test runner of Node, below `✖ failing tests:`:
 *
 *     test at src/total.test.js:3:1
 *     ✖ adds tax (1.2ms)
 *       AssertionError [ERR_ASSERTION]: …
 *
 * or as TAP: `not ok 1 - adds tax` with a YAML block.
 */
export function parseNodeTest(lines: readonly string[]): TestFailure[] {
  const found: TestFailure[] = [];
  const section = cutSections(lines, /^✖ failing tests:$/, /^npm (?:ERR!|error)/);
  for (const { start, lines: block } of cutBlocks(section, /^test at (.+?):\d+:\d+$/, /^\b$/)) {
    const [title = '', ...text] = block;
    const name = title.replace(/^✖ /, '').replace(/ \([\d.]+m?s\)$/, '');
    if (!isParentFailure(text)) found.push({ runner: 'node', name, file: start[1]!, text: dedent(text) });
  }
  const tap = lines.some((line) => /^TAP version \d+$/.test(line)) ? lines : [];
  for (const { start, lines: block } of cutBlocks(
    tap,
    /^\s*not ok \d+ - ([^#]+)$/,
    /^\s*(?:ok \d+|1\.\.\d+|# )/,
  )) {
    const file = findInLines(block, /location: '?([^']+?):\d+:\d+/) ?? findInLines(block, SCRIPT_POSITION);
    const text = tapErrorText(dedent(block).split('\n'));
    if (!isParentFailure(block)) found.push({ runner: 'node', name: start[1]!, file, text });
  }
  return found;
}

/** Error of a TAP failure in the form in which Node prints one: `TypeError: message`, then frames with `at`. */
function tapErrorText(block: readonly string[]): string {
  const unquote = (value: string) => value.replace(/^(['"])(.*)\1$/, '$2');
  const field = (name: string): string[] => {
    const at = block.findIndex((line) => line.startsWith(`${name}: `));
    if (at < 0) return [];
    const value = block[at]!.slice(name.length + 2);
    if (!/^[|>]-?$/.test(value)) return [unquote(value)];
    const end = block.findIndex((line, index) => index > at && !/^(?: {2}|$)/.test(line));
    return block.slice(at + 1, end < 0 ? undefined : end).map((line) => line.slice(2));
  };
  const stack = field('stack');
  if (stack.length === 0) return block.join('\n');
  const type = field('name')[0] ?? 'Error';
  return [`${type}: ${field('error').join('\n').trim()}`, ...stack.map((line) => `    at ${line}`)].join(
    '\n',
  );
}

/** True for a test that failed only because a test inside it did. */
function isParentFailure(lines: readonly string[]): boolean {
  return lines.some((line) => /'?\d+ subtests? failed'?|failureType: 'subtestsFailed'/.test(line));
}
