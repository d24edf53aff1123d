import { cutBlocks, cutSections, dedent, findInLines } from './blocks.ts';
import type { TestFailure } from './test-failure.ts';

/**
 * pytest, below `=== FAILURES ===` or `=== ERRORS ===`:
 *
 *     ___________ TestCart.test_total ___________
 *     >       assert total() == 3
 *     E       assert 2 == 3
 *     tests/test_cart.py:5: AssertionError
 */
export function parsePytest(lines: readonly string[]): TestFailure[] {
  const section = cutSections(lines, /^=+ (?:FAILURES|ERRORS) =+$/, /^=+ (?!FAILURES|ERRORS).+ =+$/);
  const summary = lines.flatMap(
    (line) => /^(?:FAILED|ERROR) (\S+?\.py)(?:::(\S+))?(?: - .*)?$/.exec(line) ?? [],
  );
  const found = cutBlocks(
    section,
    /^_{2,} (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(.+?) _{2,}$/,
    /^\b$/,
  );
  const failures = found.map(({ start, lines: block }): TestFailure => {
    const name = start[1]!;
    // The last position in a test file; below it stand the frames of the code that it called.
    const file = name.endsWith('.py')
      ? name
      : findInLines(block, /^((?:[\w./\\-]*\/)?(?:test_\w+|\w+_test)\.py):\d+:/);
    return {
      runner: 'pytest',
      name,
      file: file ?? findInLines(block, /^([\w./\\-]+\.py):\d+:/),
      text: block.join('\n'),
    };
  });
  if (failures.length > 0 || !lines.some((line) => /^=+ .*\d+ (?:failed|error)/.test(line))) return failures;
  // With `--tb=no` only the summary names them.
  return summary.length === 0 ? [] : parsePytestSummary(lines);
}

function parsePytestSummary(lines: readonly string[]): TestFailure[] {
  return lines.flatMap((line): TestFailure[] => {
    const [, file, name, message = ''] =
      /^(?:FAILED|ERROR) (\S+?\.py)(?:::(\S+))?(?: - (.*))?$/.exec(line) ?? [];
    if (file === undefined) return [];
    return [
      { runner: 'pytest', name: (name ?? file).replaceAll('::', '.'), file, text: `${file}: ${message}` },
    ];
  });
}

/** Python's unittest: `FAIL: test_total (tests.test_cart.CartTest.test_total)` between rules. */
export function parseUnittest(lines: readonly string[]): TestFailure[] {
  const start = /^(?:FAIL|ERROR): (\w+) \(([\w.]+)\)/;
  return cutBlocks(lines, start, /^={70}$|^Ran \d+ tests? in /).flatMap(
    ({ start: [, test = '', scope = ''], lines: block }) => {
      const isReport = block.some((line) => /^-{70}$/.test(line));
      const text = block.filter((line) => !/^-{70}$/.test(line));
      const name = scope.endsWith(`.${test}`) ? scope : `${scope}.${test}`;
      const file = findInLines(text, /File "([^"]*(?:test_\w+|\w+_test|tests?)\.py)"/);
      return isReport ? [{ runner: 'unittest' as const, name, file, text: text.join('\n') }] : [];
    },
  );
}

/**
 * `go test`, with the output of a test before its result (`-v`) or behind it, and the package at the end:
 *
 *     --- FAIL: TestTotal (0.00s)
 *         total_test.go:8: got 1, want 2
 *     FAIL    example.com/shop/checkout       0.003s
 */
