/**
 * Files that a set-up command sees, and that its cache key covers: lockfiles, manifests and the settings of package managers.
 * Nothing else of the revision reaches the command, so that its result depends on nothing that the key leaves out.
 */
const MANIFESTS = [
  // JavaScript
  ...[
    'package.json',
    'package-lock.json',
    'npm-shrinkwrap.json',
    'yarn.lock',
    '.yarnrc',
    '.yarnrc.yml',
    '.npmrc',
  ],
  ...['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'bun.lock', '.node-version', '.nvmrc'],
  // Python
  ...['pyproject.toml', 'poetry.lock', 'uv.lock', 'Pipfile', 'Pipfile.lock', 'setup.cfg', 'pdm.lock'],
  // Go, Rust, Java, PHP, Ruby, .NET
  ...['go.mod', 'go.sum', 'go.work', 'go.work.sum', 'Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml'],
  ...[
    'pom.xml',
    'build.gradle',
    'build.gradle.kts',
    'settings.gradle',
    'settings.gradle.kts',
    'gradle.properties',
  ],
  ...['gradle.lockfile', 'libs.versions.toml', 'gradle-wrapper.properties', 'composer.json', 'composer.lock'],
  ...[
    'Gemfile',
    'Gemfile.lock',
    '.ruby-version',
    'packages.lock.json',
    'global.json',
    'NuGet.Config',
    'nuget.config',
  ],
  ...['Directory.Packages.props', 'Directory.Build.props'],
];
const MANIFEST_NAMES = new Set(MANIFESTS);
const MANIFEST_PATTERN =
  /(?:^|\/)(?:requirements[\w.-]*\.(?:txt|in)|requirements\/[\w.-]+\.(?:txt|in)|[\w.-]+\.csproj)$/;

/** Sources that cargo wants to exist before it fetches anything; the command sees them empty, and the key has their paths. */
const STUB_PATTERN = /(?:^|\/)src\/(?:lib|main)\.rs$/;

/** Content of a stub: a program and a library at once. */
export const STUB = 'fn main() {}\n';

/** A file of a revision: its path, its mode in git and the hash of its content. */
export interface SetupFile {
  path: string;
  mode: string;
  oid: string;
}

/** The files of a revision that a set-up command sees; links are none of them. */
export function selectSetupFiles(files: readonly SetupFile[]): { manifests: SetupFile[]; stubs: string[] } {
  const regular = files.filter(({ mode }) => mode.startsWith('100'));
  return {
    manifests: regular.filter(({ path }) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return MANIFEST_NAMES.has(name) || MANIFEST_PATTERN.test(path);
    }),
    stubs: regular.map(({ path }) => path).filter((path) => STUB_PATTERN.test(path)),
  };
}
