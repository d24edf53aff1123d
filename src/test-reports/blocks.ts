/** Lines between one start and the next start or end. */
interface LogBlock {
  /** Match of the start line. */
  start: RegExpExecArray;
  /** Lines behind the start line. */
  lines: string[];
}

/** Lines of one block; the rest of a longer one is cut. */
const MAX_BLOCK_LINES = 400;

/** Cuts lines into blocks that begin with `start` and end before the next one or before `end`. */
export function cutBlocks(lines: readonly string[], start: RegExp, end: RegExp): LogBlock[] {
  const blocks: LogBlock[] = [];
  let current: LogBlock | null = null;
  for (const line of lines) {
    const match = start.exec(line);
    if (match) {
      current = { start: match, lines: [] };
      blocks.push(current);
    } else if (end.test(line)) current = null;
    else if (current && current.lines.length < MAX_BLOCK_LINES) current.lines.push(line);
  }
  return blocks;
}

/** The lines between the first that matches `from` and the next that matches `to`, of every such section. */
export function cutSections(lines: readonly string[], from: RegExp, to: RegExp): string[] {
  const found: string[] = [];
  let isInside = false;
  for (const line of lines) {
    if (from.test(line)) isInside = true;
    else if (isInside && to.test(line)) isInside = false;
    else if (isInside) found.push(line);
  }
  return found;
}

/** Removes the indentation that all lines share. */
export function dedent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)![0].length);
  const shared = indents.length > 0 ? Math.min(...indents) : 0;
  return lines.map((line) => line.slice(shared)).join('\n');
}

/** The first capture of a pattern in any of the lines; null when none matches. */
export function findInLines(lines: readonly string[], pattern: RegExp): string | null {
  for (const line of lines) {
    const match = pattern.exec(line);
    if (match) return match[1] ?? null;
  }
  return null;
}
