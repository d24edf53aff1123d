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
import type { CitableIssues } from './issue-record.ts';
import { containsQuote, findQuotes, introducesBlock, type Quote } from './quotes.ts';

interface Source {
  repo: string;
  index: RepositoryIndex;
  citableIssues?: CitableIssues | undefined;
}

/** Verdicts on citations and quotes of a text that is streamed. */
export type VerdictCache = Map<string, Promise<boolean>>;

/** Characters of a model's text; longer texts are truncated with a notice. Pages show 32,000. */
export const MAX_MODEL_TEXT = 31 * 1024;
/** Notice at the end of a truncated text. */
export const TRUNCATION_NOTICE = '*The answer was cut off here: it was longer than 31 KB.*';

/** Mark of a struck-out citation that does not contain its quote. */
const MISQUOTE_MARK = '≠ ';
const MAX_DIFF_BYTES = 256 * 1024;
/** Lookups of citations and quotes for one text; further citations count as unresolved. */
const MAX_LOOKUPS = 200;
const MAX_CONCURRENT_LOOKUPS = 8;
/** Characters that are checked before the event loop gets a turn. */
const MAX_SLICE_LENGTH = 4 * 1024;
/** Line endings of Markdown. */
const LINE_END = /\r\n|\n|\r/;
/** Start of an HTML tag, as browsers parse it. */
const TAG = /<(?=[!?/A-Za-z])/g;

/**
 * Validates a model's markdown: citations that do not resolve, or that do not contain the adjacent quote, are struck out.
 * Characters that would open multi-line code or tags are escaped, so that exactly the checked citations are rendered.
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
    if (checker.isFull()) checked += await checker.takeReady();
  }
  return (checked + (await checker.end())).slice(0, -1);
}

/**
 * Streams a model's text in whole lines, validated as by `checkModelText`: no line is emitted before its citations and quotes
 * are checked. Each line is parsed once. Stops the model at `MAX_MODEL_TEXT`.
 */
export async function* streamCheckedLines(
  pieces: AsyncIterable<string>,
  source: Source,
  known: VerdictCache = new Map(),
): AsyncGenerator<string, void, undefined> {
  const checker = createChecker(source, known);
  // A carriage return at the end of a piece may be half a line ending: the last line is split again at the end.
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
      const checked = await checker.takeReady();
      if (checked !== '') yield checked;
    }
    const checked = await checker.takeReady();
    if (checked !== '') yield checked;
    if (room < 0) break;
  }
  for (const line of rest.split(LINE_END)) checker.add(line);
  if (room < 0) for (const line of [checker.openFence() ?? '', '', TRUNCATION_NOTICE]) checker.add(line);
  const last = (await checker.end()).slice(0, -1);
  if (last !== '') yield last;
}

/** Checks lines in order; each checked line is returned with its line feed. */
interface Checker {
  add(text: string): void;
  /** True when enough text is pending for a check. */
  isFull(): boolean;
  /** Checks the lines that no following line can affect. */
  takeReady(): Promise<string>;
  /** Checks all remaining lines. */
  end(): Promise<string>;
  openFence(): string | null;
}

/**
 * A line is pending while following lines may change its verdict: one that ends with a citation may quote a block, one with
 * a pipe may become a table row.
 */
function createChecker(source: Source, known: VerdictCache, isTable = false): Checker {
  const reader = createLineReader();
  let table = isTable;
  let ready: MarkdownLine[] = [];
  let waiting: MarkdownLine[] = [];
  let length = 0;
  /** True while the first pending line introduces a block that has not ended. */
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

  return { add, takeReady: take, end, isFull: () => length >= MAX_SLICE_LENGTH, openFence: reader.openFence };
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

/** Replacement of a citation that fails its checks; none for a valid one. */
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
    if (citation.kind === 'issue' && !source.citableIssues) return true;
    const text = await readCitedText(citation, source);
    if (text !== null && containsQuote(quote, text)) return true;
    return citation.kind === 'commit' && containsQuote(quote, await changedText(citation.hash, source));
  });
}

/** True when the quote names the cited file instead of its content; beside a commit, any single word may be a name. */
function namesCitedFile(citation: Citation, { text, kind }: Quote): boolean {
  if (kind !== 'code') return false;
  if (citation.kind !== 'lines') return !/\s/.test(text.trim());
  return citation.path === text || citation.path.split('/').includes(text.replace(/\/$/, ''));
}

async function changedText(hash: string, { repo, index }: Source): Promise<string> {
  const oid = index.commits.oid(index.commits.find(hash));
  const files = await showCommit(repo, oid, { maxBytes: MAX_DIFF_BYTES });
  return files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map(({ text }) => text))).join('\n');
}

/** Memoizes a verdict; false once `MAX_LOOKUPS` were made. */
function memoizeVerdict(known: VerdictCache, key: string, find: () => Promise<boolean>): Promise<boolean> {
  const found = known.get(key);
  if (found) return found;
  if (known.size >= MAX_LOOKUPS) return Promise.resolve(false);
  const finding = find();
  known.set(key, finding);
  return finding;
}

/** Escapes unmatched backticks and starts of tags. */
function escapeUnmatched(text: string, cells: boolean): string {
  const { spans, loose } = readSpans({ text, start: 0 }, cells && text.includes('|'));
  const parts = loose.map(({ start, length }) => {
    return { start, end: start + length, by: '\\`'.repeat(length) };
  });
  let span = 0;
  for (const { index: i } of text.matchAll(TAG)) {
    while (span < spans.length && spans[span]!.end <= i) span += 1;
    const isCode = span < spans.length && i >= spans[span]!.start;
    if (!isCode && !isEscaped(text, i)) parts.push({ start: i, end: i + 1, by: '\\<' });
  }
  return replaceRanges(text, parts);
}
