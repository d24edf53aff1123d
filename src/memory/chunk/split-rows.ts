import type { Definition, Outline } from './outline.ts';

/** Rows of a passage outside definitions, and of a part of a long definition. */
const WINDOW_ROWS = 40;
const MAX_PASSAGE_ROWS = 60;
/** Rows of a container that stays whole. */
const MAX_WHOLE_CONTAINER_ROWS = 24;
/** Rows that move to the passage before, because they close its blocks. */
const MAX_MOVED_ROWS = 12;
/** Nonblank rows of a passage that is merged with its neighbor. */
const MAX_SMALL_ROWS = 4;

/** Rows of one passage, from 0, `end` included. */
export interface RowRange {
  start: number;
  end: number;
  /** The definition that contains these rows; null for none. */
  symbol: string | null;
  /** The enclosing definition; equal to `symbol` for rows between members. */
  around: string | null;
  /** Names whose definitions start here. */
  defines: string[];
  /** True where the first row begins a block. */
  isBlock: boolean;
}

/**
 * Splits the rows of a file into consecutive ranges without gap or overlap.
 *
 *     class Session:            ┐ Session            rows of a large container between its members
 *         """…"""               ┘
 *         def request(self):    ┐ Session.request    a definition of at most 60 rows stays whole
 *             …                 ┘
 *     X = 1                     ┐ null               small neighbors are merged
 *     Y = 2                     ┘
 *     describe('x', () => {     ┐ null               a call with a callback is split between its statements
 *       it('a', () => { … });   ┘
 *       it('b', () => { … });   ┐ null
 *     });                       ┘                    no passage begins with a closing bracket
 */
export function splitRows(lines: readonly string[], outline: Outline): RowRange[] {
  if (lines.length === 0) return [];
  const root = { from: 0, to: lines.length - 1, inside: outline.blocks, symbol: null };
  return mergeSmall(moveClosingRows(splitRange({ lines, outline }, root), lines), lines);
}

interface SourceRows {
  lines: readonly string[];
  outline: Outline;
}

/** Rows of a block or of the file, with the blocks in them. */
interface Block {
  from: number;
  to: number;
  inside: Definition[];
  symbol: string | null;
}

function splitRange(file: SourceRows, block: Block): RowRange[] {
  const { from, to, inside } = block;
  const ranges: RowRange[] = [];
  let at = from;
  for (const definition of inside) {
    const end = Math.min(definition.end, to);
    if (end < at) {
      // Its last row belongs to the previous range: `class A { b() {} }` on one line.
      ranges.at(-1)?.defines.push(...allNames(definition));
      continue;
    }
    const start = includeLeadingRows(file, Math.max(definition.start, at), at);
    ranges.push(...splitWindows(file, at, start - 1, block.symbol));
    ranges.push(...splitBlock(file, start, end, definition, block.symbol));
    at = end + 1;
  }
  ranges.push(...splitWindows(file, at, to, block.symbol));
  return ranges;
}

function splitBlock(
  file: SourceRows,
  start: number,
  end: number,
  definition: Definition,
  around: string | null,
): RowRange[] {
  const symbol = definition.names[0] ?? around;
  if (end - start < maxWholeRows(definition)) {
    return [{ start, end, symbol, around, defines: allNames(definition), isBlock: true }];
  }
  const ranges = splitRange(file, { from: start, to: end, inside: definition.children, symbol });
  ranges[0]!.isBlock = true;
  ranges[0]!.defines.unshift(...definition.names);
  return ranges;
}

/** Rows of a block that stays whole: fewer for those that hold mainly definitions, as classes and module wrappers do. */
function maxWholeRows({ container, names, children, start, end }: Definition): number {
  const named = children.filter((child) => child.names.length > 0);
  const rows = named.reduce((sum, child) => sum + child.end - child.start + 1, 0);
  const isWrapper = names.length === 0 && rows > (end - start + 1) / 2;
  return isWrapper || (container && named.length > 0) ? MAX_WHOLE_CONTAINER_ROWS : MAX_PASSAGE_ROWS;
}

function allNames(definition: Definition): string[] {
  return [...definition.names, ...definition.children.flatMap(allNames)];
}

