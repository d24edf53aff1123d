import { setImmediate as nextTurn } from 'node:timers/promises';
import { showCommit } from '#git/diff.ts';
import type { Memory } from '#memory/memory.ts';
import { type Citation, readCitation, readCited, resolves, strike } from './citations.ts';
import {
  type CodeSpan,
  createLineReader,
  hasTable,
  isDelimiterRow,
  isEscaped,
  type MarkdownLine,
  readSpans,
  replaceParts,
} from './code-spans.ts';
import { findQuotes, leadsToBlock, type Quote, standsIn } from './quotes.ts';

interface Source {
  repo: string;
  memory: Memory;
}

/** What has been found of citations and quotes, for a text that grows. */
export type Known = Map<string, Promise<boolean>>;

/** Characters of a model's text that are read; what follows is cut off, and the reader is told. Pages show 32,000. */
export const MAX_MODEL_TEXT = 31 * 1024;
/** Stands where a text was cut off. */
export const CUT_NOTE = '*The answer was cut off here: it was longer than 31 KB.*';

/** Stands before a struck citation whose quoted words are not to be found in it. */
const MISQUOTED = '≠ ';
const MAX_DIFF = 256 * 1024;
/** Citations and quotes that are looked up for one text; further citations count as unresolved. */
const MAX_LOOKUPS = 200;
const LOOKUPS_AT_ONCE = 8;
/** Characters that are checked before other work of the thread has its turn. */
const SLICE = 4 * 1024;
/** Markdown takes each of the three for the end of a line. */
const LINE_END = /\r\n|\n|\r/;
/** A tag, or what a browser takes for one. */
const TAG = /<(?=[!?/A-Za-z])/g;

/**
 * What a model wrote, made safe to be shown: a citation that does not resolve is struck out, and so is one beside which stands
 * a quote that it does not hold. Signs that would make code or tags of more than one line are escaped, so that what is
 * shown as a citation is what was checked.
 */
export async function checkModelText(
  markdown: string,
  source: Source,
  known: Known = new Map(),
): Promise<string> {
  const lines = markdown.split(LINE_END);
  const checker = createChecker(source, known, hasTable(lines));
  let checked = '';
  for (const line of lines) {
    checker.add(line);
    if (checker.isFull()) checked += await checker.take();
  }
  return (checked + (await checker.end())).slice(0, -1);
}

/**
 * Passes on what a model writes, whole lines at a time, checked as by `checkModelText`: none is shown before it is known
 * whether its citations resolve and hold what is quoted. Each line is read once. Stops the model at `MAX_MODEL_TEXT`.
 */
export async function* checkedLines(
  pieces: AsyncIterable<string>,
  source: Source,
  known: Known = new Map(),
): AsyncGenerator<string, void, undefined> {
  const checker = createChecker(source, known);
  // A carriage return at the end of a piece may be half a line end: the last line is split once more at the end.
  let room = MAX_MODEL_TEXT;
  let rest = '';
  for await (const piece of pieces) {
    rest += piece.slice(0, room);
    room -= piece.length;
    if (room >= 0 && !piece.includes('\n')) continue;
    const lines = rest.split(LINE_END);
    rest = lines.pop()!;
    for (const line of lines) {
      checker.add(line);
      if (!checker.isFull()) continue;
      const checked = await checker.take();
      if (checked !== '') yield checked;
    }
    const checked = await checker.take();
    if (checked !== '') yield checked;
    if (room < 0) break;
  }
  for (const line of rest.split(LINE_END)) checker.add(line);
  if (room < 0) for (const line of [checker.openFence() ?? '', '', CUT_NOTE]) checker.add(line);
  const last = (await checker.end()).slice(0, -1);
  if (last !== '') yield last;
}

/** Checks lines in the order in which they come; each checked line is handed out with its line feed. */
interface Checker {
  add(text: string): void;
  /** Whether there is enough to check before more is added. */
  isFull(): boolean;
  /** The lines that can be judged by now. */
  take(): Promise<string>;
  /** All others: no line follows. */
  end(): Promise<string>;
  openFence(): string | null;
}

/**
 * A line waits while what follows may change how it is judged: one that ends with a citation for the block that it may
 * quote, one with a pipe for the delimiter row that would make cells of it.
 */
