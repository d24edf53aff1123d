import { cutBlocks, cutSections, dedent, findInLines } from './blocks.ts';
import type { TestFailure } from './test-failure.ts';

/**
 * Maven Surefire, in its newer and older form:
 *
 *     [ERROR] shop.CartTest.addsTax -- Time elapsed: 0.01 s <<< FAILURE!
 *     [ERROR] addsTax(shop.CartTest)  Time elapsed: 0.01 sec  <<< ERROR!
 */
export function parseMaven(lines: readonly string[]): TestFailure[] {
  const start =
    /^(?:\[ERROR\] {1,2})?(\S.*?) (?:--| ) ?Time elapsed: [\d.,]+ s(?:ec)? {1,2}<<< (?:FAILURE|ERROR)!/;
  const blocks = cutBlocks(lines, start, /^(?:\[(?:INFO|ERROR|WARNING)\]|$|Tests run:|Results ?:)/);
  return blocks.flatMap(({ start: [, printed = ''], lines: block }) => {
    if (printed.startsWith('Tests run:')) return [];
    const [, method, type] = /^(.+)\(([\w.$]+)\)$/.exec(printed.trim()) ?? [];
    const name = method === undefined ? printed.trim() : `${type}.${method}`;
    return [{ runner: 'maven' as const, name, file: javaTestFile(block), text: block.join('\n') }];
  });
}

/** Gradle: `CartTest > addsTax() FAILED`, then the error with its frames, indented. */
export function parseGradle(lines: readonly string[]): TestFailure[] {
  const start = /^(\w.*) FAILED$/;
  return cutBlocks(lines, start, /^(?:\S|$)/)
    .filter((block) => block.start[1]!.includes(' > '))
    .map(({ start: [, name = ''], lines: block }) => ({
      runner: 'gradle',
      name,
      file: javaTestFile(block),
      text: dedent(block),
    }));
}

function javaTestFile(lines: readonly string[]): string | null {
  return findInLines(lines, /[( ](\w*(?:Test|Tests|IT|Spec)\w*\.(?:java|kt|groovy|scala)):\d+/);
}

/**
 * PHPUnit:
 *
 *     There was 1 failure:
 *
 *     1) CartTest::testAddsTax
 *     Failed asserting that 1 matches expected 2.
 *     /app/tests/CartTest.php:12
 */
export function parsePhpunit(lines: readonly string[]): TestFailure[] {
  const from = /^There (?:was|were) \d+ (?:failures?|errors?):$/;
  const section = cutSections(lines, from, /^(?:--|FAILURES!|ERRORS!|Tests: \d+|There (?:was|were) \d+ )/);
  return cutBlocks(section, /^\d+\) (\S.*)$/, /^\b$/).map(({ start: [, name = ''], lines: block }) => ({
    runner: 'phpunit',
    name,
    file: findInLines(block, /^(\S+Test\.php):\d+$/),
    text: block.join('\n'),
  }));
}

/**
 * `dotnet test`:
 *
 *       Failed Shop.Tests.CartTest.AddsTax [12 ms]
 *       Error Message:
 *        Assert.Equal() Failure
 *       Stack Trace:
 *          at Shop.Tests.CartTest.AddsTax() in /src/CartTest.cs:line 12
 */
export function parseDotnet(lines: readonly string[]): TestFailure[] {
  const start = /^ {2}Failed (\S.*?)(?: \[<? ?[\d.,]+ ?m?s(?: \d+ ms)?\])?$/;
  const end = /^ {2}(?:Passed|Skipped) |^(?:Failed!|Test Run Failed|Results File|\[xUnit)/;
  return cutBlocks(lines, start, end).flatMap(({ start: [, name = ''], lines: block }) => {
    if (!block.some((line) => /^ {2}(?:Error Message|Stack Trace):/.test(line))) return [];
    const text = block.filter((line) => !/^ {2}(?:Error Message|Stack Trace):/.test(line));
    return [
      {
        runner: 'dotnet' as const,
        name,
        file: findInLines(block, / in (.+?\.(?:cs|fs|vb)):line \d+/),
        text: dedent(text),
      },
    ];
  });
}
