/** Code span of a markdown text: its range with the backticks, and its content. */
export interface CodeSpan {
  start: number;
  end: number;
  text: string;
}

export interface MarkdownLine {
  /** Offset of the first character. */
  start: number;
  /** Without its line feed. */
  text: string;
  /** `code`: inside a fenced block, or one of its fences. `listed`: the same in a list or block quote, which may end it. */
  kind: 'words' | 'code' | 'listed';
}

/** Fences at the start of a line, which only a fence can close. */
const FENCE = /^(`{3,})[^`]*$|^(~{3,})/;
const LISTED_FENCE = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])+)(?:(`{3,})[^`]*$|(~{3,}))/;
const CLOSING = /^[ >\t]*(`{3,}|~{3,})[ \t]*$/;
const DELIMITER_CELL = /^:?-+:?$/;

/** Parses the lines of a markdown text in order. */
interface LineReader {
  next(text: string): MarkdownLine;
  /** Fence that closes the current block; null outside of blocks and inside a block of a list. */
  openFence(): string | null;
}

/** Creates a reader at the start of a text. Ambiguous lines count as text, not as code. */
export function createLineReader(): LineReader {
  let fence: { mark: string; column: number } | null = null;
  let start = 0;
  function next(text: string): MarkdownLine {
    const line = { start, text };
    start += text.length + 1;
    if (fence !== null) {
      const kind = fence.column === 0 ? 'code' : 'listed';
      const indent = /^[ >\t]*/.exec(text)![0].length;
      const ends = CLOSING.exec(text)?.[1]?.startsWith(fence.mark) && (fence.column > 0 || indent <= 3);
      if (fence.column === 0 || text.trim() === '' || indent >= fence.column) {
        if (ends) fence = null;
        return { ...line, kind };
      }
      fence = null;
    }
    const plain = FENCE.exec(text);
    const listed = plain ? null : LISTED_FENCE.exec(text);
    if (plain) fence = { mark: (plain[1] ?? plain[2])!, column: 0 };
    else if (listed) fence = { mark: (listed[2] ?? listed[3])!, column: listed[1]!.length };
    return { ...line, kind: plain ? 'code' : listed ? 'listed' : 'words' };
  }
  return { next, openFence: () => (fence?.column === 0 ? fence.mark : null) };
}

/** Parses the lines of a markdown text. */
export function readLines(markdown: string): MarkdownLine[] {
  const reader = createLineReader();
  return markdown.split('\n').map((text) => reader.next(text));
}

/**
 * True for the delimiter row of a table: dashes between pipes. Cells of a table end every code span. Splitting precedes
 * matching, so that the time is linear in the line.
 */
export function isDelimiterRow(line: string): boolean {
  if (!line.includes('-') || /[^-:|> \t\r]/.test(line)) return false;
  const row = line.slice(/^[ \t>]*/.exec(line)![0].length).trimEnd();
  const cells = row.slice(row.startsWith('|') ? 1 : 0, row.endsWith('|') ? -1 : undefined).split('|');
  return cells.every((cell) => DELIMITER_CELL.test(cell.trim()));
}

/** True when a text has a table: see `readSpans`. */
export function hasTable(lines: readonly string[]): boolean {
  return lines.some(isDelimiterRow) && lines.some((line) => line.includes('|'));
}

/**
 * Finds the code spans of a line by the CommonMark rule: a run of backticks opens a span, the next run of the same length
 * closes it, a backslash outside of spans escapes. `loose` are unmatched runs. With `cells`, a pipe ends every span.
 */
export function readSpans({ text, start }: Pick<MarkdownLine, 'text' | 'start'>, cells = false) {
  const spans: CodeSpan[] = [];
  const loose: { start: number; length: number }[] = [];
  let offset = start;
  for (const part of cells ? text.split(/(?<!\\)(?=\|)/) : [text]) {
    readPart(part, offset, { spans, loose });
    offset += part.length;
  }
  return { spans, loose };
}

function readPart(
  text: string,
  offset: number,
  { spans, loose }: { spans: CodeSpan[]; loose: { start: number; length: number }[] },
): void {
  const runs = Array.from(text.matchAll(/`+/g), ({ index, 0: run }) => ({ index, length: run.length }));
  const byLength = runsByLength(runs);
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at]!;
    const escaped = isEscaped(text, open.index) ? 1 : 0;
    const from = open.index + escaped;
    const length = open.length - escaped;
    if (length === 0) continue;
    const partner = nextAbove(byLength.get(length), at);
    const close = runs[partner];
    if (!close) loose.push({ start: offset + from, length });
    else {
      const inside = text.slice(from + length, close.index);
      spans.push({ start: offset + from, end: offset + close.index + length, text: trimSpan(inside) });
      at = partner;
    }
  }
}

/** Indices of the runs by length, last first. */
function runsByLength(runs: readonly { length: number }[]): Map<number, number[]> {
  const byLength = new Map<number, number[]>();
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at]!;
    const same = byLength.get(length);
    if (same) same.push(at);
    else byLength.set(length, [at]);
  }
  return byLength;
}

/** First index above `at`, or -1. Smaller indices are dropped: later calls never need them. */
function nextAbove(numbers: number[] | undefined, at: number): number {
  while (numbers?.length && numbers.at(-1)! <= at) numbers.pop();
  return numbers?.at(-1) ?? -1;
}

/** Strips one space from both ends when both have one and the content is not blank. */
function trimSpan(text: string): string {
  return text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '' ? text.slice(1, -1) : text;
}

/** True when a backslash escapes the character at this offset. */
export function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** Replaces ranges of a text; they must not overlap. */
export function replaceRanges(
  text: string,
  parts: readonly { start: number; end: number; by: string }[],
): string {
  let [result, at] = ['', 0];
  for (const { start, end, by } of parts.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + by;
    at = end;
  }
  return result + text.slice(at);
}