/**
 * The first row of the comments and decorators right above `start`, but not above `floor`. One blank row may lie
 * between, unless the comment is as long as a file's heading.
 */
function includeLeadingRows({ lines, outline }: SourceRows, start: number, floor: number): number {
  const climb = (row: number) => {
    let first = row;
    while (first > floor && outline.leading.has(first - 1)) first--;
    return first;
  };
  const first = climb(start);
  if (first - 1 <= floor || !isBlank(lines[first - 1]!)) return first;
  const above = climb(first - 1);
  return above < first - 1 && first - above <= WINDOW_ROWS / 2 ? above : first;
}

/** Rows outside definitions in windows of about equal size, which end at a blank row where one is near. */
function splitWindows({ lines }: SourceRows, from: number, to: number, symbol: string | null): RowRange[] {
  const most = symbol === null ? WINDOW_ROWS : MAX_PASSAGE_ROWS;
  const ranges: RowRange[] = [];
  for (let start = from; start <= to; ) {
    const rows = to - start + 1;
    const size = Math.ceil(rows / Math.ceil(rows / most));
    const end = rows <= most ? to : windowEnd(lines, start + size - 1, start + most - 1);
    ranges.push({ start, end, symbol, around: symbol, defines: [], isBlock: false });
    start = end + 1;
  }
  return ranges;
}

/** The blank row nearest to `wanted`, up to a dozen rows away and not beyond `latest`; else `wanted`. */
function windowEnd(lines: readonly string[], wanted: number, latest: number): number {
  for (let away = 0; away <= 12; away++) {
    if (wanted + away <= latest && isBlank(lines[wanted + away]!)) return wanted + away;
    if (isBlank(lines[wanted - away]!)) return wanted - away;
  }
  return wanted;
}

/** Moves rows that close a block from the beginning of a range to the end of the one before. */
function moveClosingRows(ranges: RowRange[], lines: readonly string[]): RowRange[] {
  const moved: RowRange[] = [];
  for (const range of ranges) {
    const before = moved.at(-1);
    if (before && !range.isBlock) {
      const last = Math.min(range.end, range.start + MAX_MOVED_ROWS - 1);
      while (range.start <= last && beginsClosing(lines[range.start]!)) range.start++;
      before.end = range.start - 1;
    }
    if (range.start <= range.end) moved.push(range);
  }
  return moved;
}

const isBlank = (line: string) => !/\S/.test(line);
/** True for rows that close a block, whatever follows: `})`, `}, 1000);`, `} else {`. */
const beginsClosing = (line: string) => /^\s*(?:[\])}]|end\b)/.test(line);
/** True for rows that only close a block. */
const isClosing = (line: string) => /^\s*(?:[\])};,]*|end|#endif.*)\s*$/.test(line);

function mergeSmall(ranges: RowRange[], lines: readonly string[]): RowRange[] {
  const tidied: RowRange[] = [];
  for (const range of ranges) {
    const last = tidied.at(-1);
    if (last && shouldMerge(last, range, lines)) mergeInto(last, range);
    else tidied.push(range);
  }
  return tidied;
}

function shouldMerge(last: RowRange, range: RowRange, lines: readonly string[]): boolean {
  const rows = lines.slice(range.start, range.end + 1);
  if (range.defines.length === 0 && rows.every(isClosing)) return true;
  if (last.around !== range.around || !isSmall(last, lines)) return false;
  return (
    (isHeader(last) || isSmall(range, lines)) && range.end - last.start < MAX_PASSAGE_ROWS + MAX_SMALL_ROWS
  );
}

/** Rows before the first member, such as `class Session:`. */
const isHeader = (range: RowRange) => range.symbol === range.around && range.defines.length <= 1;

function isSmall(range: RowRange, lines: readonly string[]): boolean {
  let full = 0;
  for (let row = range.start; row <= range.end && full <= MAX_SMALL_ROWS; row++)
    if (!isBlank(lines[row]!)) full++;
  return full <= MAX_SMALL_ROWS;
}

function mergeInto(last: RowRange, range: RowRange): void {
  if (range.defines.length > 0 && last.symbol !== range.symbol) {
    last.symbol = isHeader(last) ? range.symbol : last.around;
  }
  last.end = range.end;
  last.defines.push(...range.defines);
}
