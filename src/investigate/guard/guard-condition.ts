import { indentColumns } from '../locate/enclosing-function.ts';
import { type RaiseStatement, statementEnd } from './raise-statement.ts';

/** The condition under which a statement is reached, with its first line, counted from 1. */
interface GuardCondition {
  start: number;
  /** Code on one line; empty when the statement is unconditional. */
  text: string;
}

const MAX_LENGTH = 300;
/** Enclosing blocks that are climbed, and lines above the statement. */
const MAX_BLOCKS = 4;
const MAX_LINES = 60;

const CONDITION =
  /^(?:\}\s*)?(?:else\s+if|elsif|elif|if|unless|case|when|except|catch|rescue|default|match|guard|switch|else)\b|=>\s*\{?$/;
const FUNCTION =
  /^(?:(?:export|default|public|private|protected|static|async|pub(?:\([^)]*\))?|final|override|inline|unsafe)\s+)*(?:def|function\*?|func|fn|class|sub)\b|^[\w$.]+\s*[:=]\s*(?:async\s+)?(?:function\b|\([^)]*\)\s*=>)/;
/** Conditions on the statement's own line: `if (x) throw …`, `raise … unless x`, `x || throw …`. */
const SAME_LINE =
  /^(?:\}?\s*(?:else\s+)?if|elif|unless|when|case)\b.*?(?=\b(?:throw|raise|panic|return|fail|abort|die|croak)\b)|(?<=\S\s)(?:if|unless)\s.+$/;

/** Finds the condition of a raising statement: the nearest enclosing `if`, `case` or handler of its function. */
export function findGuardCondition(lines: readonly string[], statement: RaiseStatement): GuardCondition {
  const { start } = statement;
  const own = lines[start - 1] ?? '';
  if (statement.isAssertion) return { start, text: flatten(statement.text) };
  const same = SAME_LINE.exec(own.trim());
  if (same) return { start, text: flatten(same[0]) };
  let indent = indentColumns(own);
  let blocks = 0;
  for (let line = start - 1; line >= Math.max(1, start - MAX_LINES) && blocks < MAX_BLOCKS; line--) {
    const text = lines[line - 1]!;
    if (text.trim() === '' || indentColumns(text) >= indent) continue;
    indent = indentColumns(text);
    blocks++;
    const header = headerOf(lines, line, indent);
    if (CONDITION.test(header.text)) return withElse(lines, header, indent);
    if (FUNCTION.test(header.text)) break;
  }
  return { start, text: '' };
}

/** The whole header of a block whose last line is given: a condition may span lines that end with `) {`. */
function headerOf(lines: readonly string[], last: number, indent: number): GuardCondition {
  let first = last;
  const closes =
    /^[)\]}]/.test(lines[last - 1]!.trim()) && !/^\}\s*(?:else|catch)/.test(lines[last - 1]!.trim());
  if (closes) {
    for (let line = last - 1; line >= Math.max(1, last - 20); line--) {
      if (lines[line - 1]!.trim() === '' || indentColumns(lines[line - 1]!) > indent) continue;
      first = line;
      break;
    }
  }
  const end = Math.max(last, closes ? last : Math.min(statementEnd(lines, first), last));
  const text = lines.slice(first - 1, end).map((line) => line.trim());
  return { start: first, text: flatten(text.join(' ')) };
}

/** Adds the condition whose opposite an `else` is. */
function withElse(lines: readonly string[], header: GuardCondition, indent: number): GuardCondition {
  if (!/^(?:\}\s*)?else\b(?!\s+if)/.test(header.text)) return header;
  for (let line = header.start - 1; line >= Math.max(1, header.start - MAX_LINES); line--) {
    const text = lines[line - 1]!;
    if (text.trim() === '' || indentColumns(text) !== indent) continue;
    if (/^(?:\}\s*)?(?:(?:else\s+)?if|elif|elsif|unless)\b/.test(text.trim()))
      return { start: line, text: flatten(`${text.trim()} … ${header.text}`) };
    if (!/^[}\])]/.test(text.trim())) break;
  }
  return header;
}

/** One line without the block's brace or colon. */
function flatten(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\}\s*/, '')
    .replace(/\s*[{:]$/, '')
    .slice(0, MAX_LENGTH);
}