function createChecker(source: Source, known: Known, isTable = false): Checker {
  const reader = createLineReader();
  let table = isTable;
  let ready: MarkdownLine[] = [];
  let waiting: MarkdownLine[] = [];
  let length = 0;
  /** Whether the first waiting line leads to a block, the end of which is still to come. */
  let leads = false;

  function add(text: string): void {
    const line = reader.next(text);
    length += text.length;
    table ||= isDelimiterRow(text);
    const belongs = leads && (line.kind === 'code' || text.trim() === '');
    if (!belongs) settle();
    waiting.push(line);
    leads = belongs ? line.kind !== 'code' || reader.openFence() !== null : leadsToBlock(line, isCitation);
    if (!leads && !text.includes('|')) settle();
  }

  function settle(): void {
    for (const line of waiting) ready.push(line);
    waiting = [];
    leads = false;
  }

  async function take(): Promise<string> {
    const lines = ready;
    ready = [];
    length = 0;
    if (lines.length === 0) return '';
    await nextTurn();
    return `${await checkLines(lines, { cells: table, source, known })}\n`;
  }

  function end(): Promise<string> {
    settle();
    return take();
  }

  return { add, take, end, isFull: () => length >= SLICE, openFence: reader.openFence };
}

async function checkLines(
  lines: MarkdownLine[],
  { cells, source, known }: { cells: boolean; source: Source; known: Known },
): Promise<string> {
  let start = 0;
  const escaped = lines.map((line): MarkdownLine => {
    const text = line.kind === 'words' ? escapeLoose(line.text, cells) : line.text;
    const placed = { kind: line.kind, text, start };
    start += text.length + 1;
    return placed;
  });
  const cited = escaped
    .filter(({ kind }) => kind !== 'code')
    .flatMap((line) => readSpans(line, cells && line.text.includes('|')).spans)
    .filter((span) => isCitation(span.text));
  const quotes = Map.groupBy(findQuotes(escaped, isCitation), ({ of }) => of.start);
  const parts: { start: number; end: number; by: string }[] = [];
  for (let at = 0; at < cited.length; at += LOOKUPS_AT_ONCE) {
    const some = cited.slice(at, at + LOOKUPS_AT_ONCE);
    const judged = some.map((span) => judge(span, quotes.get(span.start) ?? [], source, known));
    parts.push(...(await Promise.all(judged)).flat());
  }
  return replaceParts(escaped.map(({ text }) => text).join('\n'), parts);
}

/** What takes the place of a citation; nothing where it may stay. */
async function judge(span: CodeSpan, quotes: Quote[], source: Source, known: Known) {
  const citation = readCitation(span.text)!;
  if (!(await once(known, span.text, () => resolves(citation, source)))) {
    return [{ ...span, by: strike(span.text) }];
  }
  for (const quote of quotes) {
    if (!(await holds(citation, quote, source, known))) {
      return [{ ...span, by: strike(MISQUOTED + span.text) }];
    }
  }
  return [];
}

function isCitation(text: string): boolean {
  return readCitation(text) !== null;
}

async function holds(citation: Citation, quote: Quote, source: Source, known: Known): Promise<boolean> {
  if (isAbout(citation, quote)) return true;
  return await once(known, JSON.stringify([citation, quote.kind, quote.text]), async () => {
    const text = await readCited(citation, source);
    if (text !== null && standsIn(quote, text)) return true;
    return citation.kind === 'commit' && standsIn(quote, await changedText(citation.hash, source));
  });
}

/** Names the file rather than what stands in it; beside a commit any single word may be a name. */
function isAbout(citation: Citation, { text, kind }: Quote): boolean {
  if (kind !== 'code') return false;
  if (citation.kind === 'commit') return !/\s/.test(text.trim());
  return citation.path === text || citation.path.split('/').includes(text.replace(/\/$/, ''));
}

async function changedText(hash: string, { repo, memory }: Source): Promise<string> {
  const oid = memory.commits.oid(memory.commits.find(hash));
  const files = await showCommit(repo, oid, { maxBytes: MAX_DIFF });
  return files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map(({ text }) => text))).join('\n');
}

/** What was found before, else what `find` says; false once `MAX_LOOKUPS` were made. */
function once(known: Known, key: string, find: () => Promise<boolean>): Promise<boolean> {
  const found = known.get(key);
  if (found) return found;
  if (known.size >= MAX_LOOKUPS) return Promise.resolve(false);
  const finding = find();
  known.set(key, finding);
  return finding;
}

/** Backticks without a partner in their line, and the beginnings of tags, lose their meaning. */
function escapeLoose(text: string, cells: boolean): string {
  const { spans, loose } = readSpans({ text, start: 0 }, cells && text.includes('|'));
  const parts = loose.map(({ start, length }) => {
    return { start, end: start + length, by: '\\`'.repeat(length) };
  });
  let span = 0;
  for (const { index } of text.matchAll(TAG)) {
    while (span < spans.length && spans[span]!.end <= index) span += 1;
    const isCode = span < spans.length && index >= spans[span]!.start;
    if (!isCode && !isEscaped(text, index)) parts.push({ start: index, end: index + 1, by: '\\<' });
  }
  return replaceParts(text, parts);
}
