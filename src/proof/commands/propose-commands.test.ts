import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { proposeCommands } from './propose-commands.ts';
import { selectFiles } from './repository-files.ts';

const propose = async (text: string, files: Record<string, string>) => {
  const opened = selectFiles(new Set(Object.keys(files)), async (path) => files[path] ?? null);
  return (await proposeCommands(text, opened)).map(({ command }) => command);
};

const PYTEST = `=================================== FAILURES ===================================
______________________________ CartTest.test_total[1.5-a b] ______________________________
>       assert total() == 3
E       assert 2 == 3
tests/test_cart.py:5: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::CartTest::test_total
1 failed in 0.1s`;
const UNITTEST = `======================================================================
FAIL: test_total (test_cart.CartTest.test_total)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/test/test_cart.py", line 7, in test_total
AssertionError: 2 != 3
----------------------------------------------------------------------
Ran 1 test in 0.001s`;
const JEST = `FAIL test/total.test.js
  ● checkout › adds tax (once)

    expect(received).toBe(expected)

Tests:       1 failed, 1 total`;
const VITEST = ` FAIL  src/total.test.ts > checkout > adds tax
AssertionError: expected 1 to be 2
 ❯ src/total.test.ts:5:10
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯`;
const MOCHA = `  1 failing

  1) checkout
       adds tax:
     AssertionError: expected 1 to equal 2
      at Context.<anonymous> (test/total.js:5:10)
`;
const NODE = `✖ failing tests:

test at src/total.test.js:3:1
✖ adds tax (1.2ms)
  AssertionError [ERR_ASSERTION]: 1 == 2`;
const GO = `--- FAIL: TestTotal (0.00s)
    --- FAIL: TestTotal/empty_cart (0.00s)
        total_test.go:8: got 1, want 2
FAIL
FAIL\texample.com/shop/checkout\t0.003s`;
const CARGO = `---- checkout::tests::adds_tax stdout ----
thread 'checkout::tests::adds_tax' panicked at src/checkout.rs:12:5:
assertion failed

failures:
    checkout::tests::adds_tax`;
const MAVEN = `[ERROR] shop.CartTest.addsTax -- Time elapsed: 0.01 s <<< FAILURE!
java.lang.AssertionError: 1
	at shop.CartTest.addsTax(CartTest.java:12)`;
const GRADLE = `CartTest > addsTax() FAILED
    java.lang.AssertionError at CartTest.java:12
`;
const PHPUNIT = `There was 1 failure:

1) Shop\\CartTest::testAddsTax
Failed asserting that 1 matches expected 2.

/app/tests/CartTest.php:12

FAILURES!`;
const RSPEC = `Failures:

  1) Cart adds "tax"
     Failure/Error: expect(total).to eq(3)
     # ./spec/cart_spec.rb:5:in \`block (2 levels) in <top (required)>'

Finished in 0.1 seconds
1 example, 1 failure`;
const DOTNET = `  Failed Shop.Tests.CartTest.AddsTax(rate: 1) [12 ms]
  Error Message:
   Assert.Equal() Failure
  Stack Trace:
     at Shop.Tests.CartTest.AddsTax() in /src/Shop.Tests/CartTest.cs:line 12`;

const manifest = (test: string, dev: Record<string, string> = {}) =>
  JSON.stringify({ scripts: { test }, devDependencies: dev });

