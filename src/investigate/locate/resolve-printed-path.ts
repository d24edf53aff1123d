import type { PathMapping } from '#contract/project-settings.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { filesNamed } from './files-named.ts';
import type { PackageNames } from './package-names.ts';
import { applyPathMappings, guessPathMappings, sharedSuffix, splitPath } from './path-mappings.ts';
import { isRuntimePath, type PrintedPath, parsePrintedPath } from './printed-path.ts';

/** A printed path, resolved in the tree. */
export interface ResolvedPath {
  file: number;
  /** True when a mapping of the project confirms it. */
  isMapped: boolean;
  /** True when the printed file was compiled from this one, so that its line numbers mean nothing. */
  isCompiled: boolean;
}

/** Context for resolving the paths of one trace. */
interface ResolverInput {
  code: CodeTable;
  packages: PackageNames;
  /** Mappings of the project. */
  mappings: readonly PathMapping[];
  /** All paths of the trace. */
  printed: readonly string[];
}

/**
 * Creates a resolver for the paths of one trace: by the project's mappings, the folders of its packages, the folders guessed
 * from the whole trace, the longest common suffix, and the sources of compiled files. Null for files of other programs.
 */
export function createPathResolver(input: ResolverInput): (printed: string) => ResolvedPath | null {
  const { code, packages, mappings } = input;
  const guessed = guessPathMappings(
    code,
    input.printed.filter((path) => !isRuntimePath(path) && parsePrintedPath(path).package === null),
  );
  return (printed) => {
    if (isRuntimePath(printed)) return null;
    const mapped = fileAt(code, applyPathMappings(printed, mappings));
    if (mapped >= 0) return { file: mapped, isMapped: true, isCompiled: false };
    const installed = parsePrintedPath(printed);
    const certain =
      installed.package === null
        ? fileAt(code, applyPathMappings(printed, guessed))
        : inPackageFolder(code, installed, packages);
    const file = certain >= 0 ? certain : resolvePrintedPath(code, printed, packages);
    const isWeak = file < 0 || (certain < 0 && commonPathSuffix(printed, code.filePath(file)) < 2);
    const source = isWeak && isOwn(installed, packages) ? findSource(code, installed, packages) : -1;
    if (source >= 0) return { file: source, isMapped: false, isCompiled: true };
    return file < 0 ? null : { file, isMapped: false, isCompiled: false };
  };
}

function fileAt(code: CodeTable, path: string | null): number {
  return path === null ? -1 : code.fileNumber(path);
}

/** A file of an installed package, in the folder of its manifest. */
function inPackageFolder(
  code: CodeTable,
  { package: name, inner }: PrintedPath,
  packages: PackageNames,
): number {
  for (const folder of packages.get(name!.toLowerCase()) ?? []) {
    const file = code.fileNumber(folder + inner);
    if (file >= 0) return file;
  }
  return -1;
}

function isOwn(installed: PrintedPath, packages: PackageNames): boolean {
  return installed.package === null || packages.has(installed.package.toLowerCase());
}

/** Folders of compiled files, and of their sources beside them. */
const COMPILED_FOLDER = /^(?:dist|build|lib|out|es|esm|cjs|\.next)$/;
const SOURCE_FOLDERS = ['src/', 'lib/', 'source/', ''];
const COMPILED_EXTENSION = /\.[cm]?jsx?$/;
const SOURCE_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs'];

/** The source of a compiled file: `packages/web/src/a.ts` of `packages/web/dist/a.js`; -1 when there is none. */
function findSource(code: CodeTable, { package: name, inner }: PrintedPath, packages: PackageNames): number {
  if (!COMPILED_EXTENSION.test(inner)) return -1;
  const segments = splitPath(inner);
  const at = segments.findLastIndex((segment) => COMPILED_FOLDER.test(segment));
  if (at < 0 || at === segments.length - 1) return -1;
  // `dist/esm/a.js` has two compiled folders.
  const first = at > 0 && COMPILED_FOLDER.test(segments[at - 1]!) ? at - 1 : at;
  const rest = segments
    .slice(at + 1)
    .join('/')
    .replace(COMPILED_EXTENSION, '');
  const before = segments.slice(0, first);
  // Without a package, the name of a file alone may be that of any program.
  const folders =
    name === null
      ? before.map((_, from) => `${before.slice(from).join('/')}/`).concat(rest.includes('/') ? '' : [])
      : (packages.get(name.toLowerCase()) ?? []).map(
          (folder) => folder + before.map((one) => `${one}/`).join(''),
        );
  for (const folder of folders) {
    for (const source of SOURCE_FOLDERS) {
      for (const extension of SOURCE_EXTENSIONS) {
        const file = code.fileNumber(folder + source + rest + extension);
        if (file >= 0) return file;
      }
    }
  }
  return -1;
}

/** Number of last segments that a printed path shares with one of the repository. */
export function commonPathSuffix(printed: string, path: string): number {
  return sharedSuffix(printed.split('/'), path.split('/'));
}

/** True for a path from the root of a file system. */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:)/.test(path);
}

/**
 * Resolves a printed path by the longest common suffix; -1 for ties, unknown files, and files of packages whose name is not
 * among `packages`, if given.
 */
export function resolvePrintedPath(code: CodeTable, printed: string, packages?: PackageNames): number {
  if (isRuntimePath(printed)) return -1;
  const installed = parsePrintedPath(printed);
  const isPython = installed.ecosystem === 'python';
  if (installed.package !== null && packages && !isPython && !isNamed(installed, packages)) return -1;
  const segments = installed.inner
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
  // `site-packages/name/x.py` and `com/acme/Main.java` keep their folders; a package's compiled files may have another one than its sources.
  const isJava = /\.java$/.test(printed) && !isAbsolute(printed);
  const shortest = isPython || isJava ? segments.length : installed.package !== null && !packages ? 2 : 1;
  for (let from = 0; segments.length - from >= shortest; from++) {
    const file = code.fileNumber(segments.slice(from).join('/'));
    if (file >= 0) return file;
  }
  return findByLongestSuffix(code, segments, Math.max(shortest, 1));
}

/** True for a package of the repository; parts of a Go module and subpackages count as well. */
function isNamed({ package: name, ecosystem }: PrintedPath, packages: PackageNames): boolean {
  const lower = name!.toLowerCase();
  if (packages.has(lower)) return true;
  return ecosystem === 'go' && [...packages.keys()].some((known) => lower.startsWith(`${known}/`));
}

/** The unique file with the longest common path suffix; -1 for a tie. */
function findByLongestSuffix(code: CodeTable, segments: string[], shortest: number): number {
  let best = -1;
  let bestLength = shortest - 1;
  let tied = false;
  for (const file of filesNamed(code, segments.at(-1) ?? '')) {
    const length = sharedSuffix(segments, code.filePath(file).split('/'));
    if (length > bestLength) [best, bestLength, tied] = [file, length, false];
    else if (length === bestLength && best >= 0) tied = true;
  }
  return tied ? -1 : best;
}
