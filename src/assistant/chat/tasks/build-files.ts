import { posix } from 'node:path';
import { type BuildFile, type BuildTask, tasksByHeader, toTask } from './build-task.ts';

type ReadTasks = (file: BuildFile) => BuildTask[];

/** Readers of the tasks in each kind of build file; the file formats are those of their tools. */
const READERS: [RegExp, ReadTasks][] = [
  [/(?:^|\/)(?:GNU)?[Mm]akefile(?:\.am)?$/, readMakefile],
  [/(?:^|\/)package\.json$/, (file) => readScripts(file, packageCommand(file))],
  [/(?:^|\/)composer\.json$/, (file) => readScripts(file, (name) => `composer ${name}`)],
  [/(?:^|\/)tox\.ini$/, (file) => tasksByHeader(file, /^\[(testenv(?::[\w{},.-]+)?)\]/, toxCommand)],
  [/(?:^|\/)pyproject\.toml$/, readPyproject],
  [
    /(?:^|\/)noxfile\.py$/,
    (file) => tasksByHeader(file, /^def\s+(\w+)\(\s*session\b/, (name) => `nox -s ${name}`),
  ],
  [/(?:^|\/)(?:Rakefile|rakelib\/.*\.rake|tasks\/.*\.rake|[\w-]+\.rake)$/, readRakefile],
  [
    /(?:^|\/)\.?[Jj]ustfile$/,
    (file) => tasksByHeader(file, /^@?([\w-]+)(?:\s+[^:=]*)?:(?!=)/, (name) => `just ${name}`),
  ],
  [
    /(?:^|\/)[Tt]askfile\.ya?ml$/,
    (file) => tasksByHeader(file, /^ {2}([\w:-]+):\s*$/, (name) => `task ${name}`),
  ],
  [/(?:^|\/)\.cargo\/config(?:\.toml)?$/, readCargoAliases],
  [/(?:^|\/)\.github\/workflows\/[\w.-]+\.ya?ml$/, readWorkflow],
];

/** Conventional commands of an ecosystem, for a manifest that declares no task itself. */
const CONVENTIONS: [RegExp, (file: BuildFile) => Record<string, string>][] = [
  [
    /(?:^|\/)Cargo\.toml$/,
    () => ({
      build: 'cargo build',
      test: 'cargo test',
      run: 'cargo run',
      install: 'cargo install --path .',
    }),
  ],
  [
    /(?:^|\/)go\.mod$/,
    ({ has }) => ({
      build: 'go build ./...',
      test: 'go test ./...',
      ...(has('main.go') && { run: 'go run .' }),
    }),
  ],
  [/^(?:pytest\.ini|conftest\.py|tests?\/(?:conftest|__init__)\.py)$/, () => ({ test: 'python -m pytest' })],
  [/^phpunit\.xml(?:\.dist)?$/, () => ({ test: 'vendor/bin/phpunit' })],
  [/^\.rspec$/, () => ({ test: 'bundle exec rspec' })],
  [
    /^pom\.xml$/,
    ({ has }) =>
      inEach({ build: 'package', test: 'test', install: 'install' }, has('mvnw') ? './mvnw' : 'mvn'),
  ],
  [
    /^build\.gradle(?:\.kts)?$/,
    ({ has }) => inEach({ build: 'build', test: 'test' }, has('gradlew') ? './gradlew' : 'gradle'),
  ],
  [
    /^CMakeLists\.txt$/,
    () => ({ build: 'cmake -B build && cmake --build build', test: 'ctest --test-dir build' }),
  ],
  [
    /^configure(?:\.ac)?$/,
    () => ({ build: './configure && make', test: 'make check', install: 'make install' }),
  ],
  [/^[\w-]+\.gemspec$/, ({ path }) => ({ build: `gem build ${path}`, install: 'bundle install' })],
  [/^(?:setup\.py|pyproject\.toml)$/, () => ({ install: 'pip install -e .' })],
  [/^package\.json$/, (file) => ({ install: `${packageManager(file)} install` })],
  [/^composer\.json$/, () => ({ install: 'composer install' })],
];

/** True for files of which `readBuildTasks` may find tasks. */
export function isBuildFile(path: string): boolean {
  return [...READERS, ...CONVENTIONS].some(([pattern]) => pattern.test(path));
}

/** Tasks of a build file as it declares them. */
export function readDeclaredTasks(file: BuildFile): BuildTask[] {
  return READERS.filter(([pattern]) => pattern.test(file.path)).flatMap(([, read]) => read(file));
}

/** Tasks of a manifest by the conventions of its ecosystem; each cites the first line. */
export function readConventions(file: BuildFile): BuildTask[] {
  return CONVENTIONS.filter(([pattern]) => pattern.test(file.path)).flatMap(([, commands]) =>
    Object.entries(commands(file)).map(([name, command]) => toTask(file, { name, command, from: 0, to: 0 })),
  );
}

function inEach(tasks: Record<string, string>, tool: string): Record<string, string> {
  return Object.fromEntries(Object.entries(tasks).map(([name, goal]) => [name, `${tool} ${goal}`]));
}

function readMakefile(file: BuildFile): BuildTask[] {
  return tasksByHeader(file, /^([\w./-]+)(?:\s+[\w./-]+)*\s*::?(?!=)/, (name) =>
    name.startsWith('.') ? null : `make ${name}`,
  );
}

/** Scripts of a JSON manifest; each cites the line of its name. */
function readScripts(file: BuildFile, toCommand: (name: string) => string): BuildTask[] {
  const { rows } = file;
  const first = rows.findIndex((row) => /"scripts"\s*:\s*\{/.test(row));
  if (first < 0) return [];
  return scriptNames(rows).map((name) => {
    const at = rows.findIndex((row, i) => i >= first && row.includes(`"${name}"`));
    const row = Math.max(first, at);
    return toTask(file, { name, command: toCommand(name), from: row, to: row });
  });
}

/** Names of the scripts; none in a manifest that does not parse. */
function scriptNames(rows: readonly string[]): string[] {
  try {
    const { scripts } = JSON.parse(rows.join('\n')) as { scripts?: object };
    return Object.keys(scripts ?? {}).filter((name) => /^[\w:./-]+$/.test(name));
  } catch {
    return [];
  }
}

function packageCommand(file: BuildFile): (name: string) => string {
  const manager = packageManager(file);
  return (name) => (name === 'test' || manager === 'yarn' ? `${manager} ${name}` : `${manager} run ${name}`);
}

function packageManager({ path, has }: BuildFile): string {
  const hasLock = (name: string) => has(posix.join(posix.dirname(path), name)) || has(name);
  if (hasLock('pnpm-lock.yaml')) return 'pnpm';
  if (hasLock('yarn.lock')) return 'yarn';
  return hasLock('bun.lock') || hasLock('bun.lockb') ? 'bun' : 'npm';
}

function toxCommand(section: string): string {
  const [first] = section.replace(/^testenv:?|[{}]/g, '').split(',');
  return first ? `tox -e ${first}` : 'tox';
}

/** Environments of tox and scripts of the tools that run them. */
function readPyproject(file: BuildFile): BuildTask[] {
  const environments = tasksByHeader(file, /^\[(tool\.tox\.env\.[\w.-]+|[^\]]+)\]/, (name) => {
    const environment = /^tool\.tox\.env\.([\w.-]+)$/.exec(name)?.[1];
    return environment === undefined ? null : `tox -e ${environment}`;
  });
  const scripts: BuildTask[] = [];
  let tool: string | null = null;
  file.rows.forEach((row, at) => {
    const section = /^\[([^\]]+)\]/.exec(row)?.[1];
    if (section !== undefined) tool = scriptRunner(section);
    const name = tool === null ? undefined : /^([\w-]+)\s*=/.exec(row)?.[1];
    if (name !== undefined) scripts.push(toTask(file, { name, command: `${tool}${name}`, from: at, to: at }));
  });
  return [...environments, ...scripts];
}