test.each<[string, string, Record<string, string>, string]>([
  [
    'pytest',
    PYTEST,
    { 'tests/test_cart.py': '', 'setup.cfg': '' },
    "python3 -m pytest -q 'tests/test_cart.py::CartTest::test_total[1.5-a b]'",
  ],
  [
    'unittest',
    UNITTEST,
    { 'test/test_cart.py': '', 'setup.py': '' },
    'python3 -m unittest test.test_cart.CartTest.test_total',
  ],
  [
    'jest',
    JEST,
    { 'test/total.test.js': '', 'package.json': manifest('jest') },
    String.raw`npx --no-install jest --runTestsByPath test/total.test.js '--testNamePattern=^checkout adds tax \(once\)$'`,
  ],
  [
    'vitest',
    VITEST,
    { 'src/total.test.ts': '', 'package.json': manifest('vitest') },
    "npx --no-install vitest run src/total.test.ts '--testNamePattern=^checkout adds tax$'",
  ],
  [
    'mocha',
    MOCHA,
    { 'test/total.js': '', 'package.json': manifest('mocha') },
    "npx --no-install mocha test/total.js '--fgrep=checkout adds tax'",
  ],
  [
    'node',
    NODE,
    { 'src/total.test.js': '', 'package.json': manifest('node --test') },
    "node --test '--test-name-pattern=adds tax$' src/total.test.js",
  ],
  [
    'go',
    GO,
    { 'checkout/total_test.go': '', 'go.mod': 'module example.com/shop\n' },
    "go test -count=1 '-run=^TestTotal$/^empty_cart$' ./checkout",
  ],
  [
    'cargo',
    CARGO,
    { 'src/checkout.rs': '', 'Cargo.toml': '' },
    'cargo test --offline checkout::tests::adds_tax -- --exact',
  ],
  [
    'maven',
    MAVEN,
    { 'core/src/test/java/shop/CartTest.java': '', 'core/pom.xml': '' },
    "cd core && mvn -o -q test '-Dtest=shop.CartTest#addsTax'",
  ],
  [
    'gradle',
    GRADLE,
    { 'src/test/java/CartTest.java': '', 'build.gradle': '', gradlew: '' },
    "./gradlew --offline test '--tests=*CartTest.addsTax'",
  ],
  [
    'phpunit',
    PHPUNIT,
    { 'tests/CartTest.php': '', 'phpunit.xml': '' },
    "vendor/bin/phpunit '--filter=CartTest::testAddsTax( |$)' tests/CartTest.php",
  ],
  [
    'rspec',
    RSPEC,
    { 'spec/cart_spec.rb': '', Gemfile: '' },
    `bundle exec rspec spec/cart_spec.rb '--example=Cart adds "tax"'`,
  ],
  [
    'dotnet',
    DOTNET,
    { 'Shop.Tests/CartTest.cs': '', 'Shop.Tests/Shop.Tests.csproj': '' },
    "dotnet test --no-restore '--filter=FullyQualifiedName~Shop.Tests.CartTest.AddsTax'",
  ],
  ['make', 'Segmentation fault', { Makefile: 'all:\n\tcc\ncheck: all\n\t./t\n' }, 'make check'],
])('%s', async (_, text, files, command) => {
  expect((await propose(text, files))[0]).toBe(command);
});

test('a trace through a test file proposes the test, then its file, then all tests', async () => {
  const trace = `Traceback (most recent call last):
  File "/srv/app/tests/test_cart.py", line 5, in test_total
    assert total() == 3
  File "/srv/app/src/shop/cart.py", line 9, in total
    return rates[region]
KeyError: 'eu'`;
  const files = {
    'tests/test_cart.py': '',
    'src/shop/__init__.py': '',
    'src/shop/cart.py': '',
    'pyproject.toml': '[tool.pytest.ini_options]',
  };
  expect(await propose(trace, files)).toEqual([
    'PYTHONPATH=src python3 -m pytest -q tests/test_cart.py::test_total',
    'PYTHONPATH=src python3 -m pytest -q tests/test_cart.py',
    'PYTHONPATH=src python3 -m pytest -q',
  ]);
});

test('hostile names are arguments and nothing else', async () => {
  const names = ['$(touch owned)', '`id`; rm -rf ~ #', "it's && reboot", '--require=/tmp/x', 'a\u0000b'];
  for (const name of names) {
    const text = JEST.replace('adds tax (once)', name).replaceAll(
      'test/total.test.js',
      "te'st$(x)/-total.test.js",
    );
    const files = {
      "te'st$(x)/-total.test.js": '',
      "te'st$(x)/package.json": '{"scripts": {"test": "jest"}, "__proto__": 1}',
    };
    for (const command of await propose(text, files)) {
      // The words that a shell passes on are the words that were quoted.
      const [, words = ''] = command.split(' && npx ');
      const printed = execFileSync('sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' }).split('\n');
      expect(printed[0]).toBe('--no-install');
      expect(
        printed
          .filter((word) => word.startsWith('-'))
          .every((word) => /^--(?:no-install|runTestsByPath|testNamePattern=)/.test(word)),
      ).toBe(true);
    }
  }
  const broken = { 'test/total.test.js': '', 'package.json': '{"scripts": {"test": ["jest"' };
  expect(
    await propose('ReferenceError: x is not defined\n    at test (/a/test/total.test.js:1:1)', broken),
  ).toEqual([]);
});
