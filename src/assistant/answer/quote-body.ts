import { escapeMarkdown } from './markdown.ts';

/** Limits of a quotation, and the relevance of a paragraph to what was asked, 0 or more. */
interface QuoteOptions {
  maxLength?: number;
  relevanceOf?: (paragraph: string) => number;
}

const DEFAULT_LENGTH = 600;
/** Longer bodies are lists of squashed commits; their end is not read. */
const MAX_BODY_LENGTH = 16_000;
const MAX_PARAGRAPHS = 80;
/** Share of the best relevance from which another paragraph is quoted as well. */
const CLOSE_SHARE = 0.7;
const MAX_LINE_LENGTH = 280;
const TRAILER =
  /^(?:Signed-off-by|Co-authored-by|Reviewed-by|Change-Id|Acked-by|Cc|PiperOrigin-RevId|git-svn-id):.*\n?/gim;
const LIST_ITEM = /\n(?=[ \t]*(?:[*+-]|\d+[.)])[ \t])/;
const OMITTED = '…';

/**
 * Body of a commit message as a block quote, without its trailers; empty without one. Of a long one, only the paragraphs that are
 * most relevant, or the first ones; the citation of the commit leads to the rest.
 */
export function quoteMessageBody(
  message: string,
  { maxLength = DEFAULT_LENGTH, relevanceOf }: QuoteOptions = {},
): string {
  const body = message
    .slice(message.search(/\n\s*\n|$/))
    .replace(TRAILER, '')
    .trim();
  if (body.length <= maxLength) return quote(body);
  const paragraphs = splitParagraphs(body.slice(0, MAX_BODY_LENGTH), maxLength);
  const chosen = new Set(chooseParagraphs(paragraphs, maxLength, relevanceOf));
  const parts: string[] = [];
  paragraphs.forEach((paragraph, at) => {
    if (chosen.has(at)) parts.push(cutAtWord(paragraph, maxLength));
    else if (parts.at(-1) !== OMITTED) parts.push(OMITTED);
  });
  return quote(parts.join('\n\n'));
}

/** Paragraphs of a body; one that is too long is split at the items of its list. */
function splitParagraphs(body: string, maxLength: number): string[] {
  return body
    .split(/\n\s*\n/)
    .flatMap((paragraph) => (paragraph.length > maxLength ? paragraph.split(LIST_ITEM) : [paragraph]))
    .slice(0, MAX_PARAGRAPHS);
}

/** Numbers of the paragraphs that fit into the length: those nearly as relevant as the best, or the first ones. */
function chooseParagraphs(
  paragraphs: readonly string[],
  maxLength: number,
  relevanceOf: QuoteOptions['relevanceOf'],
): number[] {
  const ranked = paragraphs.map((text, at) => ({ at, text, relevance: relevanceOf?.(text) ?? 0 }));
  ranked.sort((a, b) => b.relevance - a.relevance || a.at - b.at);
  const best = ranked[0]?.relevance ?? 0;
  const chosen: number[] = [];
  let length = 0;
  for (const { at, text, relevance } of ranked) {
    length += text.length;
    const isNext = relevance >= CLOSE_SHARE * best && length <= maxLength;
    if (chosen.length > 0 && !isNext) break;
    chosen.push(at);
  }
  return chosen;
}

function cutAtWord(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/\s+\S*$/, '')}${OMITTED}` : text;
}

function quote(text: string): string {
  if (text === '') return '';
  return text
    .split('\n')
    .flatMap((line) => line.match(LINE_PART) ?? [''])
    .map((line) => `> ${escapeMarkdown(line)}`.trimEnd())
    .join('\n');
}

/** A part of a line that ends at a word, where one of its words is not too long. */
const LINE_PART = new RegExp(`.{1,${MAX_LINE_LENGTH}}(?=\\s|$)|.{1,${MAX_LINE_LENGTH}}`, 'g');
