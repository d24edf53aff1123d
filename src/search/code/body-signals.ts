import type { FunctionInput, FunctionSignals } from './function-candidate.ts';
import { CALL_KEYWORDS, MAX_ROW_LENGTH } from './function-headers.ts';

/** Rows of a function that are read. */
const MAX_ROWS = 1000;

const BRANCH = /\b(?:if|elif|for|while|switch|case|catch|except|match)\b|\?\s|&&|\|\|/g;
const RAISE = /\b(?:raise|throw|panic|Errorf|errors\.New)\b/;
const CALL = /([\p{L}_$][\p{L}\p{N}_$]*)\s?(?:<[^<>()]*>)?\(/gu;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!define))/;
const DOCSTRING_QUOTES = /"""|'''/g;

/** What a function's rows contain. */
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
  const calls = new Set(Array.from(text.matchAll(CALL), ([, called]) => called!));
  for (const word of [...CALL_KEYWORDS, name]) calls.delete(word);
  return {
    branches: text.match(BRANCH)?.length ?? 0,
    commentShare: commentLength(read) / (text.length + 1),
    raises: RAISE.test(text),
    calls,
  };
}

function commentLength(rows: readonly string[]): number {
  let [length, isDocstring] = [0, false];
  for (const row of rows) {
    const quotes = row.match(DOCSTRING_QUOTES)?.length ?? 0;
    if (isDocstring || quotes > 0 || COMMENT.test(row)) length += row.length + 1;
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
