import { posix } from 'node:path';

/** One broken rule: the file, its line counted from 1, and a sentence. */
export interface Violation {
  path: string;
  line: number;
  text: string;
}

/** Path → source of every TypeScript file of the repository, relative to its root. */
export type Sources = Readonly<Record<string, string>>;

/** Names that are looked up in a module: of migrations, routes of React Router, test set-ups, workers, interface languages. */
const FRAMEWORK_NAMES = new Set([
  ...['up', 'down', 'Component', 'ErrorBoundary', 'HydrateFallback', 'loader'],
  ...['setup', 'teardown', 'runTask', 'files'],
]);

/**
 * Modules that are loaded by their path, modules with sample code in strings, and three that let tests see a cache or benchmarks
 * see a step.
 */
const NOT_CHECKED_FOR_USE = new Set([
  'src/memory/index/attached-indexes.ts',
  'src/memory/index/index-revision.ts',
  'src/memory/vectors/quantized-vectors.ts',
  'src/web/site/render.tsx',
  'src/investigate/testing.ts',
  'src/server/projects/sample/first-versions.ts',
  'src/server/projects/sample/history-2025.ts',
  'src/server/projects/sample/history-2026.ts',
  'e2e/ledger.ts',
  'e2e/solved.test.ts',
]);

/** File names that every feature folder may have. */
const FEATURE_FILES = new Set(['routes', 'queries', 'tasks']);

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
const EXPORT_LIST = /^export (?:type )?\{([^}]*)\}(?! from)/gm;
const IMPORT_LIST = /(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*['"]([^'"\n]+)['"]/g;
const NAMESPACE = /(?:import|export)\s+(?:type\s+)?\*(?:\s+as\s+\w+)?\s+from\s+['"]([^'"\n]+)['"]/g;
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)(?:\.(\w+))?/g;
const DOC_COMMENT = /\/\*\*\s*(?:\n\s*\*\s*)?([A-Za-z]+)/g;

/** Exported names that two production modules of `src` define. */
export function findRepeatedExports(sources: Sources): Violation[] {
  const first = new Map<string, string>();
  const found: Violation[] = [];
  for (const [path, source] of productionFiles(sources)) {
    for (const { name, line } of exportsOf(source)) {
      if (FRAMEWORK_NAMES.has(name)) continue;
      const other = first.get(name);
      if (other === undefined) first.set(name, path);
      else found.push({ path, line, text: `\`${name}\` is also exported by ${other}.` });
    }
  }
  return found;
}

/**
 * Exports of no use: no other file imports them, or tests and benchmarks alone use what lies in production code. Those belong
 * to a `testing` file or to `bench`. What its own file uses may be exported for its unit tests.
 */
export function findUnusedExports(sources: Sources): Violation[] {
  const usedInProduction = new Set<string>();
  const usedAnywhere = new Set<string>();
  for (const [path, source] of Object.entries(sources)) {
    for (const use of importsOf(path, source)) {
      usedAnywhere.add(use);
      if (!isTest(path) && path.startsWith('src/')) usedInProduction.add(use);
    }
  }
  return Object.entries(sources).flatMap(([path, source]) => {
    if (usedAnywhere.has(`${path} *`) || NOT_CHECKED_FOR_USE.has(path)) return [];
    const isProduction = path.startsWith('src/') && !isTest(path);
    const isUsed = (name: string) =>
      isProduction && !isUsedIn(source, name)
        ? usedInProduction.has(`${path} ${name}`)
        : usedAnywhere.has(`${path} ${name}`);
    return exportsOf(source)
      .filter(({ name }) => !FRAMEWORK_NAMES.has(name) && !isUsed(name))
      .map(({ name, line }) => ({
        path,
        line,
        text: `\`${name}\` is exported and of no use to other code.`,
      }));
  });
}

/** Files of one part of `src` that share a base name. */
export function findRepeatedFileNames(sources: Sources): Violation[] {
  const first = new Map<string, string>();
  const found: Violation[] = [];
  for (const [path] of productionFiles(sources)) {
    const name = posix.basename(path).replace(/\.tsx?$/, '');
    if (FEATURE_FILES.has(name)) continue;
    const key = `${path.split('/')[1]} ${name}`;
    const other = first.get(key);
    if (other === undefined) first.set(key, path);
    else found.push({ path, line: 1, text: `${other} has the same name.` });
  }
  return found;
}

/** Doc comments that open with a question word instead of a verb or noun. */
export function findQuestionOpeners(sources: Sources): Violation[] {
  const found: Violation[] = [];
  for (const [path, source] of Object.entries(sources)) {
    for (const match of source.matchAll(DOC_COMMENT)) {
      if (!/^(?:What|Who|Whom|Whose|Whether|How|Where)$/.test(match[1]!)) continue;
      found.push({ path, line: lineOf(source, match.index), text: `The comment opens with "${match[1]}".` });
    }
  }
  return found;
}

/** True for files that only tests load. */
function isTest(path: string): boolean {
  return /\.test\.tsx?$|(?:^|\/)testing(?:-[a-z-]+)?\.tsx?$|\/testing\//.test(path);
}

function productionFiles(sources: Sources): [string, string][] {
  return Object.entries(sources).filter(([path]) => path.startsWith('src/') && !isTest(path));
}

function exportsOf(source: string): { name: string; line: number }[] {
  const direct = [...source.matchAll(EXPORT)].map((match) => ({
    name: match[1]!,
    line: lineOf(source, match.index),
  }));
  const listed = [...source.matchAll(EXPORT_LIST)].flatMap((match) =>
    namesIn(match[1]!).map(({ local }) => ({ name: local, line: lineOf(source, match.index) })),
  );
  return [...direct, ...listed];
}

/** True when a file uses a name beside declaring it; names in comments do not count. */
function isUsedIn(source: string, name: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  return (code.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
}

/** `path name` for every name that a file imports, `path *` where it takes the whole module. */
function importsOf(path: string, source: string): string[] {
  const named = [...source.matchAll(IMPORT_LIST)].flatMap((match) => {
    const target = resolveImport(path, match[2]!);
    return target === null ? [] : namesIn(match[1]!).map(({ imported }) => `${target} ${imported}`);
  });
  const whole = [...source.matchAll(NAMESPACE)].map((match) => resolveImport(path, match[1]!));
  const dynamic = [...source.matchAll(DYNAMIC)].map((match) => {
    const target = resolveImport(path, match[1]!);
    return target === null
      ? null
      : `${target} ${match[2] === undefined || match[2] === 'then' ? '*' : match[2]}`;
  });
  return [...named, ...whole.map((target) => target && `${target} *`), ...dynamic].filter(
    (use) => use !== null,
  );
}

/** The names between braces: `type A`, `a as b`. */
function namesIn(list: string): { imported: string; local: string }[] {
  return list
    .replace(/\/\/.*$/gm, '')
    .split(',')
    .map((item) => item.trim().replace(/^type\s+/, ''))
    .filter((item) => item !== '')
    .map((item) => {
      const [imported = '', local = imported] = item.split(/\s+as\s+/);
      return { imported, local };
    });
}

function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  return null;
}

function lineOf(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}
