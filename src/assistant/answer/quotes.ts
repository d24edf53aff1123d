import { type CodeSpan, type MarkdownLine, readSpans } from './code-spans.ts';

/** Text or code adjacent to a citation, which claims to be a quote of the cited source. */
export interface Quote {
  /** Span of the citation. */
  citation: CodeSpan;
  text: string;
  /** `words`: in quotation marks; `code`: in a code span; `block`: in a fenced block below the line. */
  kind: 'words' | 'code' | 'block';
}

/** Text between a quote and the citation after it: "`x` in `path…`", "“x” (`path…`". */
const BEFORE_CITATION = /^(?:[([—–-]|in|at|from|en|dans|bei)?\s*[([]?$/i;
/** Text between a citation and the quote after it. */
const AFTER_CITATION = /^[)\]]?\s*(?::|says|reads|—|–)?$/i;
const OPENING_QUOTE = '[“"„«]';
const QUOTED_TEXT = '([^“”"„«»\\n]{3,400})';
const CLOSING_QUOTE = '[”“"»]';
const QUOTED_BEFORE = new RegExp(`${OPENING_QUOTE}${QUOTED_TEXT}${CLOSING_QUOTE}([^“”"„«»]*)$`);
const QUOTED_AFTER = new RegExp(`^([^“”"„«»]*)${OPENING_QUOTE}${QUOTED_TEXT}${CLOSING_QUOTE}`);
/** Rest of a line that ends with its citation, which then refers to the block below. */
const AFTER_LAST_CITATION = /^[\s)\].:]*$/;
/** Opening fence of a proposal, which is not a quote. */
const PROPOSAL_FENCE = /^[ \t]*[`~]{3,}\s*(?:diff|patch|suggestion)\b/i;

/** True when the line ends with a citation, so that a block below it is a quote. */
export function introducesBlock(line: MarkdownLine, isCitation: (text: string) => boolean): boolean {
  return lastCitation(line, isCitation) !== null;
}

/** Finds the quotes of a text with their citations. A quote between two citations belongs to the second. */
export function findQuotes(lines: MarkdownLine[], isCitation: (text: string) => boolean): Quote[] {
  return lines.flatMap((line, index) => {
    if (line.kind !== 'words') return [];
    const { spans } = readSpans(line);
    const of = endsWithCitation(line, spans, isCitation);
    const block = of && blockBelow(lines, index, of);
    return [...quotesIn(line, spans, isCitation), ...(block ? [block] : [])];
  });
}

function quotesIn(line: MarkdownLine, spans: CodeSpan[], isCitation: (text: string) => boolean): Quote[] {
  const found: Quote[] = [];
  const taken = new Set<CodeSpan>();
  const between = (from: number, to: number) => line.text.slice(from - line.start, to - line.start);
  const cited = new Set(spans.filter(({ text }) => isCitation(text)));
  const other = (span: CodeSpan | undefined) => (span && !cited.has(span) ? span : null);
  spans.forEach((of, at) => {
    if (!cited.has(of)) return;
    const before = other(spans[at - 1]);
    const lead = between(spans[at - 1]?.end ?? line.start, of.start);
    if (before && BEFORE_CITATION.test(lead.trim())) {
      taken.add(before);
      found.push({ citation: of, text: before.text, kind: 'code' });
    }
    const quoted = QUOTED_BEFORE.exec(lead);
    if (quoted && BEFORE_CITATION.test(quoted[2]!.trim()))
      found.push({ citation: of, text: quoted[1]!, kind: 'words' });
  });
  spans.forEach((of, at) => {
    if (!cited.has(of)) return;
    const after = other(spans[at + 1]);
    const trail = between(of.end, spans[at + 1]?.start ?? line.start + line.text.length);
    if (after && !taken.has(after) && AFTER_CITATION.test(trail.trim()))
      found.push({ citation: of, text: after.text, kind: 'code' });
    const quoted = QUOTED_AFTER.exec(trail);
    if (quoted && AFTER_CITATION.test(quoted[1]!.trim()))
      found.push({ citation: of, text: quoted[2]!, kind: 'words' });
  });
  return found;
}

function lastCitation(line: MarkdownLine, isCitation: (text: string) => boolean): CodeSpan | null {
  if (line.kind !== 'words' || !line.text.includes('`')) return null;
  return endsWithCitation(line, readSpans(line).spans, isCitation);
}

