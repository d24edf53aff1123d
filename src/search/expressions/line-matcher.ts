import { type ByteSet, parseRegex, type Regex } from '#memory/index/trigrams/regex-parser.ts';
import { literalQuery, regexQuery } from '#memory/index/trigrams/trigram-query.ts';
import type { TrigramQuery } from '#memory/repository-index.ts';
import { ExpressionTooCostly, LazyAutomaton } from './lazy-automaton.ts';
import { compileProgram } from './regex-program.ts';

const LF = 10;
/** Characters of a line in which matches are marked. */
const MAX_MARKED_CHARS = 1_000;
const MAX_MARKS = 40;

/** Finds lines that contain a text or match an expression, in time proportional to the bytes. */
export interface LineMatcher {
  /** Trigrams that a file with such a line contains. */
  readonly query: TrigramQuery;
  /**
   * Offset in the first matching line at or after `from`, the start of a line; -1 when there is none. Throws
   * `ExpressionTooCostly`.
   */
  find(bytes: Buffer, from: number): number;
  /** Matching characters of a line: from, and up to, not including. */
  mark(line: string): [from: number, to: number][];
}

/** Matches a text as it is. */
export function createTextMatcher(text: string): LineMatcher {
  const bytes = Buffer.from(text);
  return {
    query: literalQuery([text]),
    find: (content, from) => content.indexOf(bytes, from),
    mark: (line) => markOccurrences(line, text),
  };
}

/** Marks every occurrence of a text. */
export function markOccurrences(line: string, text: string): [from: number, to: number][] {
  const marks: [number, number][] = [];
  for (let at = line.indexOf(text); at >= 0 && text !== ''; at = line.indexOf(text, at + text.length)) {
    if (marks.length === MAX_MARKS) break;
    marks.push([at, at + text.length]);
  }
  return marks;
}

/**
 * Matches a regular expression; null for one that only git can run or that is none, which git explains. Without extensions
 * it is read as git reads it: `\d` and `(?i)` are none.
 */
export function createRegexMatcher(
  expression: string,
  { hasExtensions = true }: { hasExtensions?: boolean } = {},
): LineMatcher | null {
  const regex = parseRegex(Buffer.from(expression).toString('latin1'), { hasExtensions });
  const program = expression.includes('\n') ? null : compileProgram(regex);
  if (!program) return null;
  const finder = new LazyAutomaton(program, { isAnchored: false });
  const marker = new LazyAutomaton(program, { isAnchored: true });
  return {
    query: regexQuery(regex),
    find: createLineFinder(finder, requiredText(regex)),
    mark: (line) => {
      try {
        return markMatches(marker, line.slice(0, MAX_MARKED_CHARS));
      } catch (error) {
        if (error instanceof ExpressionTooCostly) return [];
        throw error;
      }
    },
  };
}

/** Runs an automaton over all lines, or only over those that contain a text which every match has. */
function createLineFinder(finder: LazyAutomaton, required: Buffer): LineMatcher['find'] {
  if (required.length < 2) return (content, from) => finder.findFirstEnd(content, from, content.length);
  return (content, from) => {
    for (let at = content.indexOf(required, from); at >= 0; ) {
      const start = at === 0 ? 0 : content.lastIndexOf(LF, at - 1) + 1;
      const lineEnd = content.indexOf(LF, at);
      const end = lineEnd < 0 ? content.length : lineEnd;
      const found = finder.findFirstEnd(content, start, end);
      if (found >= 0) return found;
      at = content.indexOf(required, end);
    }
    return -1;
  };
}

/** The longest text that every match of an expression contains, as far as it is plain. */
function requiredText(regex: Regex): Buffer {
  let [longest, run]: [number[], number[]] = [[], []];
  const visit = (part: Regex): void => {
    if (part.kind === 'sequence') {
      for (const one of part.parts) visit(one);
      return;
    }
    const byte = part.kind === 'set' ? onlyMember(part.bytes) : -1;
    run = byte < 0 ? [] : [...run, byte];
    if (run.length > longest.length) longest = run;
  };
  visit(regex);
  return Buffer.from(longest);
}

/** The byte of a set of one; -1 for others. */
function onlyMember(bytes: ByteSet): number {
  const first = bytes.indexOf(1);
  return bytes.indexOf(1, first + 1) < 0 ? first : -1;
}

/** The leftmost matches, each as long as possible. */
function markMatches(marker: LazyAutomaton, line: string): [number, number][] {
  const bytes = Buffer.from(line);
  const isAscii = bytes.length === line.length;
  const charsBefore = (end: number) => (isAscii ? end : bytes.toString('utf8', 0, end).length);
  const marks: [number, number][] = [];
  for (let from = 0; from < bytes.length && marks.length < MAX_MARKS; ) {
    const end = marker.findLongestEnd(bytes, from);
    if (end > from) marks.push([charsBefore(startOfChar(bytes, from)), charsBefore(endOfChar(bytes, end))]);
    from = Math.max(from + 1, end);
  }
  return marks;
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function startOfChar(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && isContinuation(bytes[start])) start--;
  return start;
}

function endOfChar(bytes: Buffer, at: number): number {
  let end = at;
  while (isContinuation(bytes[end])) end++;
  return end;
}

/** Numbers of the lines that match, from 1, at most `limit`. */
export function findMatchingLines(matcher: LineMatcher, bytes: Buffer, limit: number): number[] {
  const lines: number[] = [];
  let line = 1;
  for (let start = 0; start < bytes.length && lines.length < limit; ) {
    const found = matcher.find(bytes, start);
    if (found < 0) break;
    // Checking every byte is faster than calling indexOf for each line.
    for (let at = start; at < found; at++) if (bytes[at] === LF) line++;
    lines.push(line);
    const end = bytes.indexOf(LF, found);
    if (end < 0) break;
    line++;
    start = end + 1;
  }
  return lines;
}
