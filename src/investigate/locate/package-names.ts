import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { filesNamed } from './files-named.ts';
import type { SourceReader } from './source-reader.ts';

/** Folders of the packages of a repository, by the name in lower case under which they are installed: '' or `packages/web/`. */
export type PackageNames = ReadonlyMap<string, readonly string[]>;

/** Manifests that are read. */
const MAX_MANIFESTS = 60;

/** Name of the package in each kind of manifest. */
const MANIFESTS: Record<string, RegExp> = {
  'package.json': /^[ \t]{0,4}"name"\s*:\s*"([^"]+)"/m,
  'composer.json': /^\s{0,4}"name"\s*:\s*"([^"]+)"/m,
  'Cargo.toml': /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/m,
  'go.mod': /^module\s+"?([^\s"]+)/m,
  'pyproject.toml': /^name\s*=\s*["']([^"']+)["']/m,
  'setup.cfg': /^name\s*=\s*(\S+)/m,
  'setup.py': /\bname\s*=\s*["']([^"']+)["']/,
  'pom.xml':
    /<\/parent>[\s\S]{0,1000}?<artifactId>([^<$]+)<|^(?:(?!<parent>)[\s\S]){0,20000}?<artifactId>([^<$]+)</,
  'settings.gradle': /rootProject\.name\s*=\s*["']([^"']+)["']/,
  'settings.gradle.kts': /rootProject\.name\s*=\s*"([^"]+)"/,
  'mix.exs': /\bapp:\s*:(\w+)/,
  'pubspec.yaml': /^name:\s*["']?([\w-]+)/m,
  'shard.yml': /^name:\s*["']?([\w-]+)/m,
  'Project.toml': /^name\s*=\s*"([^"]+)"/m,
  'dune-project': /\(name\s+([\w-]+)\)/,
  'dist.ini': /^name\s*=\s*(\S+)/m,
  'Makefile.PL': /\bNAME\b['"]?\s{0,80}=>\s{0,80}["']([^"']+)["']/,
  'CMakeLists.txt': /^[ \t]{0,8}project[ \t]{0,8}\(\s{0,80}["']?([\w.+-]+)/im,
  'meson.build': /^[ \t]{0,8}project[ \t]{0,8}\(\s{0,80}'([^']+)'/m,
  'configure.ac': /^AC_INIT\(\s{0,80}\[?([\w.+-]+)/m,
};
/** Manifests that are named after their package. */
const MANIFEST_EXTENSIONS: Record<string, RegExp> = {
  gemspec: /(?:\.name\s*=|Gem::Specification\.new\b\s*\(?)\s*["']([^"']+)["']/,
  rockspec: /^package\s*=\s*["']([^"']+)["']/m,
  cabal: /^name\s*:\s*(\S+)/im,
};
/** Go repositories had no manifest before 2018; their README says how to get them. */
const README = /^readme(?:\.\w{1,10})?$/i;
const GO_GET = /\bgo get (?:-\w+ )*((?:[\w-]+\.)+[a-z]{2,10}\/[\w.-]+\/[\w.-]+)/;

const cache = new WeakMap<CodeTable, Promise<PackageNames>>();

/** Reads the names from the manifests of a revision, once per index. */
export function readPackageNames(code: CodeTable, sources: SourceReader): Promise<PackageNames> {
  const cached = cache.get(code);
  if (cached) return cached;
  const names = collectNames(code, sources).catch((error: unknown) => {
    cache.delete(code);
    throw error;
  });
  cache.set(code, names);
  return names;
}

async function collectNames(code: CodeTable, sources: SourceReader): Promise<PackageNames> {
  const found = await Promise.all(
    findManifests(code).map(async (path) => {
      const text = (await sources.lines(path))?.join('\n') ?? '';
      const file = path.slice(path.lastIndexOf('/') + 1);
      const pattern = MANIFESTS[file] ?? MANIFEST_EXTENSIONS[file.slice(file.lastIndexOf('.') + 1)];
      const name = (pattern?.exec(text) ?? []).slice(1).find(Boolean)?.toLowerCase();
      return name ? [{ name, folder: path.slice(0, path.length - file.length) }] : [];
    }),
  );
  const named = found.flat();
  const names = new Map<string, string[]>();
  for (const { name, folder } of named.length > 0 ? named : await readGoGet(code, sources))
    names.set(name, [...(names.get(name) ?? []), folder]);
  return names;
}

async function readGoGet(code: CodeTable, sources: SourceReader) {
  const path = filesNamed(code, 'readme')
    .map((file) => code.filePath(file))
    .find((one) => README.test(one));
  const lines = path === undefined ? null : await sources.lines(path);
  const name = GO_GET.exec(lines?.join('\n') ?? '')?.[1]?.toLowerCase();
  return name ? [{ name, folder: '' }] : [];
}

/** Paths of manifests, the least nested first; those of tests and examples name other packages. */
export function findManifests(code: CodeTable): string[] {
  const named = Object.keys(MANIFESTS).flatMap((name) =>
    filesNamed(code, name)
      .map((file) => code.filePath(file))
      .filter((path) => path === name || path.endsWith(`/${name}`)),
  );
  const extended = Object.keys(MANIFEST_EXTENSIONS).flatMap((extension) =>
    filesNamed(code, extension)
      .map((file) => code.filePath(file))
      .filter((path) => path.endsWith(`.${extension}`)),
  );
  const depth = (path: string) => path.split('/').length;
  return (
    [...named, ...extended]
      // `CMakeLists.txt` is no document.
      .filter((path) => !isNonSource(path.replace(/\.txt$/, '')))
      .sort((a, b) => depth(a) - depth(b) || a.localeCompare(b))
      .slice(0, MAX_MANIFESTS)
  );
}
