import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { wordTerms } from '#memory/tokens.ts';
import { indentColumns } from '../locate/enclosing-function.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import { findRaiseStatement, type RaiseStatement } from './raise-statement.ts';

/** `NAME: createError(`, `export const NAME = new Error(`, `var ErrClosed = errors.New(`, with what precedes the message. */
const DECLARATION =
  /^\s*(?:(?:export|const|let|var|public|static|final|private)\s+)*(?:[\w$]+\.)*([A-Za-z_$][\w$]*)\s*(?::=|[:=])\s*(?:new\s+)?[\w$.]*(?:error|exception|errors\.New)\w*\s*\(/i;
/** `class Closed(StoreError):`, `class Closed extends StoreError {`, `class Closed < StandardError`. */
const ERROR_CLASS =
  /^\s*(?:(?:export|default|abstract|public|final|static)\s+)*class\s+([A-Z]\w*)\b.*(?:Error|Exception|Warning|Failure)\b/;
/** Attribute of `thiserror`, with the variant below it. */
const ATTRIBUTE = /^\s*#\[error\(/;
/** Lines of a declaration above its message, and of a class. */
const MAX_DECLARATION_LINES = 3;
const MAX_CLASS_LINES = 30;
/** Passages that are searched for the use of a declared error. */
const MAX_PASSAGES = 40;

/** Name of the error whose declaration holds the message on a line; null when the line declares none. */
export function declaredError(lines: readonly string[], line: number): string | null {
  const variant = ATTRIBUTE.test(lines[line - 1] ?? '') && /^\s*([A-Z]\w*)/.exec(lines[line] ?? '');
  if (variant) return variant[1]!;
  for (let at = line; at >= Math.max(1, line - MAX_DECLARATION_LINES); at--) {
    const name = DECLARATION.exec(lines[at - 1] ?? '')?.[1];
    if (name) return /^[A-Z]|^err/.test(name) ? name : null;
  }
  // A class ends before a line that is indented no further, such as the code below `class Closed < StandardError; end`.
  let indent = Number.POSITIVE_INFINITY;
  for (let at = line; at >= Math.max(1, line - MAX_CLASS_LINES); at--) {
    const text = lines[at - 1] ?? '';
    if (text.trim() === '') continue;
    const name = ERROR_CLASS.exec(text)?.[1];
    if (name && (at === line || indentColumns(text) < indent)) return name;
    indent = Math.min(indent, indentColumns(text));
  }
  return null;
}

/** A file in which a raised error is looked for, and the line that it is likely near to. */
interface SearchedFile {
  path: string;
  near: number;
}

/** The statement nearest to a line that raises the declared error. */
export async function findRaiseOf(
  name: string,
  { path, near }: SearchedFile,
  { sources, message }: { sources: SourceReader; message: string },
): Promise<RaiseStatement | null> {
  const lines = (await sources.lines(path)) ?? [];
  const use = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  let best: RaiseStatement | null = null;
  let distance = Number.POSITIVE_INFINITY;
  for (const [i, text] of lines.entries()) {
    if (!use.test(text) || declaredError(lines, i + 1) === name) continue;
    const statement = findRaiseStatement(lines, i + 1, { path, message });
    const gap = Math.abs(i + 1 - near);
    if (statement && gap < distance) [best, distance] = [statement, gap];
  }
  return best;
}

/** Paths of the source files that name an error, without the one that declares it. */
export function filesNaming(code: CodeTable, name: string, declaredIn: string): string[] {
  const docs = code.field('body').postings(wordTerms(name)[0] ?? '')?.docs ?? [];
  const passages = docs.length > MAX_PASSAGES ? [] : Array.from(docs);
  const paths = passages.flatMap((passage) => code.passageFiles(passage).map((file) => code.filePath(file)));
  return [...new Set(paths)].filter((path) => path !== declaredIn && !isNonSource(path));
}
