import { posix } from 'node:path';
import { type CommandFinder, type CommandWords, escapeExpression, type FailingTest } from './proposal.ts';
import { findProjectFolder, pathArgument } from './repository-files.ts';

const hasExtension = ({ path }: FailingTest, pattern: RegExp) => path !== null && pattern.test(path);

/** Go: `go test ./checkout -run='^TestTotal$/^empty$' -count=1`, in the module of the file or package. */
export const findGoCommand: CommandFinder = async (test, files) => {
  if (test.runner !== 'go' && !hasExtension(test, /\.go$/)) return null;
  const project = findProjectFolder(test.path ?? test.near ?? null, ['go.mod'], files);
  const folder = project?.folder ?? '';
  const [, module] =
    /^\s*module\s+"?([^\s"]+)/m.exec((project && (await files.read(project.config))) ?? '') ?? [];
  const slash = test.name?.lastIndexOf('/Test') ?? -1;
  const [, imported, name = null] =
    /^(.*?)\.((?:Test|Example|Fuzz|Benchmark)\w*(?:\/.*)?)$/.exec(test.name ?? '') ?? [];
  const own = test.path !== null ? posix.dirname(pathArgument(test.path, folder)) : null;
  const inside = module !== undefined && imported?.startsWith(module) ? imported.slice(module.length) : null;
  const target = own ?? (inside === null ? null : inside.replace(/^\//, ''));
  const bare = name ?? (slash < 0 && /^Test\w*(?:\/.*)?$/.test(test.name ?? '') ? test.name : null);
  const parts = bare?.split('/').map((part) => `^${escapeExpression(part)}$`);
  const words = ['go', 'test', '-count=1', ...(parts ? [`-run=${parts.join('/')}`] : [])];
  const where = target === null ? './...' : target === '' || target === '.' ? '.' : `./${target}`;
  const scope = parts ? 'test' : target === null ? 'suite' : 'file';
  return { runner: 'go', folder, config: project?.config ?? null, words: [...words, where], scope };
};

/** Cargo: `cargo test --offline checkout::tests::adds_tax -- --exact`; an integration test by its file. */
export const findCargoCommand: CommandFinder = async (test, files) => {
  if (test.runner !== 'cargo' && !hasExtension(test, /\.rs$/)) return null;
  const project = findProjectFolder(test.path ?? test.near ?? null, ['Cargo.toml'], files);
  const folder = project?.folder ?? '';
  const name = test.name !== null && /^[\w:]+$/.test(test.name) ? test.name : null;
  const [, file] =
    /^tests\/([^/]+)\.rs$/.exec(test.path === null ? '' : pathArgument(test.path, folder)) ?? [];
  const words = ['cargo', 'test', '--offline', ...(file ? [`--test=${file}`] : [])];
  const scope = name !== null ? 'test' : file ? 'file' : 'suite';
  const filter = name === null ? [] : [name, '--', '--exact'];
  return { runner: 'cargo', folder, config: project?.config ?? null, words: [...words, ...filter], scope };
};

/** `shop.CartTest.addsTax(int)[1]` without its parameters. */
const withoutParameters = (name: string) => name.replace(/[([{ ].*$/s, '');

/** Maven: `mvn -o -q test -Dtest=shop.CartTest#addsTax`; Gradle: `gradle --offline test --tests=shop.CartTest.addsTax`. */
export const findJavaCommand: CommandFinder = async (test, files) => {
  const isJava =
    test.runner === 'maven' || test.runner === 'gradle' || hasExtension(test, /\.(?:java|kt|groovy)$/);
  if (!isJava) return null;
  const gradleFiles = ['build.gradle', 'build.gradle.kts'];
  const project = findProjectFolder(
    test.path ?? test.near ?? null,
    test.runner === 'gradle' ? gradleFiles : ['pom.xml', ...gradleFiles],
    files,
  );
  if (project === null) return null;
  const type = test.path === null ? null : posix.basename(test.path).replace(/\.\w+$/, '');
  const name = test.name === null ? null : withoutParameters(test.name.replace(' > ', '.'));
  const method = name?.split('.').at(-1);
  const scope = name !== null ? 'test' : type === null ? 'suite' : 'file';
  const common = { folder: project.folder, config: project.config, scope } as const;
  if (posix.basename(project.config) === 'pom.xml') {
    const filter = name === null ? type : `${name.slice(0, name.lastIndexOf('.'))}#${method}`;
    return {
      ...common,
      runner: 'maven',
      words: ['mvn', '-o', '-q', 'test', ...(filter ? [`-Dtest=${filter}`] : [])],
    };
  }
  const filter = name ?? type;
  const gradle = files.has(posix.join(project.folder, 'gradlew')) ? './gradlew' : 'gradle';
  const words = [gradle, '--offline', 'test', ...(filter ? [`--tests=*${filter}`] : [])];
  return { ...common, runner: 'gradle', words };
};

/** PHPUnit: `vendor/bin/phpunit --filter='CartTest::testAddsTax$' tests/CartTest.php`. */
export const findPhpCommand: CommandFinder = async (test, files) => {
  if (test.runner !== 'phpunit' && !hasExtension(test, /\.php$/)) return null;
  const project = findProjectFolder(
    test.path ?? test.near ?? null,
    ['phpunit.xml', 'phpunit.xml.dist', 'composer.json'],
    files,
  );
  const folder = project?.folder ?? '';
  const name = test.name
    ?.replace(/ with data set .*$/s, '')
    .split('\\')
    .at(-1);
  const filter = name?.includes('::') ? [`--filter=${escapeExpression(name)}( |$)`] : [];
  const file = test.path === null ? [] : [pathArgument(test.path, folder)];
  const scope = filter.length > 0 ? 'test' : file.length > 0 ? 'file' : 'suite';
  const words = ['vendor/bin/phpunit', ...filter, ...file];
  return { runner: 'phpunit', folder, config: project?.config ?? null, words, scope };
};

/** RSpec: `bundle exec rspec spec/cart_spec.rb --example='Cart adds tax'`; Minitest: `ruby -Ilib -Itest FILE --name=test_total`. */
export const findRubyCommand: CommandFinder = async (test, files) => {
  const isRuby = test.runner === 'rspec' || test.runner === 'minitest' || hasExtension(test, /\.rb$/);
  if (!isRuby) return null;
  const project = findProjectFolder(test.path ?? test.near ?? null, ['.rspec', 'Gemfile', 'Rakefile'], files);
  const folder = project?.folder ?? '';
  const file = test.path === null ? [] : [pathArgument(test.path, folder)];
  const common = { folder, config: project?.config ?? null };
  if (test.runner === 'minitest' || (test.runner === null && !test.path?.endsWith('_spec.rb'))) {
    const method = test.name?.split('#').at(-1);
    if (file.length === 0) return { ...common, runner: 'minitest', words: ['rake', 'test'], scope: 'suite' };
    const words = ['ruby', '-Ilib', '-Itest', ...file, ...(method ? [`--name=${method}`] : [])];
    return { ...common, runner: 'minitest', words, scope: method ? 'test' : 'file' };
  }
  const bundle = files.has(posix.join(folder, 'Gemfile')) ? ['bundle', 'exec'] : [];
  const words = [...bundle, 'rspec', ...file, ...(test.name ? [`--example=${test.name}`] : [])];
  return {
    ...common,
    runner: 'rspec',
    words,
    scope: test.name ? 'test' : file.length > 0 ? 'file' : 'suite',
  };
};

/** .NET: `dotnet test --no-restore --filter='FullyQualifiedName~Shop.Tests.CartTest.AddsTax'`. */
export const findDotnetCommand: CommandFinder = async (test, files) => {
  if (test.runner !== 'dotnet' && !hasExtension(test, /\.(?:cs|fs|vb)$/)) return null;
  const projects = ['csproj', 'fsproj', 'vbproj'].flatMap((extension) =>
    test.path === null ? [] : files.endingWith(`${posix.basename(posix.dirname(test.path))}.${extension}`),
  );
  const name = test.name === null ? null : withoutParameters(test.name);
  const filter = name?.replace(/[\\()&|=!~]/g, String.raw`\$&`);
  const words = [
    'dotnet',
    'test',
    '--no-restore',
    ...(filter ? [`--filter=FullyQualifiedName~${filter}`] : []),
  ];
  return {
    runner: 'dotnet',
    folder: '',
    config: projects[0] ?? null,
    words,
    scope: filter ? 'test' : 'suite',
  };
};

/** A Makefile with the target `check` or `test`: all tests of the program. */
export const findMakeCommand: CommandFinder = async (test, files): Promise<CommandWords | null> => {
  const names = ['Makefile', 'GNUmakefile', 'makefile', 'Makefile.am'];
  const project =
    findProjectFolder(test.path ?? test.near ?? null, names, files) ?? findProjectFolder(null, names, files);
  const text = project && (await files.read(project.config));
  if (!project || !text) return null;
  const isAutomake = project.config.endsWith('.am');
  const target = ['check', 'test'].find(
    (one) => isAutomake || new RegExp(`^${one}\\s*:(?!=)`, 'm').test(text),
  );
  if (!target) return null;
  return {
    runner: 'make',
    folder: project.folder,
    config: project.config,
    words: ['make', target],
    scope: 'suite',
  };
};
