import { showCommit } from '#git/diff.ts';
import type { Memory } from '#memory/memory.ts';
import { type Citation, readCitation, readCited, resolves, strike } from './citations.ts';
import { hasTable, isEscaped, type MarkdownLine, readLines, readSpans, replaceParts } from './code-spans.ts';
import { findQuotes, leadsToBlock, type Quote, standsIn } from './quotes.ts';

interface Source {
  repo: string;
  memory: Memory;
}

/** What has been found of citations and quotes, for a text that grows. */
export type Known = Map<string, Promise<boolean>>;

/** Stands before a struck citation whose quoted words are not to be found in it. */
const MISQUOTED = '≠ ';
const MAX_DIFF = 256 * 1024;
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
  const text = escapeLoose(markdown);
  const lines = readLines(text);
  const cells = hasTable(text);
  const spans = lines
    .filter(({ kind }) => kind !== 'code')
    .flatMap((line) => readSpans(line, cells && line.text.includes('|')).spans);
  const cited = spans.filter((span) => readCitation(span.text));
  const quotes = Map.groupBy(findQuotes(lines, isCitation), ({ of }) => of.start);
  const parts = await Promise.all(
    cited.map(async (span) => {
      const citation = readCitation(span.text)!;
      if (!(await once(known, span.text, () => resolves(citation, source)))) {
        return [{ ...span, by: strike(span.text) }];
      }
      const own = quotes.get(span.start) ?? [];
      const held = await Promise.all(own.map((quote) => holds(citation, quote, source, known)));
      return held.every(Boolean) ? [] : [{ ...span, by: strike(MISQUOTED + span.text) }];
    }),
  );
  return replaceParts(text, parts.flat());
}

/**
 * Passes on what a model writes, whole lines at a time, checked by `checkModelText`: none is shown before it is known
 * whether its citations resolve and hold what is quoted.
 */
export async function* checkedLines(
  pieces: AsyncIterable<string>,
  source: Source,
  known: Known = new Map(),
): AsyncGenerator<string, void, undefined> {
  let whole = '';
  let shown = 0;
  for await (const piece of pieces) {
    whole += piece;
    if (!piece.includes('\n')) continue;
    const settled = settledLines(whole);
    if (settled <= shown) continue;
    const end = whole.split('\n').slice(0, settled).join('\n');
    const lines = (await checkModelText(end, source, known)).split('\n');
    yield `${lines.slice(shown).join('\n')}\n`;
    shown = settled;
  }
  const rest = (await checkModelText(whole, source, known)).split('\n').slice(shown).join('\n');
  if (rest !== '') yield rest;
}

/** How many lines can be judged: not the last, nor one whose quoted block is still to come. */
function settledLines(whole: string): number {
  const lines = readLines(whole).slice(0, -1);
  let open = lines.length;
  while (open > 0 && lines[open - 1]!.kind === 'code' && isOpenFence(lines, open)) open -= 1;
  let lead = open;
  while (lead > 0 && lines[lead - 1]!.text.trim() === '') lead -= 1;
  return lead > 0 && leadsToBlock(lines[lead - 1]!, isCitation) ? lead - 1 : lines.length;
}

/** Whether the fence in which the lines end is still open: more code would follow. */
function isOpenFence(lines: MarkdownLine[], end: number): boolean {
  const text = lines.map((line) => line.text).join('\n');
  return end < lines.length || readLines(`${text}\nx`).at(-1)!.kind === 'code';
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

function once(known: Known, key: string, find: () => Promise<boolean>): Promise<boolean> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/** Backticks without a partner in their line, and the beginnings of tags, lose their meaning. */
function escapeLoose(markdown: string): string {
  const cells = hasTable(markdown);
  const parts = readLines(markdown)
    .filter(({ kind }) => kind === 'words')
    .flatMap((line) => {
      const { spans, loose } = readSpans(line, cells && line.text.includes('|'));
      const isCode = (at: number) => spans.some(({ start, end }) => at >= start && at < end);
      const tags = Array.from(line.text.matchAll(TAG), ({ index }) => index)
        .filter((at) => !isEscaped(line.text, at))
        .map((at) => line.start + at)
        .filter((at) => !isCode(at))
        .map((start) => ({ start, end: start + 1, by: '\\<' }));
      const ticks = loose.map(({ start, length }) => ({
        start,
        end: start + length,
        by: '\\`'.repeat(length),
      }));
      return [...tags, ...ticks];
    });
  return replaceParts(markdown, parts);
}
