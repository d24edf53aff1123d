import { LRUCache } from 'lru-cache';
import type { ToolContext } from '../../tools/tool.ts';
import { escapePattern, lastPart, wholeWord } from '../understand/name-patterns.ts';

/** Place of a definition in a file. Lines count from 1. */
export interface DefinitionPlace {
  path: string;
  file: number;
  language: string;
  /** Full name as indexed, or the name that was asked for. */
  symbol: string;
  /** Line of the header, below comments and decorators. */
  line: number;
  /** First and last line, with the comments above. */
  from: number;
  to: number;
}

const COMMENT_ROW = /^\s*(?:\/\/|\/?\*|#(?!\s*define\b)|--\s|;|"""|'''|@[\w.]+|=begin|%)/;

/**
 * True for a row that defines the name: by a keyword, as a method header, or by assignment. Rows with several forms (`x = y(`)
 * count only where nothing but modifiers precedes the name.
 */
export function isDefinitionRow(row: string, name: string, language: string): boolean {
  if (!row.includes(name) || row.length > 400) return false;
  const key = `${language} ${name}`;
  const patterns = recentPatterns.get(key) ?? patternsOf(name, language);
  recentPatterns.set(key, patterns);
  return patterns.some((pattern) => pattern.test(row));
}

/** Patterns by language and name: many rows are tested for the same one. */
const recentPatterns = new LRUCache<string, RegExp[]>({ max: 64 });

const KEYWORD =
  'def|class|module|func|fn|function|interface|trait|enum|struct|union|type|record|object|mod|macro_rules!|namespace|protocol|const|static|let|var|val';
const MODIFIER =
  'export|default|declare|public|private|protected|internal|static|final|abstract|synchronized|native|async|override|readonly|unsafe|inline|extern|virtual|sealed|open|data|get|set|const|pub(?:\\([^)]*\\))?';

function patternsOf(name: string, language: string): RegExp[] {
  const word = `${escapePattern(name)}(?![\\w$])`;
  const owner = '(?:[\\w$]+(?:\\.|::|#))*';
  const byKeyword = new RegExp(
    `^\\s*(?:(?:${MODIFIER})\\s+)*(?:${KEYWORD})\\s*[*&]?\\s*(?:<[^>]*>\\s*)?${owner}${word}`,
  );
  const patterns = [byKeyword];
  if (language === 'go') {
    patterns.push(
      new RegExp(`^func\\s*\\([^)]*\\)\\s*${word}`),
      new RegExp(`^\\t${word}(?:\\s+[\\w*[\\].]+)?\\s*=`),
    );
  }
  if (language === 'c' || language === 'cpp') {
    patterns.push(
      new RegExp(`^#\\s*define\\s+${word}`),
      new RegExp(`^[A-Za-z_][\\w:<>,*&\\s]*[\\s*&]${owner}${word}\\s*\\([^;]*$`),
      new RegExp(`^${word}\\s*\\([^;]*$`),
      new RegExp(`^\\s*}\\s*${word}\\s*;`),
      new RegExp(
        `^(?:static\\s+|const\\s+|extern\\s+)*[A-Za-z_]\\w*[\\s*]+${word}\\s*(?:\\[[^\\]]*\\]\\s*)*=`,
      ),
    );
  }
  if (language === 'java' || language === 'csharp' || language === 'kotlin' || language === 'scala') {
    patterns.push(
      new RegExp(
        `^\\s*(?:@[\\w.]+(?:\\([^)]*\\))?\\s+)*(?:(?:${MODIFIER})\\s+)*(?:<[^>]+>\\s*)?(?!(?:return|new|throw|else)\\b)[\\w.]+(?:<.*>)?(?:\\[\\])*\\s+${word}\\s*(?:\\([^;]*$|[=;])`,
      ),
      new RegExp(`^\\s*(?:(?:${MODIFIER})\\s+)+${word}\\s*\\(`),
    );
  }
  if (/script|tsx|vue|svelte/.test(language)) {
    patterns.push(
      new RegExp(`^\\s*(?:(?:${MODIFIER})\\s+)*\\*?\\s*${word}\\s*(?:<[^>]*>)?\\([^;]*\\{\\s*$`),
      new RegExp(`^\\s*['"]?${word}['"]?\\s*:\\s*(?:async\\s*)?(?:function\\b|\\(.*=>)`),
      new RegExp(`^\\s*(?:[\\w$]+\\.)+${word}\\s*=(?!=)`),
    );
  }
  if (language === 'python') patterns.push(new RegExp(`^\\s*${word}\\s*(?::[^=]+)?=(?!=)`));
  if (language === 'ruby') {
    patterns.push(
      new RegExp(`^\\s*def\\s+(?:self\\.)?${word}`),
      new RegExp(`^\\s*(?:attr_\\w+|define_method|alias(?:_method)?)\\b.*:?${word}`),
      new RegExp(`^\\s*${word}\\s*=(?![=~>])`),
    );
  }
  if (language === 'php') {
    patterns.push(
      new RegExp(`^\\s*(?:(?:${MODIFIER})\\s+)*function\\s+&?${word}`),
      new RegExp(`^\\s*(?:(?:${MODIFIER})\\s+)+(?:\\??[\\w|\\\\]+\\s+)?\\$?${word}\\s*[=;]`),
    );
  }
  if (language === 'rust')
    patterns.push(
      new RegExp(
        `^\\s*(?:(?:pub(?:\\([^)]*\\))?|async|unsafe|const|extern(?:\\s+"[^"]*")?)\\s+)*fn\\s+${word}`,
      ),
    );
  return patterns;
}

/** Places of the definitions of a name, in the order of the passages; a passage in several files has several. */
export async function placesOfDefinitions(
  { name, passages }: { name: string; passages: readonly number[] },
  context: ToolContext,
): Promise<DefinitionPlace[]> {
  const places = await Promise.all(passages.map((passage) => placesInPassage(passage, name, context)));
  return mergeParts(places.flat());
}

async function placesInPassage(
  passage: number,
  name: string,
  { index, sources }: ToolContext,
): Promise<DefinitionPlace[]> {
  const code = index.code!;
  const { start, end } = code.passageLines(passage);
  const places = code.passageFiles(passage).map(async (file): Promise<DefinitionPlace> => {
    const path = code.filePath(file);
    const language = code.fileLanguage(file);
    const rows = ((await sources.lines(path)) ?? []).slice(start - 1, end);
    const own = code.passageSymbol(passage);
    const isWhole = own !== null && lastPart(own).toLowerCase() === lastPart(name).toLowerCase();
    const word = isWhole ? lastPart(own) : lastPart(name);
    const row = findHeaderRow(rows, word, language);
    const to = Math.min(end, code.fileLines(file));
    // A passage of a class with small members is the place of the class; a member is its own rows.
    const from = isWhole ? start : start + commentStart(rows, row);
    const last = isWhole ? to : start + blockEnd(rows, row);
    const symbol = isWhole ? own : qualify(own, lastPart(name));
    return { path, file, language, symbol, line: start + row, from, to: Math.max(from, Math.min(last, to)) };
  });
  return await Promise.all(places);
}

function qualify(owner: string | null, name: string): string {
  return owner === null ? name : `${owner}.${name}`;
}

/** Row of the header of a definition; the first row with its name, or the first, where none looks like one. */
export function findHeaderRow(rows: readonly string[], name: string, language: string): number {
  const header = rows.findIndex((row) => isDefinitionRow(row, name, language));
  if (header >= 0) return header;
  const word = wholeWord(name);
  const named = rows.findIndex((row) => word.test(row) && !COMMENT_ROW.test(row));
  return Math.max(0, named);
}

/** First row of the comments and decorators right above a row. */
function commentStart(rows: readonly string[], row: number): number {
  let first = row;
  while (first > 0 && COMMENT_ROW.test(rows[first - 1]!)) first--;
  return first;
}

/** Last row of the block that a row begins, by indentation. */
function blockEnd(rows: readonly string[], row: number): number {
  const indent = (text: string) => text.length - text.trimStart().length;
  const own = indent(rows[row] ?? '');
  let last = row;
  for (let at = row + 1; at < rows.length; at++) {
    const text = rows[at]!;
    if (text.trim() === '') continue;
    const closes = indent(text) === own && /^\s*(?:[})\]]|end\b)/.test(text);
    if (indent(text) <= own && !closes && !/^\s*[{]/.test(text)) break;
    last = at;
    if (closes) break;
  }
  return last;
}

/** Merges the parts of one long definition, which are consecutive passages. */
function mergeParts(places: DefinitionPlace[]): DefinitionPlace[] {
  const merged: DefinitionPlace[] = [];
  for (const place of places) {
    const before = merged.find(
      (other) => other.path === place.path && other.symbol === place.symbol && place.from === other.to + 1,
    );
    if (before) before.to = place.to;
    else if (!merged.some((other) => other.path === place.path && other.line === place.line))
      merged.push({ ...place });
  }
  return merged;
}
