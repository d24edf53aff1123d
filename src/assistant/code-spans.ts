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
const LISTED = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])+)(?:(`{3,})[^`]*$|(~{3,}))/;
const CLOSING = /^[ >\t]*(`{3,}|~{3,})[ \t]*$/;
/** A row of dashes between pipes makes the rows around it a table, whose cells end every code span. */
const TABLE = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/m;

/** The lines of a markdown text. Where it is in doubt whether a line is code, it counts as words. */
export function readLines(markdown: string): MarkdownLine[] {
  let fence: { mark: string; column: number } | null = null;
  let start = 0;
  return markdown.split('\n').map((text): MarkdownLine => {
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
    const listed = plain ? null : LISTED.exec(text);
    if (plain) fence = { mark: (plain[1] ?? plain[2])!, column: 0 };
    else if (listed) fence = { mark: (listed[2] ?? listed[3])!, column: listed[1]!.length };
    return { ...line, kind: plain ? 'code' : listed ? 'listed' : 'words' };
  });
}

/** Whether a text has a table: see `readSpans`. */
export function hasTable(markdown: string): boolean {
  return TABLE.test(markdown) && markdown.includes('|');
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
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at]!;
    const escaped = isEscaped(text, open.index) ? 1 : 0;
    const from = open.index + escaped;
    const length = open.length - escaped;
    if (length === 0) continue;
    const partner = runs.findIndex((run, index) => index > at && run.length === length);
    const close = runs[partner];
    if (!close) loose.push({ start: offset + from, length });
    else {
      const inside = text.slice(from + length, close.index);
      spans.push({ start: offset + from, end: offset + close.index + length, text: stripped(inside) });
      at = partner;
    }
  }
}

/** One blank is taken from both ends where both have one and there is more than blanks. */
function stripped(text: string): string {
  return text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '' ? text.slice(1, -1) : text;
}

/** Whether a backslash takes the sign at this place its meaning. */
export function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** A text with some of its parts replaced; they must not overlap. */
export function replaceParts(
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
