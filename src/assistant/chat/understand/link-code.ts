import { resolvePrintedPath } from '#investigate/locate/place-frames.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { findDefinitions } from '../../tools/find-definitions.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from './entities.ts';

/** `path/name.ext`, also with `:10` or `:10-20`. */
const PATH =
  /(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}(?::(\d{1,7})(?:-(\d{1,7}))?)?|(?:[\w@.+-]+\/)+[\w@.+-]+/g;
/** `a/b`, `a/`, or any name after a preposition or the word folder. */
const FOLDER =
  /`?((?:[\w@.+-]+\/)+[\w@.+-]*)`?|\b(?:under|below|inside|within|in|of|folder|directory)\s+(?:the\s+)?`?([\w@.+-]+)(?![\w@.+/-])`?/gi;
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

/** Links files, folders and symbols of the code that the question names. */
export async function linkCode(text: string, { index }: ToolContext): Promise<Mention[]> {
  const { code } = index;
  const explicit = [...linkPaths(text, index), ...linkFolders(text, index), ...linkNames(text, code)];
  if (explicit.some(({ entity }) => entity.kind !== 'folder') || !code) return explicit;
  const words = Array.from(text.matchAll(WORD)).filter(([word]) => !STOPWORDS.has(word.toLowerCase()));
  const guessed = words
    .map((match) => linkSymbol(match[0], spanOf(match), 0.4, code))
    .filter((mention) => mention !== null)
    .filter(({ entity }) => entity.kind === 'symbol' && entity.passages.length <= MAX_DEFINITIONS);
  return [...explicit, ...guessed];
}

function spanOf(match: RegExpExecArray): [number, number] {
  return [match.index, match.index + match[0].length];
}

function linkFolders(text: string, { code }: RepositoryIndex): Mention[] {
  if (!code) return [];
  return Array.from(text.matchAll(FOLDER)).flatMap((match): Mention[] => {
    const path = (match[1] ?? match[2] ?? '').replace(/[/.]+$/, '');
    if (path === '' || !hasFilesBelow(path, code)) return [];
    return [{ entity: { kind: 'folder', path }, span: spanOf(match), score: 0.9, alternatives: [] }];
  });
}

function hasFilesBelow(folder: string, code: CodeTable): boolean {
  for (let file = 0; file < code.fileCount; file++) {
    if (code.filePath(file).startsWith(`${folder}/`)) return true;
  }
  return false;
}

function linkPaths(text: string, index: RepositoryIndex): Mention[] {
  return Array.from(text.matchAll(PATH)).flatMap((match): Mention[] => {
    const [whole, from, to] = match;
    const path = resolvePath(whole.replace(/:[\d-]+$/, ''), index);
    if (path === null) return [];
    const start = Number(from);
    const lines: [number, number] | null = from ? [start, Math.max(start, Number(to ?? from))] : null;
    return [{ entity: { kind: 'file', path, lines }, span: spanOf(match), score: 1, alternatives: [] }];
  });
}

/** Resolves a printed path: an exact present or past path, else an indexed file with this suffix; null for none. */
function resolvePath(printed: string, { code, commits }: RepositoryIndex): string | null {
  if ((code?.fileNumber(printed) ?? -1) >= 0 || commits.pathNumber(printed) >= 0) return printed;
  const file = code ? resolvePrintedPath(code, printed) : -1;
  return code && file >= 0 ? code.filePath(file) : null;
}

function linkNames(text: string, code: CodeTable | null): Mention[] {
  if (!code) return [];
  return [...text.matchAll(QUOTED), ...text.matchAll(NAME)]
    .map((match) => {
      const name = (match[1] ?? match[0]).replace(/\(.*$/, '').replaceAll(/::|#/g, '.');
      return linkSymbol(name, spanOf(match), 1, code);
    })
    .filter((mention) => mention !== null);
}

function linkSymbol(name: string, span: [number, number], score: number, code: CodeTable): Mention | null {
  const found = findDefinitions(name, code);
  return found && { entity: { kind: 'symbol', ...found }, span, score, alternatives: [] };
}
