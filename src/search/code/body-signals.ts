import type { FunctionInput, FunctionSignals } from './function-candidate.ts';
import { CALL_KEYWORDS, MAX_ROW_LENGTH } from './function-headers.ts';

/** Rows of a function that are read. */
const MAX_ROWS = 1000;

const BRANCH = /\b(?:if|elif|for|while|switch|case|catch|except|match)\b|\?\s|&&|\|\|/g;
const RAISE = /\b(?:raise|throw|panic|Errorf|errors\.New)\b/;
/** Arguments of types before a parenthesis. */
const TYPE_ARGUMENTS = /<[^<>()]*>$/;
const MAX_TYPE_ARGUMENTS = 60;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!define))/;
const DOCSTRING_QUOTES = /"""|'''/g;

/** Contents of a function's rows. */
export interface FunctionBody {
  /** Branches, loops and logical operators. */
  readonly branches: number;
  /** Characters of comments and docstrings, as a share of all. */
  readonly commentShare: number;
  readonly raises: boolean;
  /** Names called, without its own. */
  readonly calls: ReadonlySet<string>;
}

/** Reads a function's rows; longer rows are generated code and are skipped. */
export function readBody(rows: readonly string[], name: string): FunctionBody {
  const read = rows.slice(0, MAX_ROWS).filter((row) => row.length <= MAX_ROW_LENGTH);
  const text = read.join('\n');
  const calls = findCalls(text);
  for (const word of [...CALL_KEYWORDS, name]) calls.delete(word);
  return {
    branches: text.match(BRANCH)?.length ?? 0,
    commentShare: commentLength(read) / (text.length + 1),
    raises: RAISE.test(text),
    calls,
  };
}

/** Names before parentheses, read backwards, which is faster than a regular expression. */
function findCalls(text: string): Set<string> {
  const names = new Set<string>();
  for (let at = text.indexOf('('); at >= 0; at = text.indexOf('(', at + 1)) {
    let end = at;
    if (text[end - 1] === '>')
      end -= TYPE_ARGUMENTS.exec(text.slice(Math.max(0, end - MAX_TYPE_ARGUMENTS), end))?.[0].length ?? 0;
    if (text.charCodeAt(end - 1) <= SPACE) end--;
    let start = end;
    while (start > 0 && isNameUnit(text.charCodeAt(start - 1))) start--;
    if (start < end && !isDigit(text.charCodeAt(start))) names.add(text.slice(start, end));
  }
  return names;
}

const SPACE = 0x20;
const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;
/** Letters, digits, `_` and `$`; everything beyond ASCII counts as a letter. */
const isNameUnit = (unit: number) =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  isDigit(unit) ||
  unit === 0x5f ||
  unit === 0x24 ||
  unit >= 0x80;

function commentLength(rows: readonly string[]): number {
  let [length, isDocstring] = [0, false];
  for (const row of rows) {
    const hasQuotes = row.includes('"""') || row.includes("'''");
    const quotes = hasQuotes ? row.match(DOCSTRING_QUOTES)!.length : 0;
    if (isDocstring || hasQuotes || COMMENT.test(row)) length += row.length + 1;
    if (quotes % 2 === 1) isDocstring = !isDocstring;
  }
  return length;
}

/** Computes the signals of the rows alone: faults are where a function decides and calls, rarely where it documents. */
export function computeBodySignals({ candidates }: FunctionInput): FunctionSignals {
  const each = (value: (body: FunctionBody) => number) =>
    Float64Array.from(candidates, ({ body }) => value(body));
  return {
    branches: each(({ branches }) => Math.log1p(branches) / 3),
    commentShare: each(({ commentShare }) => commentShare),
    raises: each(({ raises }) => Number(raises)),
    callCount: each(({ calls }) => Math.log1p(calls.size) / 3),
  };
}
