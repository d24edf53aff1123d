import { posix } from 'node:path';

/** A module as a file imports it. */
interface Import {
  /** Folder of the importing file, '' at the top. */
  folder: string;
  from: string;
  module: string;
}

/** Paths that an import may mean, likeliest first; those that leave the repository are left out later. */
type Candidates = (imported: Import) => Iterable<string>;

/**
 * The path that a module means, as the file at `from` imports it: a file, or a folder where the language imports
 * folders (Go, `a.b.*` of Java). Null when it is the language's own, another package's, or not told by its name.
 * `hasPath` says whether a file or folder of that path exists; it is asked some dozens of times at most.
 * No build file is read: sources are looked for beside the importing file, then in the folders above it and in what
 * those usually call their sources.
 */
export function resolveImport(
  language: string,
  from: string,
  module: string,
  hasPath: (path: string) => boolean,
): string | null {
  const candidates = Object.hasOwn(CANDIDATES, language) ? CANDIDATES[language] : undefined;
  if (!candidates || module === '') return null;
  const folder = posix.dirname(from) === '.' ? '' : posix.dirname(from);
  for (const candidate of candidates({ folder, from, module })) {
    const path = posix.normalize(candidate).replace(/\/$/, '');
    if (path !== '.' && path !== from && !/^(?:\/|\.\.(?:\/|$))/.test(path) && hasPath(path)) return path;
  }
  return null;
}

/** The folder and those above it, nearest first, each with a slash at its end but for the top. */
function* upwards(folder: string): Generator<string> {
  for (let at = folder; at !== '' && at !== '.'; at = posix.dirname(at)) yield `${at}/`;
  yield '';
}

/** `path` in every folder above, and in the folders that sources are kept in there. */
function* above(folder: string, path: string, sources: readonly string[]): Generator<string> {
  for (const root of upwards(folder)) for (const source of ['', ...sources]) yield `${root}${source}${path}`;
}

function* ending(paths: Iterable<string>, ends: readonly string[]): Generator<string> {
  for (const path of paths) for (const end of ends) yield `${path}${end}`;
}

const JS_ENDS = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.d.ts', '.vue', '.svelte', '.json'];
const JS_FILES = ['', ...JS_ENDS, ...JS_ENDS.slice(0, 6).map((end) => `/index${end}`)];

