/** A code span of a markdown text: where it stands, backticks included, and what it holds. */
export interface CodeSpan {
  start: number;
  end: number;
  text: string;
}

export interface MarkdownLine {
  /** Offset of its first character in the text. */
  start: number;
  /** Without its line feed. */
  text: string;
  /** `code`: inside a fenced block, or one of its fences. `listed`: the same in a list or a quotation, which may end it. */
  kind: 'words' | 'code' | 'listed';
}

/** Fences that nothing stands before, so that nothing but a fence ends them. */
const FENCE = /^(`{3,})[^`]*$|^(~{3,})/;
const LISTED_FENCE = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])+)(?:(`{3,})[^`]*$|(~{3,}))/;
const CLOSING = /^[ >\t]*(`{3,}|~{3,})[ \t]*$/;
const DELIMITER_CELL = /^:?-+:?$/;

/** Reads the lines of a markdown text one after the other. */
export interface LineReader {
  next(text: string): MarkdownLine;
  /** What closes the fenced block in which the lines so far end; null outside of blocks and in one of a list. */
  openFence(): string | null;
}

/** A reader at the beginning of a text. Where it is in doubt whether a line is code, it counts as words. */
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

/** The lines of a markdown text. */
export function readLines(markdown: string): MarkdownLine[] {
  const reader = createLineReader();
  return markdown.split('\n').map((text) => reader.next(text));
}

/**
 * Whether a line is a table's delimiter row: dashes between pipes make the rows around it a table, whose cells end every
 * code span. Splitting comes before matching, so that the time grows with the line and not with its square.
 */
export function isDelimiterRow(line: string): boolean {
  if (!line.includes('-') || /[^-:|> \t\r]/.test(line)) return false;
  const row = line.slice(/^[ \t>]*/.exec(line)![0].length).trimEnd();
  const cells = row.slice(row.startsWith('|') ? 1 : 0, row.endsWith('|') ? -1 : undefined).split('|');
  return cells.every((cell) => DELIMITER_CELL.test(cell.trim()));
}

/** Whether a text has a table: see `readSpans`. */
export function hasTable(lines: readonly string[]): boolean {
  return lines.some(isDelimiterRow) && lines.some((line) => line.includes('|'));
}

/**
 * The code spans of a line, by the rule of CommonMark: a run of backticks opens one, the next run of the same length closes
 * it; a backslash outside of spans takes a backtick its meaning. `loose` are the places of runs without a partner, which
 * might find one in another line. With `cells` no span goes beyond a pipe.
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

/** The numbers of the runs of each length, the last first. */
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

/** The first number above `at`, or -1. Numbers that are passed are dropped: later runs ask for later ones only. */
function nextAbove(numbers: number[] | undefined, at: number): number {
  while (numbers?.length && numbers.at(-1)! <= at) numbers.pop();
  return numbers?.at(-1) ?? -1;
}

/** One blank is taken from both ends where both have one and there is more than blanks. */
function trimSpan(text: string): string {
  return text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '' ? text.slice(1, -1) : text;
}

/** Whether a backslash takes the sign at this place its meaning. */
export function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** A text with some of its parts replaced; they must not overlap. */
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
