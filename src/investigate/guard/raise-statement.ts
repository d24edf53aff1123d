import { matchTemplate, parseTemplates } from '../locate/message-templates.ts';

/** Languages whose statements differ; `other` takes the patterns of all. */
type RaiseLanguage =
  | 'python'
  | 'javascript'
  | 'go'
  | 'rust'
  | 'ruby'
  | 'php'
  | 'perl'
  | 'java'
  | 'c'
  | 'shell'
  | 'other';

/** A statement that raises an error, by its lines counted from 1. */
export interface RaiseStatement {
  start: number;
  end: number;
  text: string;
  /** Share of the message that its literals cover, 0 to 1; 0 when it has none. */
  share: number;
  /** True when it has a literal with words. */
  hasLiteral: boolean;
  /** Class of the error that it names: `TypeError` of `throw new TypeError(…)`; null for `raise error`. */
  errorClass: string | null;
  /** True for assertions: their first argument is the condition. */
  isAssertion: boolean;
}

/** Lines that a statement may span. */
const MAX_STATEMENT_LINES = 20;
/** Lines above a raised variable in which its text or error is assigned. */
const MAX_ASSIGNMENT_DISTANCE = 25;

/** Keywords, macros and constructors of errors that begin a raising statement. */
const RAISES: Record<Exclude<RaiseLanguage, 'other'>, RegExp> = {
  python: /^\s*raise\b(?=\s*\S)|^\s*assert\b/,
  javascript: /\bthrow\b|\bnew\s+[\w$.]*(?:Error|Exception|Fault|ERR_\w+)\b/,
  go: /\bpanic\(|\berrors\.\w+\(|(?:^|[\s&(])[\w.]*(?:Error|Err)\{|\breturn\b.*\b(?:[a-z]\w*\.)?[Ee]rr[A-Z]\w*\b/,
  rust: /\b(?:panic|bail|ensure|anyhow|unimplemented|todo|unreachable|(?:debug_)?assert\w*)!\s*[([{]|\bErr\s*\(|\.(?:expect|ok_or|ok_or_else|context)\(/,
  ruby: /\b(?:raise|fail|abort)\b|(?:^|[\s;&|{(])(?:error|die|fatal)!?\s+["']/,
  // Traces of both begin where the error was created, which may be a factory: `return new self(…)`.
  php: /\bthrow\b|\bnew\s+(?:self|static|[\w\\]*(?:Exception|Error))\s*\(/,
  perl: /\b(?:die|croak|confess|throw)\b/,
  java: /\bthrow\b|\bnew\s+[\w$.]*(?:Exception|Error)\s*\(|\brequire\s*\(|^\s*assert\b/,
  shell: /(?:^|[\s;&|{(])(?:die|fail|abort|err|fatal|usage|panic|bail)\w*(?=\s|$)|>&\s*2|\bexit\s+[1-9]/i,
  c: /fprintf\s*\(\s*stderr|\bthrow\b|\b\w{0,40}(?:_err|error|fail|invalid|throw|warn|usage)\w{0,40}\s{0,4}\(/i,
};
/** Words by which functions that raise are named: `failWith(`, `_raise(`, `checkArgument(`, `fmt.Errorf(`, `invalid_type(`. */
const RAISING_WORDS = [
  ...[
    'raise',
    'throw',
    'fail',
    'failed',
    'failure',
    'error',
    'errorf',
    'err',
    'errx',
    'abort',
    'die',
    'panic',
    'fatal',
  ],
  ...[
    'fatalf',
    'panicf',
    'reject',
    'assert',
    'ensure',
    'check',
    'verify',
    'validate',
    'expect',
    'invariant',
    'must',
    'precondition',
  ],
  ...[
    'invalid',
    'missing',
    'unknown',
    'unsupported',
    'unexpected',
    'illegal',
    'bail',
    'croak',
    'confess',
    'perror',
    'exit',
  ],
];
/** A call of a function with such a word among the parts of its name. */
const RAISING_CALL = new RegExp(
  `(?:(?<![A-Za-z])(?:${RAISING_WORDS.join('|')})|(?:${RAISING_WORDS.map(capitalize).join('|')}|\\b(?:ERR|FATAL|PANIC|DIE|SYNTAX|D?CHECK|ASSERT|REQUIRE|VERIFY)|\\brequire(?=[A-Z])))(?![a-z])[\\w$]{0,60}(?:(?:\\.|::|->)\\w{1,60})?[!?]?\\s*\\(`,
);
/** A function that is named like one that raises, where it is defined. */
const DEFINITION = /^\s*(?:\w+\s+)*(?:def|function|func|fn|sub)\s/;
const ASSERTION =
  /^\s*assert\b|\b(?:[Aa]ssert\w*|requireNonNull\w*|check[A-Z]\w*|ensure|require|invariant)!?\s*\(/;
const ERROR_CLASS =
  /\b(?:raise|throw|fail)\s+(?:new\s+)?([\w$.:\\]+)|\bnew\s+([\w$.]+)|\bErr\((?:[\w:]*::)?(\w+)/;
/** Errors that are passed on: `throw err`, `raise exc from None`, `Err(e)`. */
const PASSED_ON = /^(?:throw|raise)\s+\(?\$?([a-z_]\w*)\)?\s*(?:from\s+\w+\s*)?;?$/;

/** Programs of a first line `#!/usr/bin/env perl`, with the extension of their language. */
const INTERPRETERS: [RegExp, string][] = [
  [/\bperl/, 'pl'],
  [/\bpython/, 'py'],
  [/\bruby/, 'rb'],
  [/\bphp/, 'php'],
  [/\b(?:node|deno|bun)\b/, 'js'],
  [/sh\b/, 'sh'],
];

/** Extension of a path; that of the interpreter for a script without one. */
function extensionOf(path: string, first = ''): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.includes('.') || !first.startsWith('#!'))
    return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return INTERPRETERS.find(([program]) => program.test(first))?.[1] ?? '';
}

/** Language of a file by its extension or first line, as far as raising statements differ. */
export function raiseLanguage(path: string, lines: readonly string[] = []): RaiseLanguage {
  const extension = extensionOf(path, lines[0]);
  if (/^pyi?$/.test(extension)) return 'python';
  if (/^(?:[cm]?[jt]sx?|vue|svelte)$/.test(extension)) return 'javascript';
  if (/^(?:java|kts?|scala|cs|groovy|swift)$/.test(extension)) return 'java';
  if (/^(?:ba|z|k)?sh$/.test(extension)) return 'shell';
  if (/^(?:c|h|cc|cpp|cxx|hpp|hh|inl|m|mm|y|l)$/.test(extension)) return 'c';
  const others: Record<string, RaiseLanguage> = {
    go: 'go',
    rs: 'rust',
    rb: 'ruby',
    rake: 'ruby',
    php: 'php',
    pm: 'perl',
    pl: 'perl',
  };
  return others[extension] ?? 'other';
}

/**
 * Finds the statement around a line that raises an error on purpose. Statements that pass an error on do not count, unless
 * it is created above them.
 */
export function findRaiseStatement(
  lines: readonly string[],
  line: number,
  { path, message }: { path: string; message: string },
): RaiseStatement | null {
  const language = raiseLanguage(path, lines);
  const pattern = language === 'other' ? null : RAISES[language];
  const isRaise = (text: string) =>
    !isComment(text) &&
    ((RAISING_CALL.test(text) && !DEFINITION.test(text)) ||
      (pattern ? pattern.test(text) : Object.values(RAISES).some((one) => one.test(text))));
  for (let start = line; start >= Math.max(1, line - MAX_STATEMENT_LINES); start--) {
    const text = lines[start - 1];
    if (text === undefined || (start < line && isBlockStart(text))) return null;
    if (!isRaise(text)) continue;
    const end = statementEnd(lines, start);
    if (end < line) return null;
    return describe(lines, start, end, message);
  }
  return null;
}

/** The statement that begins on a line, if a literal of it is in the message: the call of a helper that raises what it is given. */
export function findStatementWithMessage(
  lines: readonly string[],
  line: number,
  message: string,
): RaiseStatement | null {
  const statement = describe(lines, line, statementEnd(lines, line), message);
  return statement && statement.share > 0 ? statement : null;
}

function describe(
  lines: readonly string[],
  start: number,
  end: number,
  message: string,
): RaiseStatement | null {
  const text = lines
    .slice(start - 1, end)
    .map((line) => line.trim())
    .join('\n');
  const assigned = assignedAbove(lines, start, text);
  const passedOn = PASSED_ON.exec(text.replace(/\n/g, ' '));
  if (passedOn && assigned === null) return null;
  const templates = parseTemplates(assigned === null ? text : `${assigned}\n${text}`).filter((template) =>
    /\p{L}{2}/u.test(template.pieces.join('')),
  );
  const shares = templates.map((template) => matchTemplate(template, message).share);
  const named = ERROR_CLASS.exec(passedOn ? assigned! : text);
  const errorClass = (named?.[1] ?? named?.[2] ?? named?.[3])?.split(/[.:\\]+/).at(-1) ?? null;
  return {
    ...{ start, end, text },
    share: Math.max(0, ...shares),
    hasLiteral: templates.length > 0,
    errorClass: errorClass !== null && /^[A-Z]/.test(errorClass) ? errorClass : null,
    isAssertion: ASSERTION.test(text),
  };
}

/** Statement above that assigns the variable which the statement raises or passes as its text; null when there is none. */
function assignedAbove(lines: readonly string[], start: number, text: string): string | null {
  const names = new Set(text.match(/(?<![\w.$"'])\$?[A-Za-z_]\w*(?=\s*[,);]|\s*$|\s+from\b)/gm));
  const limit = Math.max(1, start - MAX_ASSIGNMENT_DISTANCE);
  for (let line = start - 1; line >= limit; line--) {
    const assignment =
      /^\s*(?:const|let|var|final|String|auto|char\s?\*)?\s*\$?(\w+)\s*(?::=|\+?=)(?!=)/.exec(
        lines[line - 1]!,
      );
    if (!assignment || !(names.has(assignment[1]!) || names.has(`$${assignment[1]}`))) continue;
    return lines.slice(line - 1, Math.min(statementEnd(lines, line), start - 1)).join('\n');
  }
  return null;
}

/** Last line of the statement that starts on a line, by its parentheses. */
export function statementEnd(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let line = start; line < start + MAX_STATEMENT_LINES && line <= lines.length; line++) {
    const code = lines[line - 1]!.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""');
    for (const character of code) {
      if (character === '(' || character === '[') depth++;
      else if (character === ')' || character === ']') depth--;
    }
    if (depth <= 0) return line;
  }
  return start;
}

function capitalize(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

function isComment(text: string): boolean {
  return /^\s*(?:\/\/|#(?!\w)|\*|\/\*)/.test(text);
}

/** True for the first line of a block, beyond which no statement reaches. */
function isBlockStart(text: string): boolean {
  return /^\s*(?:def|class|function|func|fn|if|elif|else|for|while|try|switch)\b.*[:{]\s*$/.test(text);
}
