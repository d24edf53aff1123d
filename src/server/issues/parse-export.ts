import { AppError } from '#contract/errors.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { type ParsedIssue, parseIssue } from './parse-issue.ts';

/** Items of one file, and its values: each takes many times its bytes once parsed. Further ones are uploaded in another. */
const [MAX_ITEMS, MAX_VALUES] = [100_000, 1_000_000];
/** Nesting of values, beyond what any host sends. */
const MAX_DEPTH = 64;

/**
 * Parses an export: JSON values one after the other, with any space between them. A value is an item or an array of items:
 * NDJSON, one array, or the arrays that `gh api --paginate` prints. An object with arrays of items is read as these.
 * Throws `invalid_input` for other files and those without an item.
 */
export async function parseExport(file: Buffer): Promise<ParsedIssue[]> {
  const text = file.toString('utf8').replace(/^\uFEFF/, '');
  const issues: ParsedIssue[] = [];
  const bounds = { values: 0 };
  let at = 0;
  for (;;) {
    while (at < text.length && /[\s,]/.test(text[at]!)) at++;
    if (at >= text.length) break;
    const end = findValueEnd(text, at, bounds);
    if (bounds.values > MAX_VALUES) throw tooManyValues(MAX_VALUES);
    let value: unknown;
    try {
      if (end === null) throw new SyntaxError('unterminated');
      value = JSON.parse(text.slice(at, end));
    } catch {
      throw new AppError('invalid_input', 'issues_file_unreadable', { params: { at } });
    }
    for (const item of listItems(value)) {
      await yieldIfDue();
      const parsed = parseIssue(item);
      if (parsed) issues.push(parsed);
      if (issues.length > MAX_ITEMS) throw tooManyValues(MAX_ITEMS);
    }
    at = end!;
  }
  if (issues.length === 0) throw new AppError('invalid_input', 'issues_file_empty');
  return issues;
}

function tooManyValues(limit: number): AppError {
  return new AppError('too_large', 'body_too_many_values', { params: { limit } });
}

/** Position behind an array or object, whose values are counted; null where it does not end, or is nested too deeply. */
function findValueEnd(text: string, start: number, bounds: { values: number }): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      at = skipString(text, at);
    } else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return null;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth <= 0) return at + 1;
    } else if (depth === 0) {
      return null;
    } else if (char === ',' || char === ':') {
      bounds.values += 1;
      if (bounds.values > MAX_VALUES) return null;
    }
  }
  return null;
}

/** Position of the quote that ends a string. */
function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** Items of a value: its own, those of an array, or those of the arrays in an object that is none. */
function listItems(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flat();
  if (parseIssue(value) !== null || typeof value !== 'object' || value === null) return [value];
  return Object.values(value).filter(Array.isArray).flat();
}