export function parseGoTest(lines: readonly string[]): TestFailure[] {
  const found: TestFailure[] = [];
  let ofPackage: { name: string; lines: string[] }[] = [];
  let output: string[] = [];
  let build: string[] = [];
  for (const line of lines) {
    const [, failed] = /^\s*--- FAIL: (\S+) \(/.exec(line) ?? [];
    const [, path, broken] = /^FAIL\s+(\S+)\s+(?:[\d.]+s|(\[(?:build|setup) failed\]))/.exec(line) ?? [];
    if (failed !== undefined) {
      const own: string[] = [];
      ofPackage.push({ name: failed, lines: own });
      own.push(...output.splice(0));
      output = own;
    } else if (path !== undefined) {
      if (broken) found.push(goFailure(path, path, build));
      const names = new Set(ofPackage.map(({ name }) => name));
      const isParent = (name: string) => [...names].some((other) => other.startsWith(`${name}/`));
      for (const { name, lines: text } of ofPackage)
        if (!isParent(name)) found.push(goFailure(name, path, text));
      [ofPackage, output, build] = [[], [], []];
    } else if (/^\s*(?:=== (?:RUN|CONT|NAME)|--- (?:PASS|SKIP))|^(?:ok|PASS|FAIL|\?)(?:\s|$)/.test(line)) {
      if (/^\s*=== (?:RUN|NAME)|--- (?:PASS|SKIP)/.test(line)) output = [];
    } else {
      if (/^# /.test(line)) build = [];
      build.push(line);
      if (output.length < 400) output.push(line);
    }
  }
  return found;
}

function goFailure(name: string, path: string, lines: readonly string[]): TestFailure {
  const file = findInLines(lines, /^\s*((?:[\w.-]+\/)*\w+_test\.go):\d+/);
  return { runner: 'go', name: name === path ? path : `${path}.${name}`, file, text: dedent(lines) };
}

/** `cargo test`: `---- checkout::tests::adds_tax stdout ----` below `failures:`. */
export function parseCargo(lines: readonly string[]): TestFailure[] {
  return cutBlocks(lines, /^---- (\S+) (?:stdout|stderr) ----$/, /^(?:failures:|test result: )/).map(
    ({ start, lines: block }) => ({
      runner: 'cargo',
      name: start[1]!,
      file: findInLines(block, /panicked at (?:'[^']*', )?([\w./\\-]+\.rs):\d+/),
      text: block.join('\n'),
    }),
  );
}

/**
 * RSpec, below `Failures:`:
 *
 *       1) Checkout adds tax
 *          Failure/Error: expect(total).to eq(3)
 *          # ./spec/total_spec.rb:5:in `block (2 levels) in <top (required)>'
 */
export function parseRspec(lines: readonly string[]): TestFailure[] {
  if (!lines.some((line) => /^\d+ examples?, \d+ failures?/.test(line))) return [];
  const section = cutSections(lines, /^Failures:$/, /^(?:Finished in |Failed examples:)/);
  return cutBlocks(section, /^ {2}\d+\) (.+)$/, /^\b$/).map(({ start, lines: block }) => ({
    runner: 'rspec',
    name: start[1]!,
    file: findInLines(block, /# (?:\.\/)?(\S+_spec\.rb):\d+/),
    // RSpec prints a frame as a comment.
    text: dedent(block).replace(/^(\s*)# (\.?\/?\S+:\d+:in )/gm, '$1from $2'),
  }));
}

/**
 * Minitest:
 *
 *       1) Failure:
 *     CartTest#test_total [test/cart_test.rb:7]:
 *     Expected: 3
 */
export function parseMinitest(lines: readonly string[]): TestFailure[] {
  if (!lines.some((line) => /^\d+ runs, \d+ assertions, /.test(line))) return [];
  return cutBlocks(lines, /^ {2}\d+\) (?:Failure|Error):$/, /^\d+ runs, \d+ assertions, /).map(
    ({ lines: block }): TestFailure => {
      const [, name = '', file = null] = /^(\S+)(?: \[(.+?):\d+\])?:$/.exec(block[0] ?? '') ?? [];
      return {
        runner: 'minitest',
        name,
        file: file ?? findInLines(block, /((?:\S*\/)?\w+_test\.rb):\d+/),
        text: block.join('\n'),
      };
    },
  );
}
