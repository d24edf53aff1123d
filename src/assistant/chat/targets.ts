import { resolvePrintedPath } from '#investigate/locate/place-frames.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { findDefinitions } from '../tools/find-definitions.ts';

/** Commit, file or symbol of the repository that a question names. */
export type Target =
  | { kind: 'file'; path: string; lines: [number, number] | null }
  /** `guessed`: a plain word of the question that is also a symbol name. */
  | { kind: 'symbol'; name: string; passages: number[]; guessed?: true }
  | { kind: 'commit'; commit: number };

/** `path/name.ext`, also with `:10` or `:10-20`. */
const PATH =
  /(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}(?::(\d{1,7})(?:-(\d{1,7}))?)?|(?:[\w@.+-]+\/)+[\w@.+-]+/g;
/** `a/b`, `a/`, or any name after a preposition or the word folder. */
const FOLDER =
  /`?((?:[\w@.+-]+\/)+[\w@.+-]*)`?|\b(?:under|below|inside|within|in|of|folder|directory)\s+(?:the\s+)?`?([\w@.+-]+)(?![\w@.+/-])`?/gi;
const HASH = /\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/g;
const QUOTED = /`([^`\n]{1,200})`/g;
/** Identifiers that do not occur in prose: `snake_case`, `camelCase`, `Class.method`, `call()`. */
const NAME =
  /\b[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)+|\b\w*(?:[a-z\d][A-Z]|_)\w*\b|\b[A-Za-z_$][\w$]*(?=\(\))/g;
const WORD = /\b[A-Za-z_$][\w$]{2,}\b/g;
/** Common words of questions that are also function names in some repositories. */
const STOPWORDS = new Set(
  `who what when where why how which does did was were is are has have had can could should would will the this that
  these those there then than them they its for from with without into about and but not you your our use used uses
  using call called calls caller callers usage usages reference references define defined defines definition declare
  declared implement implemented implementation write wrote written change changed changes changing add added adds
  create created make made introduce introduced touch touched modify modified last first since before after ago fix
  fixed fixes bug error commit commits file files function class method line lines code history author authors owner
  explain tell show find know work works working happen happened new old reason main project repository team people
  person`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
/** A plain word with more definitions is not taken for a symbol. */
const MAX_DEFINITIONS = 12;

/** Finds the targets of a question, most certain first: commits, files, identifiers, plain words. */
export function findTargets(text: string, index: RepositoryIndex): Target[] {
  const commits = matches(text, HASH)
    .map((hash) => index.commits.find(hash))
    .filter((commit) => commit >= 0)
    .map((commit): Target => ({ kind: 'commit', commit }));
  const files = findPaths(text, index);
  const explicit = [...commits, ...files, ...findNames(text, index.code)];
  if (explicit.length > 0 || !index.code) return explicit;
  const { code } = index;
  return uniqueNames(matches(text, WORD))
    .filter((word) => !STOPWORDS.has(word.toLowerCase()))
    .map((name) => findSymbolTarget(name, code))
    .filter((target) => target !== null)
    .filter(({ passages }) => passages.length <= MAX_DEFINITIONS)
    .map((target): Target => ({ ...target, guessed: true }));
}

/** Targets without guessed ones, for questions that may be about the whole project. */
export function explicitTargets(targets: Target[]): Target[] {
  return targets.filter((target) => target.kind !== 'symbol' || !target.guessed);
}

/** Finds the folder of the indexed code that a question names, as in `under src/web` or `lib/`. */
export function findFolder(text: string, { code }: RepositoryIndex): string | undefined {
  if (!code) return undefined;
  const named = Array.from(text.matchAll(FOLDER), (match) =>
    (match[1] ?? match[2] ?? '').replace(/[/.]+$/, ''),
  );
  return named.find((folder) => {
    for (let file = 0; file < code.fileCount; file++) {
      if (folder !== '' && code.filePath(file).startsWith(`${folder}/`)) return true;
    }
    return false;
  });
}

function findPaths(text: string, index: RepositoryIndex): Target[] {
  return Array.from(text.matchAll(PATH)).flatMap(([whole, from, to]): Target[] => {
    const path = resolvePath(whole.replace(/:[\d-]+$/, ''), index);
    if (path === null) return [];
    const start = Number(from);
    return [{ kind: 'file', path, lines: from ? [start, Math.max(start, Number(to ?? from))] : null }];
  });
}

/** Resolves a printed path: an exact present or past path, else an indexed file with this suffix; null for none. */
function resolvePath(printed: string, { code, commits }: RepositoryIndex): string | null {
  if ((code?.fileNumber(printed) ?? -1) >= 0 || commits.pathNumber(printed) >= 0) return printed;
  const file = code ? resolvePrintedPath(code, printed) : -1;
  return code && file >= 0 ? code.filePath(file) : null;
}

function findNames(text: string, code: CodeTable | null): Target[] {
  if (!code) return [];
  const quoted = Array.from(text.matchAll(QUOTED), (match) => match[1]!.replace(/\(.*$/, ''));
  const names = [...quoted, ...matches(text, NAME)].map((name) => name.replaceAll(/::|#/g, '.'));
  return uniqueNames(names)
    .map((name) => findSymbolTarget(name, code))
    .filter((target) => target !== null);
}

function findSymbolTarget(name: string, code: CodeTable): Extract<Target, { kind: 'symbol' }> | null {
  const found = findDefinitions(name, code);
  return found && { kind: 'symbol', ...found };
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[0]);
}

function uniqueNames(names: string[]): string[] {
  return [...new Set(names)];
}