function scriptRunner(section: string): string | null {
  const environment = /^tool\.hatch\.envs\.([\w-]+)\.scripts$/.exec(section)?.[1];
  if (environment !== undefined)
    return environment === 'default' ? 'hatch run ' : `hatch run ${environment}:`;
  if (section === 'tool.poe.tasks') return 'poe ';
  return section === 'tool.pdm.scripts' ? 'pdm run ' : null;
}

function readRakefile(file: BuildFile): BuildTask[] {
  const run = file.has('Gemfile') ? 'bundle exec rake' : 'rake';
  const namespaces: { name: string; indent: number }[] = [];
  const names = file.rows.map((row) => {
    const indent = row.length - row.trimStart().length;
    if (row.trim() !== '') while ((namespaces.at(-1)?.indent ?? -1) >= indent) namespaces.pop();
    const namespace = /^\s*namespace\s+[:'"]?([\w-]+)/.exec(row)?.[1];
    if (namespace !== undefined) namespaces.push({ name: namespace, indent });
    const task = /^\s*(?:multi)?task[\s(]+(?:[:'"]|)([\w-]+)/.exec(row)?.[1];
    return task === undefined ? null : [...namespaces.map(({ name }) => name), task].join(':');
  });
  return names.flatMap((name, row) => {
    if (name === null) return [];
    const from = /^\s*(?:desc\b|#)/.test(file.rows[row - 1] ?? '') ? row - 1 : row;
    const next = names.findIndex((one, at) => at > row && one !== null);
    const to = (next < 0 ? file.rows.length : next) - 1;
    return [toTask(file, { name, command: `${run} ${name}`, from, to: Math.min(to, row + 15) })];
  });
}

function readCargoAliases(file: BuildFile): BuildTask[] {
  const first = file.rows.findIndex((row) => /^\[alias\]/.test(row));
  return file.rows.flatMap((row, at) => {
    const name = first >= 0 && at > first ? /^([\w-]+)\s*=/.exec(row)?.[1] : undefined;
    return name === undefined ? [] : [toTask(file, { name, command: `cargo ${name}`, from: at, to: at })];
  });
}

/** Steps of a workflow that run commands; the name of a step is its own, or that of its job. */
function readWorkflow(file: BuildFile): BuildTask[] {
  let name = posix.basename(file.path).replace(/\.\w+$/, '');
  return file.rows.flatMap((row, at) => {
    name = /^\s*-?\s*name:\s*["']?(.+?)["']?\s*$/.exec(row)?.[1] ?? name;
    const run = /^(\s*)(?:-\s+)?run:\s*(.*)$/.exec(row);
    if (!run) return [];
    const isBlock = /^[|>]/.test(run[2]!);
    const indent = run[1]!.length;
    const length = isBlock
      ? file.rows.slice(at + 1).findIndex((one) => one.trim() !== '' && indentOf(one) <= indent)
      : 0;
    const to = isBlock && length < 0 ? file.rows.length - 1 : at + length;
    const command = isBlock ? (file.rows[at + 1] ?? '').trim() : run[2]!.trim();
    return command === '' ? [] : [toTask(file, { name, command, from: at, to })];
  });
}

function indentOf(row: string): number {
  return row.length - row.trimStart().length;
}
