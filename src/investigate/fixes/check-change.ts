import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { checkChangeInProcess } from '#memory/chunk/parser-processes.ts';
import type { CodeTable } from '#memory/repository-index.ts';

/** A file before and after a patch. */
interface ChangedFile {
  path: string;
  before: string;
  after: string;
}

/** Knowledge about the other files; null where only the file itself is known. */
interface RepositoryNames {
  code: CodeTable;
  lines(path: string): Promise<string[] | null>;
}

interface CheckChangeOptions {
  repository: RepositoryNames | null;
  /** False to accept changes of files that cannot be parsed, such as documents. */
  needsGrammar?: boolean;
  signal?: AbortSignal | undefined;
}

/** Languages whose names from other files need an import. */
const EXPLICIT_IMPORTS = /\.(?:[cm]?[jt]sx?|pyi?)$/;
/** Relative and absolute imports of JavaScript; the first group holds the names. */
const JAVASCRIPT_IMPORT =
  /(?:import|export)\s+([^'"]*?)\s*from\s*['"]([^'"]+)['"]|(?:(?:const|let|var)\s+([^=]+?)\s*=\s*)?require\(\s*['"]([^'"]+)['"]\s*\)/g;
const PYTHON_IMPORT = /^\s*(?:from\s+(\.*[\w.]*)\s+import\s+\(?([^#)\n]*)|import\s+([\w.]+))/gm;

/**
 * Finds the reason, in English, for which a change would break a file: a syntax error, a name that nothing defines, or an
 * import of what does not exist. Null when it finds none; files without a grammar cannot be checked.
 */
export async function findBreakage(file: ChangedFile, options: CheckChangeOptions): Promise<string | null> {
  const { path, before, after } = file;
  const { repository, needsGrammar = true, signal } = options;
  const check = await checkChangeInProcess(path, before, after, { signal });
  if (!check) return needsGrammar ? `\`${path}\` cannot be parsed.` : null;
  if (check.newErrors > 0) return `With it \`${path}\` can no longer be parsed.`;
  const isDefined = (name: string) => (repository?.code.passagesDefining(name).length ?? 0) > 0;
  const isExplicit = EXPLICIT_IMPORTS.test(path);
  const unknown =
    isExplicit || repository
      ? check.undefinedNames.find((name) => isExplicit || !isDefined(name))
      : undefined;
  if (unknown !== undefined) return `\`${unknown}\` is not defined in \`${path}\`.`;
  if (!repository) return null;
  const member = check.unknownMembers.find((name) => !isDefined(name));
  if (member !== undefined) return `\`${member}\` is not defined in this repository.`;
  const removed = check.removedNames.find((name) => definesIn(repository.code, name, path));
  if (removed !== undefined) return `It removes the definition of \`${removed}\`.`;
  return isExplicit ? await findMissingImport(file, repository) : null;
}

function definesIn(code: CodeTable, name: string, path: string): boolean {
  const file = code.fileNumber(path);
  return code
    .passagesDefining(name)
    .some((passage) => code.passageFiles(passage).includes(file) && code.passageSymbol(passage) !== null);
}

/** The first import of added lines whose module or name does not exist. */
async function findMissingImport(
  { path, before, after }: ChangedFile,
  repository: RepositoryNames,
): Promise<string | null> {
  const known = new Set(before.split('\n').map((line) => line.trim()));
  const added = after
    .split('\n')
    .filter((line) => !known.has(line.trim()))
    .join('\n');
  const isPython = path.endsWith('.py') || path.endsWith('.pyi');
  for (const { module, names } of isPython ? pythonImports(added) : javascriptImports(added)) {
    const reason = `\`${module}\` of an added import does not exist.`;
    const target = isPython
      ? resolvePython(module, path, repository.code)
      : resolveJavaScript(module, path, repository.code);
    if (target === 'missing') return reason;
    if (target === 'external') {
      const root = isPython ? module.split('.')[0]! : module;
      if (!isBuiltin(module) && !before.includes(root)) return reason;
      continue;
    }
    const text = (await repository.lines(target))?.join('\n') ?? '';
    const missing = names.find(
      (name) => !new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text),
    );
    if (missing !== undefined) return `\`${missing}\` is not in \`${target}\`.`;
  }
  return null;
}

interface Import {
  module: string;
  /** Imported by name. */
  names: string[];
}

function javascriptImports(text: string): Import[] {
  return Array.from(text.matchAll(JAVASCRIPT_IMPORT), (match) => {
    const clause = /\{([^}]*)\}/.exec(match[1] ?? match[3] ?? '')?.[1] ?? '';
    const names = clause
      .split(',')
      .map((one) =>
        one
          .replace(/^\s*type\s+/, '')
          .split(/\s+as\s+|:|=/)[0]!
          .trim(),
      )
      .filter((name) => /^[\w$]+$/.test(name));
    return { module: match[2] ?? match[4]!, names };
  });
}

function pythonImports(text: string): Import[] {
  return Array.from(text.matchAll(PYTHON_IMPORT), ([, from, names, module]) => ({
    module: from ?? module!,
    names: (names ?? '')
      .split(',')
      .map((one) => one.trim().split(/\s+as\s+/)[0]!)
      .filter((name) => /^\w+$/.test(name)),
  }));
}

function resolveJavaScript(module: string, from: string, code: CodeTable): string {
  if (!module.startsWith('.')) return 'external';
  const base = posix.join(posix.dirname(from), module);
  const stem = base.replace(/\.[cm]?jsx?$/, '');
  const endings = ['', '.js', '.ts', '.tsx', '.jsx', '.mjs', '.cjs', '.mts', '.json'];
  const candidates = [base, stem, `${base}/index`, base].flatMap((one) => endings.map((end) => one + end));
  return candidates.find((path) => code.fileNumber(path) >= 0) ?? 'missing';
}

function resolvePython(module: string, from: string, code: CodeTable): string {
  const dots = /^\.*/.exec(module)![0].length;
  const inner = module.slice(dots).replaceAll('.', '/');
  const up = '../'.repeat(Math.max(0, dots - 1));
  const roots = dots > 0 ? [posix.join(posix.dirname(from), up)] : ['', 'src', 'lib'];
  const paths = roots.flatMap((root) =>
    [`${inner}.py`, `${inner}/__init__.py`, `${inner}.pyi`].map((path) => posix.join(root, path)),
  );
  const found = paths.find((path) => code.fileNumber(path) >= 0);
  if (found) return found;
  const top = inner.split('/')[0]!;
  const isOwn = roots.some((root) =>
    [`${top}/__init__.py`, `${top}.py`].some((path) => code.fileNumber(posix.join(root, path)) >= 0),
  );
  return dots > 0 || isOwn ? 'missing' : 'external';
}