function endsWithCitation(
  line: MarkdownLine,
  spans: CodeSpan[],
  isCitation: (text: string) => boolean,
): CodeSpan | null {
  const last = spans.at(-1);
  return last && isCitation(last.text) && AFTER_LAST_CITATION.test(line.text.slice(last.end - line.start))
    ? last
    : null;
}

function blockBelow(lines: MarkdownLine[], index: number, of: CodeSpan): Quote | null {
  let first = index + 1;
  while (lines[first]?.text.trim() === '') first += 1;
  const opening = lines[first];
  if (opening?.kind !== 'code' || PROPOSAL_FENCE.test(opening.text)) return null;
  const mark = /^[`~]+/.exec(opening.text)?.[0] ?? '```';
  const body: string[] = [];
  for (let at = first + 1; at < lines.length; at++) {
    const { kind, text } = lines[at]!;
    if (kind !== 'code' || text.trim().startsWith(mark)) break;
    body.push(text);
  }
  return { citation: of, text: body.join('\n'), kind: 'block' };
}

/** Line that marks an omission: `...`, `// …`. */
const ELISION = /^[\s/#*;-]*(?:\.{3}|…)[\s*/]*$/;
/** Pieces of one quote: each is searched in the whole source. */
const MAX_PIECES = 50;
const MAX_NAIVE_SEARCH_LENGTH = 64;
const LINE_NUMBER = /^\s*\d{1,7}(?:\t|[:|] ?| {2,})/;

/**
 * True when the source contains the quote, ignoring whitespace and, for words, case; an omission (`…`) matches anything.
 * For a qualified name (`Class.method()`) the last part must occur.
 */
export function containsQuote({ text, kind }: Pick<Quote, 'text' | 'kind'>, source: string): boolean {
  const folded = (part: string) => (kind === 'words' ? part.toLowerCase() : part).replace(/\s+/g, '');
  const pieces = new Set(quotePieces(text, kind).map(folded));
  if (pieces.size > MAX_PIECES) return false;
  const whole = folded(source);
  return [...pieces].every((piece) => includesLinear(whole, piece));
}

/** Knuth–Morris–Pratt search for long pieces, linear in both lengths; `includes` may be quadratic. */
function includesLinear(whole: string, piece: string): boolean {
  if (piece.length <= MAX_NAIVE_SEARCH_LENGTH) return whole.includes(piece);
  const borders = new Int32Array(piece.length);
  for (let at = 1, matched = 0; at < piece.length; at++) {
    while (matched > 0 && piece[at] !== piece[matched]) matched = borders[matched - 1]!;
    if (piece[at] === piece[matched]) matched += 1;
    borders[at] = matched;
  }
  for (let at = 0, matched = 0; at < whole.length; at++) {
    while (matched > 0 && whole[at] !== piece[matched]) matched = borders[matched - 1]!;
    if (whole[at] === piece[matched]) matched += 1;
    if (matched === piece.length) return true;
  }
  return false;
}

function quotePieces(text: string, kind: Quote['kind']): string[] {
  if (kind === 'block') {
    const rows = text.split('\n');
    const isNumbered = rows.every((row) => row.trim() === '' || LINE_NUMBER.test(row) || ELISION.test(row));
    const plain = isNumbered ? rows.map((row) => row.replace(LINE_NUMBER, '')) : rows;
    return plain
      .map((row) => (ELISION.test(row) ? '\0' : row))
      .join('\n')
      .split('\0');
  }
  const name = /^[\w$]+(?:(?:\.|::|#|->)[\w$]+)*(?:\(\))?$/.test(text);
  const last = name
    ? text
        .replace(/\(\)$/, '')
        .split(/\.|::|#|->/)
        .at(-1)!
    : text;
  const trimmed = kind === 'words' ? last.replace(/[.,;:!?]+$/, '') : last;
  return trimmed.split(/\.{3}|…/);
}
