/**
 * Patterns of rows that start a function. The index names the larger functions only, and names constants and classes as
 * well, so small functions are recognized by their rows.
 */
interface HeaderPatterns {
  /** Rows that start a function anywhere; the first group that matches is the name. */
  readonly any: RegExp;
  /** Rows that start a member of a class or object; elsewhere they may be a call. */
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

/** Keywords that precede a parenthesis. */
export const CALL_KEYWORDS: ReadonlySet<string> = new Set(
  'if for while switch return catch function else do throw await super sizeof using lock'.split(' '),
);

/** The header of a function or class. */
export interface DefinitionHeader {
  /** Qualified by its class where the row names it: `Server.handle`. */
  readonly name: string;
  /** Leading whitespace characters. */
  readonly indent: number;
}

/** Parses the header of a function, or returns null. `member` allows members of a class or object. */
export function parseFunctionHeader(row: string, language: string, member: boolean): DefinitionHeader | null {
  if (row.length > MAX_ROW_LENGTH) return null;
  const { any, member: also } = BY_LANGUAGE[language] ?? KEYWORD_LANGUAGES;
  const found = any.exec(row) ?? (member ? also?.exec(row) : null);
  if (!found) return null;
  const names = found.slice(1).filter(Boolean).map(normalizeName);
  if (names.length === 0 || CALL_KEYWORDS.has(names.at(-1)!)) return null;
  return { name: names.join('.'), indent: indentOf(row) };
}

/** Longer rows are generated code. */
export const MAX_ROW_LENGTH = 300;

/** Normalizes names as in a file's outline: `exports.x` to `x`, `A.prototype.x` and `A::x` to `A.x`. */
function normalizeName(name: string): string {
  return name
    .replace(/::/g, '.')
    .replace(/\.prototype\b/, '')
    .replace(/^(?:module\.exports|exports|this|window)\./, '')
    .replace(/^\*/, '');
}

/** Rows that open a class or the like, whose name qualifies those of its functions. */
const CLASS =
  /^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|abstract|final|static|sealed|unsafe|data|open)\s+)*(?:class|interface|trait|struct|enum|object|impl(?:\s*<[^{]*?>)?(?:\s+[\w:<>, ]+\s+for)?)\s+([\w$]+)/;

/** Parses the header of a class, or returns null. */
export function parseClassHeader(row: string): DefinitionHeader | null {
  if (row.length > MAX_ROW_LENGTH) return null;
  const name = CLASS.exec(row)?.[1];
  return name === undefined ? null : { name, indent: indentOf(row) };
}

/** Number of leading whitespace characters; a tab counts as one. */
export function indentOf(row: string): number {
  return row.length - row.trimStart().length;
}

/** True when the definition of this name in the rows is a function rather than a constant or class. */
export function isFunction(rows: readonly string[], name: string, language: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const kind = BY_LANGUAGE[language];
  for (let row = 0; row < Math.min(rows.length, MAX_HEADER_ROWS); row++) {
    const text = rows[row]!;
    const at = text.length > MAX_ROW_LENGTH ? -1 : findWord(text, last);
    if (at < 0 || COMMENT.test(text)) continue;
    // The name may occur in a decorator or attribute first.
    if (kind === PYTHON || kind === RUST) {
      if ((kind === PYTHON ? DEF : FN).exec(text)?.[1] === last) return true;
    } else {
      if (kind === GO) return text.startsWith('func');
      const isCalled = matchesAt(PARENTHESIS, text, at + last.length);
      return (
        isCalled ||
        (kind === SCRIPT ? rows.slice(row, row + MAX_ARROW_ROWS).some(isArrow) : FUNCTION_KEYWORD.test(text))
      );
    }
  }
  return false;
}

const DEF = /\bdef\s+(\w+)/;
const FN = /\bfn\s+(\w+)/;
const PARENTHESIS = /\s*(?:<[^>]*>)?\s*\(/y;
const FUNCTION_KEYWORD = /\b(?:def|defp|fn|func|fun|function|sub|proc)\b/;
/** Rows of a definition within which an arrow function has its arrow. */
const MAX_ARROW_ROWS = 4;
const isArrow = (row: string) => row.length <= MAX_ROW_LENGTH && /function\b|=>/.test(row);

/** Index of a name as a whole word; -1 when absent. */
function findWord(row: string, name: string): number {
  for (let at = row.indexOf(name); at >= 0; at = row.indexOf(name, at + 1)) {
    if (!matchesAt(WORD_CHARACTER, row, at - 1) && !matchesAt(WORD_CHARACTER, row, at + name.length))
      return at;
  }
  return -1;
}

const WORD_CHARACTER = /\w/y;

/** True when the sticky expression matches at this index. */
function matchesAt(sticky: RegExp, row: string, at: number): boolean {
  if (at < 0) return false;
  sticky.lastIndex = at;
  return sticky.test(row);
}

/** True for names that a language gives to constructors: the name of their class. */
export function isConstructor(name: string, language: string): boolean {
  return /^[A-Z]/.test(name) && (BY_LANGUAGE[language] === JAVA || language === 'cpp');
}

/** Rows that are searched for a definition's header, below its comments and decorators. */
const MAX_HEADER_ROWS = 30;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!define)|@[\w.]+(?:\(.*\))?\s*$)/;
