import { expect, test } from 'vitest';
import { readConventions, readDeclaredTasks } from './build-files.ts';
import { commandsOf } from './doc-commands.ts';

const file = (path: string, text: string, others: string[] = []) => ({
  path,
  rows: text.split('\n'),
  has: (one: string) => others.includes(one),
});
const declared = (...args: Parameters<typeof file>) =>
  readDeclaredTasks(file(...args)).map(({ command, from, to }) => `${command} ${from}-${to}`);

test('targets of a makefile, without variables and special targets', () => {
  const makefile =
    'CC := gcc\n.PHONY: test\n# Runs all tests.\ntest: build\n\t./run-tests\n\nbuild:\n\t$(CC) a.c\n';
  expect(declared('Makefile', makefile)).toEqual(['make test 2-5', 'make build 7-8']);
});

test.each([
  [[], ['npm test 3-3', 'npm run lint:fix 4-4']],
  [['pnpm-lock.yaml'], ['pnpm test 3-3', 'pnpm run lint:fix 4-4']],
  [['yarn.lock'], ['yarn test 3-3', 'yarn lint:fix 4-4']],
])('scripts of package.json beside %j', (others, commands) => {
  const manifest =
    '{\n  "scripts": {\n    "test": "node --test",\n    "lint:fix": "biome"\n  },\n  "name": "x"\n}';
  expect(declared('package.json', manifest, others)).toEqual(commands);
});

test('scripts of package.json on one line', () => {
  expect(declared('package.json', '{"scripts":{"test":"node --test"}}')).toEqual(['npm test 1-1']);
});

test.each([
  [
    'tox.ini',
    '[tox]\nenvlist = py\n[testenv]\ncommands = pytest\n[testenv:docs]\ncommands = sphinx',
    ['tox 3-4', 'tox -e docs 5-6'],
  ],
  [
    'noxfile.py',
    'import nox\n\n@nox.session\ndef tests(session):\n    session.run("pytest")',
    ['nox -s tests 3-5'],
  ],
  [
    'pyproject.toml',
    '[project]\nname = "x"\n[tool.hatch.envs.docs.scripts]\nbuild = "mkdocs"\n[tool.tox.env.lint]\ncommands = []',
    ['tox -e lint 5-6', 'hatch run docs:build 4-4'],
  ],
  [
    'Rakefile',
    "namespace :release do\n  desc 'Tags it'\n  task :tag do\n  end\nend\ntask :test do\nend",
    ['rake release:tag 2-5', 'rake test 6-7'],
  ],
  [
    'justfile',
    'test-all *args: build\n  cargo test\nbuild:\n  cargo build',
    ['just test-all 1-2', 'just build 3-4'],
  ],
  ['.cargo/config.toml', '[alias]\nxtask = "run -p xtask"', ['cargo xtask 2-2']],
  [
    '.github/workflows/ci.yml',
    'jobs:\n  a:\n    steps:\n      - name: Test\n        run: |\n          make check\n          make more\n      - run: make lint',
    ['make check 5-7', 'make lint 8-8'],
  ],
])('tasks of %s', (path, text, commands) => {
  expect(declared(path, text)).toEqual(commands);
});

test('a manifest without tasks has those of its ecosystem', () => {
  const commands = (path: string, others: string[] = []) =>
    readConventions(file(path, 'x', others)).map(({ command }) => command);
  expect(commands('go.mod')).toEqual(['go build ./...', 'go test ./...']);
  expect(commands('pom.xml', ['mvnw'])).toContain('./mvnw test');
  expect(commands('docs/readme.md')).toEqual([]);
});

test('commands of a document: rows of code and code in sentences', () => {
  const lines = [
    'Run `./mvnw verify` first, not `verify`.',
    '```',
    '$ make test',
    'output',
    '```',
    '    npm ci',
  ];
  const section = {
    path: 'README.md',
    title: 'Tests',
    parents: [],
    from: 10,
    to: 15,
    lines,
    hasCommands: true,
  };
  expect(commandsOf(section).map(({ command, line }) => `${command} ${line}`)).toEqual([
    './mvnw verify 10',
    'make test 12',
    'npm ci 15',
  ]);
});