/** `./a.js` may be `a.ts`; `@/a` and `~/a` are of the nearest sources; `@scope/name` is `packages/name`. */
function* ecmascript({ folder, module }: Import): Generator<string> {
  const file = module.replace(/[?!].*$/, '');
  if (/^\.{1,2}(?:\/|$)/.test(file)) {
    const path = posix.join(folder, file);
    yield* ending([path], JS_FILES);
    yield* ending([path.replace(/\.[cm]?jsx?$/, '')], JS_ENDS);
    return;
  }
  const alias = /^[@~#]\/?(.+)$/.exec(file)?.[1] ?? file;
  yield* ending(above(folder, alias, ['src/', 'app/', 'lib/']), JS_FILES);
  const [name, ...rest] = (file.startsWith('@') ? file.replace(/^@[^/]*\//, '') : file).split('/');
  for (const source of ['src/', 'lib/', ''])
    yield* ending([`packages/${name}/${source}${rest.join('/') || 'index'}`], JS_FILES);
}

/** `..a.b` is two folders up, but for the first dot. */
function* python({ folder, module }: Import): Generator<string> {
  const dots = /^\.*/.exec(module)![0].length;
  const path = module.slice(dots).replaceAll('.', '/');
  const bases =
    dots > 0
      ? [posix.join(folder, '../'.repeat(dots - 1), path)]
      : above(folder, path, ['src/', 'lib/', 'python/']);
  for (const base of bases) {
    if (path !== '') yield* [`${base}.py`, `${base}.pyi`];
    yield `${base}/__init__.py`;
  }
}

function* included({ folder, module }: Import): Generator<string> {
  yield posix.join(folder, module);
  yield* above(folder, module, ['include/', 'src/', 'lib/', 'inc/']);
}

/** What follows host, owner and name; `a.org/name/…` has no owner. */
function* go({ module }: Import): Generator<string> {
  const segments = module.split('/').filter((segment, index) => index < 2 || !/^v\d+$/.test(segment));
  if (!segments[0]!.includes('.')) return;
  for (const taken of [3, 2]) if (segments.length > taken) yield segments.slice(taken).join('/');
}

/** Of `crate::a::b::C` the longest part that is a file: `a/b/C.rs`, `a/b.rs`, `a/b/mod.rs`, `a.rs`, … */
function* rust({ folder, from, module }: Import): Generator<string> {
  const [first, ...rest] = module.split('::');
  const file = posix.basename(from);
  const own = /^(?:mod|lib|main)\.rs$/.test(file) ? folder : posix.join(folder, file.replace(/\.rs$/, ''));
  const source = /^(?:.*\/)?src(?=\/|$)/.exec(folder)?.[0] ?? folder;
  const crates = [...above(folder, first!, []), ...above(folder, first!.replaceAll('_', '-'), [])];
  const bases: Record<string, string[]> = {
    crate: [source],
    self: [own],
    super: [posix.join(own, '..', '../'.repeat(rest.filter((name) => name === 'super').length))],
  };
  const names = rest.filter((name) => name !== 'super');
  for (let length = names.length; length > 0; length--) {
    const path = names.slice(0, length).join('/');
    for (const base of Object.hasOwn(bases, first!) ? bases[first!]! : crates.map((crate) => `${crate}/src`))
      yield* [posix.join(base, `${path}.rs`), posix.join(base, path, 'mod.rs')];
  }
  if (!Object.hasOwn(bases, first!)) yield* ending(crates, ['/src/lib.rs']);
}

const JVM_ENDS = ['.java', '.kt', '.scala', '.groovy'];

/** Classes in folders named for their package; a static import names a member, which is not in the path. */
function* jvm({ folder, module }: Import): Generator<string> {
  const path = module.replaceAll('.', '/');
  const wildcard = /^(.+)\/[*_]$/.exec(path)?.[1];
  const names = wildcard ? [wildcard] : [path, posix.dirname(path)];
  for (const name of names) {
    if (name === '.') continue;
    const roots = [...above(folder, name, []), ...above(mainOf(folder), name, [])];
    yield* ending(roots, JVM_ENDS);
    if (wildcard) yield* roots;
  }
}

/** Tests are kept beside what they test: `src/test/java` and `src/main/java`. */
const mainOf = (folder: string) => folder.replace(/(^|\/)(?:\w+T|t)est(?=\/|$)/, '$1main');

/** The first names of a namespace stand for a folder: `App\Models\User` is `src/Models/User.php`. */
function* php({ folder, module }: Import): Generator<string> {
  if (/[./]/.test(module)) return yield* included({ folder, from: '', module });
  const names = module.split('\\');
  for (let from = 0; from < Math.max(1, names.length - 1); from++)
    yield* above(folder, `${names.slice(from).join('/')}.php`, ['src/', 'app/', 'lib/']);
}

function* ruby({ folder, module }: Import): Generator<string> {
  if (module.startsWith('.')) yield* ending([posix.join(folder, module)], ['.rb', '']);
  else yield* ending(above(folder, module, ['lib/', 'app/models/', 'app/']), ['.rb', '']);
}

function* styles({ folder, module }: Import): Generator<string> {
  const path = posix.join(folder, module.replace(/^~/, ''));
  const partial = posix.join(posix.dirname(path), `_${posix.basename(path)}`);
  yield* ending([path, partial], ['', '.scss', '.sass', '.less', '.css', '/_index.scss']);
}

function* dart({ folder, module }: Import): Generator<string> {
  const inside = /^package:([^/]+)\/(.+)$/.exec(module);
  if (!inside) return yield posix.join(folder, module);
  yield* [`packages/${inside[1]}/lib/${inside[2]}`, `${inside[1]}/lib/${inside[2]}`];
  yield* above(folder, `lib/${inside[2]}`, []);
}

/** Modules whose names become a path: `A::B` in Perl, `a.b` in Lua. */
function named(separator: string, ends: readonly string[], sources: readonly string[]): Candidates {
  return ({ folder, module }) => {
    const isPath = module.includes('/') || ends.some((end) => module.endsWith(end));
    const path = isPath ? module : module.replaceAll(separator, '/');
    return ending(above(folder, path, sources), ['', ...ends]);
  };
}

const CANDIDATES: Partial<Record<string, Candidates>> = {
  javascript: ecmascript,
  typescript: ecmascript,
  tsx: ecmascript,
  vue: ecmascript,
  svelte: ecmascript,
  html: ecmascript,
  python,
  c: included,
  cpp: included,
  objc: included,
  solidity: included,
  proto: included,
  shell: included,
  make: included,
  cmake: included,
  go,
  rust,
  java: jvm,
  kotlin: jvm,
  scala: jvm,
  groovy: jvm,
  php,
  ruby,
  css: styles,
  scss: styles,
  dart,
  perl: named('::', ['.pm'], ['lib/', 'perl/']),
  lua: named('.', ['.lua', '/init.lua'], ['src/', 'lua/']),
};
