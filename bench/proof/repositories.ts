import { escapeExpression } from '../../src/proof/commands/proposal.ts';
import { parseTestLog } from '../../src/test-reports/parse-log.ts';

/** A repository whose tests run on this machine without network. */
export interface ProofRepository {
  /** `owner/name`. */
  name: string;
  language: 'Python' | 'Go' | 'JavaScript';
  /** Newest revision of the histories, which the installed toolchain still tests. */
  head: string;
  /** Files that faults are put into. */
  sources: RegExp;
  /** Tests that may notice a fault of a source file; those that exist are run. */
  tests(path: string): string[];
  /** Command line that runs tests until one fails. */
  suite(tests: readonly string[]): string;
  /** Command line that runs one test. */
  command(failed: FailedTest): string;
  /** Failed tests of an output. */
  failures(output: string): FailedTest[];
  /** Folder below `--dependencies` that is linked into a checkout as `node_modules`. */
  dependencies?: string;
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const stem = (path: string) =>
  path
    .replace(/^.*\//, '')
    .replace(/\.\w+$/, '')
    .replace(/^_+/, '');

interface FailedTest {
  file: string;
  test: string;
}

/** Failed tests by the summary of pytest: `FAILED tests/test_a.py::Class::test_b[1] - message`. */
const pytestFailures = (output: string): FailedTest[] =>
  [...output.matchAll(/^FAILED (\S+?\.py)::(.+?)(?: - .*)?$/gm)].map(([, file, test]) => ({
    file: file!,
    test: test!,
  }));

/** Failed tests as the product's own parser reads them. */
const reportedFailures = (output: string): FailedTest[] =>
  parseTestLog(output).failures.flatMap(({ runner, name, file }) =>
    runner === null || file === null ? [] : [{ file, test: name.split(' > ').join(' ') }],
  );

const goFailures = (output: string): FailedTest[] =>
  [...output.matchAll(/^--- FAIL: (Test\w+) /gm)].map(([, test]) => ({ file: '.', test: test! }));

const pythonPackage = (
  name: string,
  folder: string,
  tests: (stem: string) => string[],
  head = 'HEAD',
): ProofRepository => {
  const program = `${folder.startsWith('src/') ? 'PYTHONPATH=src ' : ''}python3 -m pytest -q -x -rf -p no:cacheprovider`;
  return {
    ...{ name, language: 'Python', head },
    sources: new RegExp(`^${folder}.*\\.py$`),
    tests: (path) => tests(stem(path)),
    suite: (files) => `${program} ${files.map(quote).join(' ')}`,
    command: ({ file, test }) => `${program} ${quote(`${file}::${test}`)}`,
    failures: pytestFailures,
  };
};

const goModule = (name: string, head: string): ProofRepository => {
  // Debian's packages have the imported ones.
  const program = 'GO111MODULE=off GOPATH=/usr/share/gocode go test -count=1';
  return {
    ...{ name, language: 'Go', head },
    sources: /^\w+(?<!_test)\.go$/,
    tests: () => ['README.md'],
    // `TestFail…` needs a user without the rights of root.
    suite: () => `${program} -run='^Test(?:[^F]|F[^a])' .`,
    command: ({ test }) => `${program} -run=${quote(`^${test}$`)} .`,
    failures: goFailures,
  };
};

export const REPOSITORIES: readonly ProofRepository[] = [
  pythonPackage('pallets/click', 'src/click/', (name) => [
    ...[`tests/test_${name}.py`, `tests/test_${name}s.py`, 'tests/test_basic.py', 'tests/test_options.py'],
    ...['tests/test_commands.py', 'tests/test_formatting.py'],
  ]),
  pythonPackage('python-attrs/attrs', 'src/attr/', (name) => [
    `tests/test_${name}.py`,
    'tests/test_functional.py',
  ]),
  pythonPackage('pallets/jinja', 'src/jinja2/', (name) => [
    ...[`tests/test_${name}.py`, `tests/test_${name}s.py`, 'tests/test_core_tags.py', 'tests/test_api.py'],
    ...['tests/test_lexnparse.py', 'tests/test_filters.py', 'tests/test_regression.py'],
  ]),
  pythonPackage('pallets/werkzeug', 'src/werkzeug/', (name) => [
    ...[
      `tests/test_${name}.py`,
      `tests/sansio/test_${name}.py`,
      'tests/test_http.py',
      'tests/test_wrappers.py',
    ],
    ...['tests/test_routing.py', 'tests/test_datastructures.py'],
  ]),
  {
    ...pythonPackage('bottlepy/bottle', '', () => [
      ...['test/test_router.py', 'test/test_wsgi.py', 'test/test_environ.py', 'test/test_stpl.py'],
      ...['test/test_multipart.py', 'test/test_sendfile.py', 'test/test_config.py', 'test/test_formsdict.py'],
    ]),
    sources: /^bottle\.py$/,
  },
  pythonPackage('andialbrecht/sqlparse', 'sqlparse/', () => [
    ...['tests/test_format.py', 'tests/test_grouping.py', 'tests/test_parse.py'],
  ]),
  // Its newer tests have other names.
  pythonPackage(
    'martinblech/xmltodict',
    'xmltodict',
    () => ['tests/test_xmltodict.py', 'tests/test_dicttoxml.py'],
    'v0.14.2',
  ),
  {
    ...pythonPackage('networkx/networkx', 'networkx/', () => []),
    sources: /^networkx\/(?:algorithms|utils|generators|classes)\/(?!.*tests\/).*\.py$/,
    tests: (path) => [path.replace(/\/([^/]+)\.py$/, '/tests/test_$1.py')],
  },
  goModule('spf13/cobra', 'v1.8.1'),
  goModule('urfave/cli', 'v1.22.14'),
  {
    name: 'tj/commander.js',
    language: 'JavaScript',
    head: 'v13.1.0',
    sources: /^lib\/.*\.js$/,
    tests: () => ['tests'],
    suite: () => 'node node_modules/jest/bin/jest.js --colors=false --bail=1 tests',
    command: ({ file, test }) =>
      `node node_modules/jest/bin/jest.js --colors=false --runTestsByPath ${quote(file)} ${quote(`--testNamePattern=^${escapeExpression(test)}$`)}`,
    failures: reportedFailures,
    dependencies: 'commander/node_modules',
  },
  {
    name: 'expressjs/express',
    language: 'JavaScript',
    head: '4.19.2',
    sources: /^lib\/.*\.js$/,
    tests: () => ['test'],
    suite: () =>
      'NODE_ENV=test node node_modules/mocha/bin/mocha --exit --bail --reporter dot --require test/support/env test/',
    command: ({ file, test }) =>
      `NODE_ENV=test node node_modules/mocha/bin/mocha --exit --reporter dot --require test/support/env ${quote(file)} ${quote(`--fgrep=${test}`)}`,
    failures: reportedFailures,
    dependencies: 'express/node_modules',
  },
];
