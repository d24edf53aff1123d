import { setImmediate as nextTurn } from 'node:timers/promises';
import { showCommit } from '#git/diff.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type Citation, isResolvable, parseCitation, readCitedText, strikeThrough } from './citations.ts';
import {
  type CodeSpan,
  createLineReader,
  hasTable,
  isDelimiterRow,
  isEscaped,
  type MarkdownLine,
  readSpans,
  replaceRanges,
} from './code-spans.ts';
import { containsQuote, findQuotes, introducesBlock, type Quote } from './quotes.ts';

interface Source {
  repo: string;
  memory: RepositoryIndex;
}

/** What has been found of citations and quotes, for a text that grows. */
export type VerdictCache = Map<string, Promise<boolean>>;

/** Characters of a model's text that are read; what follows is cut off, and the reader is told. Pages show 32,000. */
export const MAX_MODEL_TEXT = 31 * 1024;
/** Stands where a text was cut off. */
export const TRUNCATION_NOTICE = '*The answer was cut off here: it was longer than 31 KB.*';

/** Stands before a struck citation whose quoted words are not to be found in it. */
const MISQUOTE_MARK = '≠ ';
const MAX_DIFF_BYTES = 256 * 1024;
/** Citations and quotes that are looked up for one text; further citations count as unresolved. */
const MAX_LOOKUPS = 200;
const MAX_CONCURRENT_LOOKUPS = 8;
/** Characters that are checked before other work of the thread has its turn. */
const MAX_SLICE_LENGTH = 4 * 1024;
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
  known: VerdictCache = new Map(),
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
export async function* streamCheckedLines(
  pieces: AsyncIterable<string>,
  source: Source,
  known: VerdictCache = new Map(),
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
  if (room < 0) for (const line of [checker.openFence() ?? '', '', TRUNCATION_NOTICE]) checker.add(line);
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
function createChecker(source: Source, known: VerdictCache, isTable = false): Checker {
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
    leads = belongs ? line.kind !== 'code' || reader.openFence() !== null : introducesBlock(line, isCitation);
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

  return { add, take, end, isFull: () => length >= MAX_SLICE_LENGTH, openFence: reader.openFence };
}

async function checkLines(
  lines: MarkdownLine[],
  { cells, source, known }: { cells: boolean; source: Source; known: VerdictCache },
): Promise<string> {
  let start = 0;
  const escaped = lines.map((line): MarkdownLine => {
    const text = line.kind === 'words' ? escapeUnmatched(line.text, cells) : line.text;
    const placed = { kind: line.kind, text, start };
    start += text.length + 1;
    return placed;
  });
  const cited = escaped
    .filter(({ kind }) => kind !== 'code')
    .flatMap((line) => readSpans(line, cells && line.text.includes('|')).spans)
    .filter((span) => isCitation(span.text));
  const quotes = Map.groupBy(findQuotes(escaped, isCitation), ({ citation: of }) => of.start);
  const parts: { start: number; end: number; by: string }[] = [];
  for (let at = 0; at < cited.length; at += MAX_CONCURRENT_LOOKUPS) {
    const some = cited.slice(at, at + MAX_CONCURRENT_LOOKUPS);
    const judged = some.map((span) => findReplacement(span, quotes.get(span.start) ?? [], source, known));
    parts.push(...(await Promise.all(judged)).flat());
  }
  return replaceRanges(escaped.map(({ text }) => text).join('\n'), parts);
}

/** What takes the place of a citation; nothing where it may stay. */
async function findReplacement(span: CodeSpan, quotes: Quote[], source: Source, known: VerdictCache) {
  const citation = parseCitation(span.text)!;
  if (!(await memoizeVerdict(known, span.text, () => isResolvable(citation, source)))) {
    return [{ ...span, by: strikeThrough(span.text) }];
  }
  for (const quote of quotes) {
    if (!(await isQuotedCorrectly(citation, quote, source, known))) {
      return [{ ...span, by: strikeThrough(MISQUOTE_MARK + span.text) }];
    }
  }
  return [];
}

function isCitation(text: string): boolean {
  return parseCitation(text) !== null;
}

async function isQuotedCorrectly(
  citation: Citation,
  quote: Quote,
  source: Source,
  known: VerdictCache,
): Promise<boolean> {
  if (namesCitedFile(citation, quote)) return true;
  return await memoizeVerdict(known, JSON.stringify([citation, quote.kind, quote.text]), async () => {
    const text = await readCitedText(citation, source);
    if (text !== null && containsQuote(quote, text)) return true;
    return citation.kind === 'commit' && containsQuote(quote, await changedText(citation.hash, source));
  });
}

/** Names the file rather than what stands in it; beside a commit any single word may be a name. */
function namesCitedFile(citation: Citation, { text, kind }: Quote): boolean {
  if (kind !== 'code') return false;
  if (citation.kind === 'commit') return !/\s/.test(text.trim());
  return citation.path === text || citation.path.split('/').includes(text.replace(/\/$/, ''));
}

async function changedText(hash: string, { repo, memory }: Source): Promise<string> {
  const oid = memory.commits.oid(memory.commits.find(hash));
  const files = await showCommit(repo, oid, { maxBytes: MAX_DIFF_BYTES });
  return files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map(({ text }) => text))).join('\n');
}

/** What was found before, else what `find` says; false once `MAX_LOOKUPS` were made. */
function memoizeVerdict(known: VerdictCache, key: string, find: () => Promise<boolean>): Promise<boolean> {
  const found = known.get(key);
  if (found) return found;
  if (known.size >= MAX_LOOKUPS) return Promise.resolve(false);
  const finding = find();
  known.set(key, finding);
  return finding;
}

/** Backticks without a partner in their line, and the beginnings of tags, lose their meaning. */
function escapeUnmatched(text: string, cells: boolean): string {
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
  return replaceRanges(text, parts);
}
