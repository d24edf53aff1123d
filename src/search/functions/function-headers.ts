/**
 * How rows that begin a function look. The index knows the larger functions by name; several small ones share a
 * passage, and constants and classes have names as well: only their rows tell.
 */
interface HeaderPatterns {
  /** Rows that begin a function of whatever stands around it; the first group that matches is the name. */
  readonly any: RegExp;
  /** Those that begin one only right inside a class or an object: elsewhere they may be a call. */
  readonly member?: RegExp;
}

const PYTHON: HeaderPatterns = { any: /^\s*(?:async\s+)?def\s+(\w+)/ };
const RUST: HeaderPatterns = {
  any: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern(?:\s+"[^"]*")?)\s+)*fn\s+(\w+)/,
};
const GO: HeaderPatterns = { any: /^func\s+(?:\(\s*(?:\w+\s+)?(\*?\w+)[^)]*\)\s*)?(\w+)/ };
const SCRIPT: HeaderPatterns = {
  any: new RegExp(
    [
      String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)`,
      String.raw`^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)[^=]*=\s*(?:async\s*)?(?:function\b|<|\(.*=>|\([^)]*$|[\w$]+\s*=>)`,
      String.raw`^\s*([\w$.]+)\s*=\s*(?:async\s+)?(?:function\b|\(.*=>|[\w$]+\s*=>)`,
    ].join('|'),
  ),
  member: new RegExp(
    [
      String.raw`^\s*(?:(?:public|private|protected|static|async|override|abstract|get|set)\s+)*\*?\s*([\w$#]+)\s*(?:<[^>]*>)?\(.*(?:[{(,)]|\{.*\})\s*$`,
      String.raw`^\s*['"]?([\w$]+)['"]?\s*:\s*(?:async\s*)?(?:function\b|\(.*=>|\([^)]*$|[\w$]+\s*=>)`,
    ].join('|'),
  ),
};
const MODIFIERS =
  'public|private|protected|internal|static|final|abstract|synchronized|native|default|virtual|override|async|sealed';
const JAVA: HeaderPatterns = {
  any: new RegExp(
    [
      String.raw`^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:(?:${MODIFIERS})\s+)*(?:<[^>]+>\s*)?(?!(?:return|new|throw|else)\b)[\w.]+(?:<.*>)?(?:\[\])*\??\s+(\w+)\s*\([^;=]*(?:[{,(]|\)(?:\s*throws [^{;]*)?|\{.*\})\s*$`,
      String.raw`^\s*(?:(?:${MODIFIERS})\s+)*([A-Z]\w*)\s*\([^;=]*\{\s*$`,
      String.raw`^\s*(?:@[\w.]+\s+)*(?:(?:${MODIFIERS})\s+)+[^;=(]*?(\w+)\s*\([^;={]*\)[^;=({]*\{.*\}\s*$`,
    ].join('|'),
  ),
};
const C: HeaderPatterns = { any: /^[A-Za-z_][\w:<>,*& \t]*[\s*&]([\w:~]+)\s*\([^;]*$/ };
const KEYWORD_LANGUAGES: HeaderPatterns = {
  any: /^\s*(?:[\w@]+\s+)*?(?:def|defp|fn|func|fun|function|sub|proc)\s+&?(?:self\.)?([\w$?!]+)/,
};

const BY_LANGUAGE: Record<string, HeaderPatterns> = {
  python: PYTHON,
  rust: RUST,
  go: GO,
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  vue: SCRIPT,
  svelte: SCRIPT,
  java: JAVA,
  csharp: JAVA,
  dart: JAVA,
  c: C,
  cpp: C,
};

/** Words before a parenthesis that begin no function. */
const KEYWORDS = new Set(
  'if for while switch return catch function else do throw await super sizeof using lock'.split(' '),
);

/** A function that begins at a row. */
export interface DefinitionHeader {
  /** With its class where the row names it: `Server.handle`. */
  readonly name: string;
  /** Blanks before it, a tab as one. */
  readonly indent: number;
}

/** What begins at this row of code, or null. `member` says that it lies right inside a class or an object. */
export function parseFunctionHeader(row: string, language: string, member: boolean): DefinitionHeader | null {
  if (row.length > MAX_ROW_LENGTH) return null;
  const { any, member: also } = BY_LANGUAGE[language] ?? KEYWORD_LANGUAGES;
  const found = any.exec(row) ?? (member ? also?.exec(row) : null);
  if (!found) return null;
  const names = found.slice(1).filter(Boolean).map(normalizeName);
  if (names.length === 0 || KEYWORDS.has(names.at(-1)!)) return null;
  return { name: names.join('.'), indent: indentOf(row) };
}

/** Longer ones were made by a machine. */
const MAX_ROW_LENGTH = 300;

/** Names as the outline of a file has them: `exports.x`, `A.prototype.x` and `A::x` are `x` and `A.x`. */
function normalizeName(name: string): string {
  return name
    .replace(/::/g, '.')
    .replace(/\.prototype\b/, '')
    .replace(/^(?:module\.exports|exports|this|window)\./, '')
    .replace(/^\*/, '');
}

/** Rows that open a class or the like, whose name stands before those of its functions. */
const CLASS =
  /^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|abstract|final|static|sealed|unsafe|data|open)\s+)*(?:class|interface|trait|struct|enum|object|impl(?:\s*<[^{]*?>)?(?:\s+[\w:<>, ]+\s+for)?)\s+([\w$]+)/;

/** The class that this row opens, or null. */
export function parseClassHeader(row: string): DefinitionHeader | null {
  if (row.length > MAX_ROW_LENGTH) return null;
  const name = CLASS.exec(row)?.[1];
  return name === undefined ? null : { name, indent: indentOf(row) };
}

/** Blanks before the first character of a row; a tab counts as one. */
export function indentOf(row: string): number {
  return row.length - row.trimStart().length;
}

/** Whether a definition of that name, beginning at the first of these rows, is a function and no constant or class. */
export function isFunction(rows: readonly string[], name: string, language: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const kind = BY_LANGUAGE[language];
  for (let row = 0; row < Math.min(rows.length, MAX_HEADER_ROWS); row++) {
    const text = rows[row]!;
    const at = text.length > MAX_ROW_LENGTH ? -1 : findWord(text, last);
    if (at < 0 || COMMENT.test(text)) continue;
    // A name may stand in a decorator or an attribute first.
    if (kind === PYTHON || kind === RUST) {
      if ((kind === PYTHON ? DEF : FN).exec(text)?.[1] === last) return true;
    } else {
      if (kind === GO) return text.startsWith('func');
      const isCalled = matchesAt(PARENTHESIS, text, at + last.length);
      return isCalled || (kind === SCRIPT ? rows.slice(row, row + MAX_ARROW_ROWS).some(isArrow) : FUNCTION_KEYWORD.test(text));
    }
  }
  return false;
}

const DEF = /\bdef\s+(\w+)/;
const FN = /\bfn\s+(\w+)/;
const PARENTHESIS = /\s*(?:<[^>]*>)?\s*\(/y;
const FUNCTION_KEYWORD = /\b(?:def|defp|fn|func|fun|function|sub|proc)\b/;
/** Rows of a script's definition in which its arrow stands. */
const MAX_ARROW_ROWS = 4;
const isArrow = (row: string) => row.length <= MAX_ROW_LENGTH && /function\b|=>/.test(row);

/** Where a row has a name as a word of its own; -1 for nowhere. */
function findWord(row: string, name: string): number {
  for (let at = row.indexOf(name); at >= 0; at = row.indexOf(name, at + 1)) {
    if (!matchesAt(WORD_CHARACTER, row, at - 1) && !matchesAt(WORD_CHARACTER, row, at + name.length)) return at;
  }
  return -1;
}

const WORD_CHARACTER = /\w/y;

/** Whether a row goes on at this place as the sticky expression says. */
function matchesAt(sticky: RegExp, row: string, at: number): boolean {
  if (at < 0) return false;
  sticky.lastIndex = at;
  return sticky.test(row);
}

/** Whether a function of its class's name is one of its members. */
export function isConstructor(name: string, language: string): boolean {
  return /^[A-Z]/.test(name) && (BY_LANGUAGE[language] === JAVA || language === 'cpp');
}

/** Rows in which a definition says what it is, below its comments and decorators. */
const MAX_HEADER_ROWS = 30;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!define)|@[\w.]+(?:\(.*\))?\s*$)/;
