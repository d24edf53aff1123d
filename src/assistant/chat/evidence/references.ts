import type { GrepMatch } from '#git/grep.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { type FunctionDefinition, listFunctions } from '#search/code/list-functions.ts';
import { findText, readStoredFile } from '../../tools/find-text.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { escapePattern, lastPart, wholeWord } from '../understand/name-patterns.ts';
import {
  type DefinitionPlace,
  findHeaderRow,
  isDefinitionRow,
  placesOfDefinitions,
} from './definition-lines.ts';
import { fileStem, type PathKind, pathKind } from './path-kinds.ts';

const MAX_MATCHES = 800;
const TIMEOUT_MS = 2_000;

/** A line that names a definition elsewhere. */
export interface Reference {
  path: string;
  line: number;
  text: string;
  kind: 'use' | 'import' | 'comment';
  pathKind: PathKind;
  /** Certainty that this very definition is meant: 3 with its owner, 2 in a file that names the owner, 1 by name alone. */
  strength: 1 | 2 | 3;
}

export interface References {
  definitions: DefinitionPlace[];
  /** Uses first, source code before tests; surest first. */
  references: Reference[];
  /** Uses of the same name that more likely mean another definition. */
  unsure: number;
  /** True when there are more matches than were read. */
  isPartial: boolean;
}

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|(?:pub(?:\([^)]*\))?\s+)?use\s|#\s*include\b|require(?:_relative)?[\s(]|autoload\b|extern\s+crate\b|export\s+(?:\*|(?:type\s+)?\{)|module\.exports\s*=\s*\{?|(?:const|let|var)\s+(?:\w+|\{[^}]*\})\s*=\s*require\()|^\s*__all__/;
const COMMENT =
  /^\s*(?:\/\/|\/\*|\*(?!\w)|#(?!\s*(?:define|include|if|elif|pragma)\b|\[)|--\s|<!--|\.\.\s|;)/;

/** Finds the lines that refer to a definition: neither the definition itself nor those of other owners with the same name. */
export async function findReferences(
  symbol: { name: string; passages: readonly number[] },
  context: ToolContext,
): Promise<References> {
  const { index } = context;
  const definitions = await placesOfDefinitions(symbol, context);
  const name = lastPart(symbol.name);
  const matches = await grepWord(name, context);
  const owners = ownersOf(symbol.name, definitions);
  const isQualified = new RegExp(
    `(?:^|[^\\w$])(?:${owners.map(escapePattern).join('|') || '(?!)'})(?:\\(\\))?(?:\\.|::|->|#|\\$)${escapePattern(name)}(?![\\w$])`,
  );
  const homes = new Set(definitions.map(({ path }) => path));
  const groups = Map.groupBy(matches, ({ path }) => path);
  const rivals = rivalFiles(name, symbol.passages, index.code!);
  const found: Reference[] = [];
  for (const [path, lines] of groups) {
    const language = languageOf(path, index.code!);
    const isOfOwner = homes.has(path) || (await namesAny(owners, path, context));
    for (const { line, text } of lines) {
      if (isPartOfDefinition(line, path, definitions) || isDefinitionRow(text, name, language)) continue;
      const kind = COMMENT.test(text) || isInProse(path) ? 'comment' : IMPORT.test(text) ? 'import' : 'use';
      const isOwn = isOfOwner && !(rivals.has(path) && isSelfCall(text, name) && !homes.has(path));
      const strength = isQualified.test(text) ? 3 : isOwn ? 2 : 1;
      found.push({ path, line, text, kind, pathKind: pathKind(path), strength });
    }
  }
  const isShared = rivals.size > 0 || isCommonName(found);
  const kept = isShared ? keepSure(found) : found;
  return {
    definitions,
    references: kept.toSorted(compareReferences),
    unsure:
      found.filter(({ kind }) => kind === 'use').length - kept.filter(({ kind }) => kind === 'use').length,
    isPartial: matches.length >= MAX_MATCHES,
  };
}

/** True for a file that has one of the names as a whole word. */
async function namesAny(
  names: readonly string[],
  path: string,
  { index, sources }: ToolContext,
): Promise<boolean> {
  const code = index.code!;
  const isNamed = new RegExp(`(?<![\\w$])(?:${names.map(escapePattern).join('|') || '(?!)'})(?![\\w$])`);
  const file = code.fileNumber(path);
  const bytes = file < 0 ? null : readStoredFile(code, file);
  // Most files are ruled out without decoding them.
  if (bytes) return names.some((name) => bytes.includes(name)) && isNamed.test(bytes.toString('utf8'));
  return (await sources.lines(path))?.some((row) => isNamed.test(row)) ?? false;
}

/** Lines with a name as a whole word. */
export async function grepWord(
  name: string,
  context: ToolContext,
  maxMatches = MAX_MATCHES,
): Promise<GrepMatch[]> {
  const word = wholeWord(name);
  const lines = await findText(name, context, { maxMatches, timeoutMs: TIMEOUT_MS });
  return lines.filter(({ text }) => word.test(text));
}

/** Names that a use of a definition is qualified with: its class, and the module or package of its file. */
function ownersOf(name: string, definitions: readonly DefinitionPlace[]): string[] {
  const owners = new Set<string>();
  const parts = name.split(/\.|::|#/).filter((part) => part !== '');
  if (parts.length > 1) owners.add(parts.at(-2)!);
  for (const { symbol, path, language } of definitions) {
    const own = symbol.split('.');
    if (own.length > 1) owners.add(own.at(-2)!);
    else if (parts.length === 1) {
      const folder = path.split('/').at(-2);
      if (language !== 'go' && !/^(?:index|__init__|mod|lib|main)$/.test(fileStem(path)))
        owners.add(fileStem(path));
      else if (folder) owners.add(folder);
    }
  }
  return [...owners];
}

/** Files that define something else with the same last name. */
function rivalFiles(name: string, passages: readonly number[], code: CodeTable): Set<string> {
  const own = new Set(passages.flatMap((passage) => code.passageFiles(passage)));
  const others = code.passagesDefining(name).flatMap((passage) => code.passageFiles(passage));
  return new Set(
    others
      .filter((file) => !own.has(file))
      .map((file) => code.filePath(file))
      .filter((path) => pathKind(path) === 'source'),
  );
}

/** More uses in source code than one definition usually has. */
const COMMON_USES = 150;

function isCommonName(found: readonly Reference[]): boolean {
  return found.filter(({ kind, pathKind }) => kind === 'use' && pathKind === 'source').length > COMMON_USES;
}

/** Of a name that others share, the references to this definition; all where none is sure. */
function keepSure(found: readonly Reference[]): Reference[] {
  const sure = found.filter(({ strength }) => strength >= 2);
  return sure.some(({ kind }) => kind === 'use') ? sure : [...found];
}

function isSelfCall(text: string, name: string): boolean {
  return new RegExp(
    `(?:\\bself|\\bthis|\\$this|@|\\bsuper\\(\\))(?:\\.|->|::)?${escapePattern(name)}(?![\\w$])`,
  ).test(text);
}

function isPartOfDefinition(line: number, path: string, definitions: readonly DefinitionPlace[]): boolean {
  return definitions.some((place) => place.path === path && place.from <= line && line <= place.line);
}

function isInProse(path: string): boolean {
  return pathKind(path) === 'document';
}

function languageOf(path: string, code: CodeTable): string {
  const file = code.fileNumber(path);
  return file < 0 ? 'text' : code.fileLanguage(file);
}

const KINDS: Reference['kind'][] = ['use', 'import', 'comment'];
const PATH_KINDS: PathKind[] = ['source', 'test', 'example', 'document'];

function compareReferences(a: Reference, b: Reference): number {
  return (
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    PATH_KINDS.indexOf(a.pathKind) - PATH_KINDS.indexOf(b.pathKind) ||
    b.strength - a.strength ||
    a.path.localeCompare(b.path) ||
    a.line - b.line
  );
}

/** Name of the function around a line; null outside of functions. */
export async function enclosingFunction(
  path: string,
  line: number,
  context: ToolContext,
): Promise<string | null> {
  return (await enclosingDefinition(path, line, context))?.symbol ?? null;
}

/** Functions by the lines of their file: several lines of a file are placed for one answer. */
const functionsByLines = new WeakMap<readonly string[], FunctionDefinition[]>();

function functionsOf(file: number, lines: readonly string[], code: CodeTable): FunctionDefinition[] {
  const functions = functionsByLines.get(lines) ?? listFunctions(code, file, lines);
  functionsByLines.set(lines, functions);
  return functions;
}

/** Place of the function around a line; null outside of functions. */
export async function enclosingDefinition(
  path: string,
  line: number,
  { index, sources }: ToolContext,
): Promise<DefinitionPlace | null> {
  const file = index.code?.fileNumber(path) ?? -1;
  const lines = file < 0 ? null : await sources.lines(path);
  if (!lines) return null;
  const [around] = functionsOf(file, lines, index.code!)
    .filter(({ start, end }) => start <= line && line <= end)
    .toSorted((a, b) => a.end - a.start - (b.end - b.start));
  if (!around) return null;
  const { symbol, start, end } = around;
  const language = index.code!.fileLanguage(file);
  const header = findHeaderRow(lines.slice(start - 1, end), lastPart(symbol), language);
  return { path, file, language, symbol, line: start + header, from: start, to: end };
}
