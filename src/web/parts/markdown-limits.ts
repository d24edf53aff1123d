const MAX_LENGTH = 32_000;
const MAX_NESTING = 50;

/** Marker of a quote or list item at the start of a line. */
const BLOCK_MARKER = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;

/**
 * Limits Markdown to 32,000 characters and quotes and lists to 50 levels. The parser recurses once a level: 1,000
 * levels take 0.1 s, 5,000 overflow its stack.
 */
export function capMarkdown(text: string): string {
  return text.slice(0, MAX_LENGTH).split('\n').map(capNesting).join('\n');
}

function capNesting(line: string): string {
  let end = 0;
  let depth = 0;
  let cut = 0;
  BLOCK_MARKER.lastIndex = 0;
  while (BLOCK_MARKER.test(line)) {
    end = BLOCK_MARKER.lastIndex;
    depth += 1;
    if (depth === MAX_NESTING) cut = end;
  }
  const shallow = depth > MAX_NESTING ? line.slice(0, cut) + line.slice(end) : line;
  // Lists also nest by indentation: at least two columns a level.
  return shallow.replace(/^[ \t]{100,}/, (blanks) => blanks.slice(0, 2 * MAX_NESTING));
}
