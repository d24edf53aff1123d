import { posix } from 'node:path';

/**
 * The picture of ARCHITECTURE.md, highest first. A part may import the parts of every later row and itself;
 * parts of one row never import each other.
 */
const PICTURE = [
  ['main', 'cli'],
  ['program'],
  ['config'],
  ['web', 'server'],
  ['assistant'],
  ['intake'],
  ['proof'],
  ['investigate'],
  ['search'],
  ['evolution'],
  ['diagnose'],
  ['memory'],
  ['backup'],
  ['db'],
  ['sandbox'],
  ['git'],
  ['test-reports'],
  ['storage'],
  ['egress', 'mail', 'secrets', 'scheduling'],
  ['contract'],
  ['locales'],
];

/** Beside what lies below it, which the row tells: the web app must not pull the back end into the browser. */
const ONLY: Record<string, string[]> = { web: ['contract', 'locales'], mail: ['locales', 'contract'] };

/**
 * Parts whose folders are features, except the folders listed here, which features share. Features do not import each
 * other, and shared folders import no feature.
 */
const SHARED_FOLDERS: Record<string, string[]> = {
  server: ['code-hosts', 'http', 'identity', 'llm', 'project-data', 'rate-limit', 'telemetry'],
  web: ['ui', 'parts', 'public'],
};

const JUNK_DRAWER = /^(?:utils?|helpers?|misc|common|lib|manager|services?)$/;
/** The one file of such a name: schemas that every feature's routes are made of. */
const ALLOWED_NAMES = new Set(['src/contract/common.ts']);
const MAX_LINES = 400;

const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g;

interface File {
  path: string;
  source: string;
  /** The folder or file directly below src: `db`, `main`. */
  part: string;
  isTest: boolean;
}

/**
 * Reads every file of `src` and says what breaks the picture, one sentence each; nothing when all is well.
 * Tests and `testing.ts` files may import from anywhere: they check a part through those above it.
 */
export function findViolations(sources: Record<string, string>): string[] {
  const files = Object.entries(sources).map(([path, source]) => describe(path, source));
  const found = files.flatMap((file) => [
    ...placeViolations(file),
    ...contentViolations(file),
    ...importsOf(file).flatMap((imported) => importViolations(file, imported)),
  ]);
  return [...found, ...cycleViolations(files)];
}

/** Cycles among the folders of a part, one sentence each. Features import the shared files above them, and are excepted. */
function cycleViolations(files: File[]): string[] {
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    if (file.isTest || file.part in SHARED_FOLDERS) continue;
    const folder = posix.dirname(file.path);
    const targets = importsOf(file)
      .map((imported) => resolveImport(file.path, imported))
      .filter((target) => target?.startsWith(`src/${file.part}/`))
      .map((target) => posix.dirname(target!))
      .filter((target) => target !== folder);
    imports.set(folder, new Set([...(imports.get(folder) ?? []), ...targets]));
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (folder: string, path: string[]) => {
    const start = path.indexOf(folder);
    if (start !== -1) found.push(`Folders import each other: ${[...path.slice(start), folder].join(' → ')}.`);
    if (start !== -1 || done.has(folder)) return;
    for (const target of imports.get(folder) ?? []) visit(target, [...path, folder]);
    done.add(folder);
  };
  for (const folder of imports.keys()) visit(folder, []);
  return found;
}

function describe(path: string, source: string): File {
  const [, folder = ''] = path.split('/');
  const isTest = /\.test\.tsx?$|(?:^|\/)testing(?:-[a-z]+)?\.tsx?$|\/testing\//.test(path);
  return { path, source, part: folder.replace(/\.[jt]sx?$/, ''), isTest };
}

function placeViolations({ path, part, isTest }: File): string[] {
  const found: string[] = [];
  const isKnown = rowOf(part) !== -1 || (isTest && !path.slice('src/'.length).includes('/'));
  if (!isKnown) found.push(`${path} lies in a place that is not in the picture.`);
  const junk = path.split('/').find((name) => JUNK_DRAWER.test(name.replace(/\..*$/, '')));
  if (junk && !ALLOWED_NAMES.has(path))
    found.push(`${path}: \`${junk}\` is a name for anything; say what it holds.`);
  return found;
}

function contentViolations({ path, source, isTest }: File): string[] {
  const found: string[] = [];
  const code = withoutComments(source);
  if (/\bprocess\.env\b/.test(code) && path !== 'src/config.ts')
    found.push(`${path} must not read process.env: settings come from config.ts as values.`);
  if (/\b(?:vi|jest)\.(?:mock|doMock)\s*\(/.test(code))
    found.push(`${path} must not mock modules: hand the part another implementation.`);
  if (/^export\s+(?:default\b|\{[^}]*\bas default\b)/m.test(code) && !path.endsWith('.config.ts'))
    found.push(`${path} must not have a default export: it has no name to find it by.`);
  const lines = source.split('\n').length - 1;
  if (lines > MAX_LINES && !isTest) found.push(`${path} has ${lines} lines; ${MAX_LINES} are the most.`);
  return found;
}

function importViolations(file: File, imported: string): string[] {
  const target = resolveImport(file.path, imported);
  if (target === null) return packageViolations(file, imported);
  if (file.isTest) return [];
  const to = describe(target, '');
  const breaks = `${file.path} must not import ${target}`;
  if (to.isTest) return [`${breaks}: it is there for tests.`];
  if (to.part === file.part) return featureViolations(file, target);
  const allowed = ONLY[file.part];
  if (allowed && !allowed.includes(to.part))
    return [`${breaks}: ${file.part} imports only ${allowed.join(' and ')}.`];
  if (rowOf(file.part) === -1 || rowOf(to.part) === -1 || rowOf(to.part) > rowOf(file.part)) return [];
  return [`${breaks}: ${to.part} is not below ${file.part}.`];
}

function packageViolations({ path, part, isTest }: File, imported: string): string[] {
  if (part !== 'contract' || isTest || imported === 'zod') return [];
  return [`${path} must not import ${imported}: contract knows no package but zod.`];
}

function featureViolations({ path, part }: File, target: string): string[] {
  const shared = SHARED_FOLDERS[part];
  const [from, to] = [folderOf(path), folderOf(target)];
  if (!shared || from === null || to === null || from === to || shared.includes(to)) return [];
  const reason = shared.includes(from)
    ? `${to} is a feature, and ${from} is shared by all features`
    : `${from} and ${to} are features, and features do not know each other`;
  return [`${path} must not import ${target}: ${reason}.`];
}

/** `debug` for `src/server/debug/routes.ts`; null for a file directly in its part. */
function folderOf(path: string): string | null {
  const [, , folder, ...rest] = path.split('/');
  return rest.length === 0 ? null : (folder ?? null);
}

/** The path of a file of ours, or null for a package. */
function resolveImport(from: string, imported: string): string | null {
  if (imported.startsWith('#')) return `src/${imported.slice(1)}`;
  if (imported.startsWith('.')) return posix.join(posix.dirname(from), imported);
  return null;
}

function importsOf({ source }: File): string[] {
  return [...withoutComments(source).matchAll(IMPORT)].map((match) => match[1]!);
}

function rowOf(part: string): number {
  return PICTURE.findIndex((row) => row.includes(part));
}

/** Good enough for what is looked for: a `//` inside a string loses the rest of its line. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1');
}
