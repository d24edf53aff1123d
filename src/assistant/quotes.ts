import { type CodeSpan, type MarkdownLine, readSpans } from './code-spans.ts';

/** Words or code that stand beside a citation as if they stood in what it points at. */
export interface Quote {
  /** The citation's span. */
  of: CodeSpan;
  text: string;
  /** `words` stand between quotation marks, `code` in a span, `block` in a fenced block below the line. */
  kind: 'words' | 'code' | 'block';
}

/** Between a quote and the citation behind it: "`x` in `path…`", "“x” (`path…`". */
const JOINS = /^(?:[([—–-]|in|at|from|en|dans|bei)?\s*[([]?$/i;
/** Between a citation and the quote behind it. */
const LEADS = /^[)\]]?\s*(?::|says|reads|—|–)?$/i;
const OPENS = '[“"„«]';
const WORDS = '([^“”"„«»\\n]{3,400})';
const CLOSES = '[”“"»]';
const QUOTED_BEFORE = new RegExp(`${OPENS}${WORDS}${CLOSES}([^“”"„«»]*)$`);
const QUOTED_AFTER = new RegExp(`^([^“”"„«»]*)${OPENS}${WORDS}${CLOSES}`);
/** A line that ends with its citation speaks of the block below. */
const LAST = /^[\s)\].:]*$/;
/** What is proposed stands in blocks as well. */
const PROPOSED = /^[ \t]*[`~]{3,}\s*(?:diff|patch|suggestion)\b/i;

/** Whether the line ends with a citation, so that a block below it would be a quote of that. */
export function leadsToBlock(line: MarkdownLine, isCitation: (text: string) => boolean): boolean {
  return lastCitation(line, isCitation) !== null;
}

/** The quotes of a text, each with its citation. A quote between two citations belongs to the second. */
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
    if (before && JOINS.test(lead.trim())) {
      taken.add(before);
      found.push({ of, text: before.text, kind: 'code' });
    }
    const quoted = QUOTED_BEFORE.exec(lead);
    if (quoted && JOINS.test(quoted[2]!.trim())) found.push({ of, text: quoted[1]!, kind: 'words' });
  });
  spans.forEach((of, at) => {
    if (!cited.has(of)) return;
    const after = other(spans[at + 1]);
    const trail = between(of.end, spans[at + 1]?.start ?? line.start + line.text.length);
    if (after && !taken.has(after) && LEADS.test(trail.trim()))
      found.push({ of, text: after.text, kind: 'code' });
    const quoted = QUOTED_AFTER.exec(trail);
    if (quoted && LEADS.test(quoted[1]!.trim())) found.push({ of, text: quoted[2]!, kind: 'words' });
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
  return last && isCitation(last.text) && LAST.test(line.text.slice(last.end - line.start)) ? last : null;
}

function blockBelow(lines: MarkdownLine[], index: number, of: CodeSpan): Quote | null {
  let first = index + 1;
  while (lines[first]?.text.trim() === '') first += 1;
  const opening = lines[first];
  if (opening?.kind !== 'code' || PROPOSED.test(opening.text)) return null;
  const mark = /^[`~]+/.exec(opening.text)?.[0] ?? '```';
  const body: string[] = [];
  for (let at = first + 1; at < lines.length; at++) {
    const { kind, text } = lines[at]!;
    if (kind !== 'code' || text.trim().startsWith(mark)) break;
    body.push(text);
  }
  return { of, text: body.join('\n'), kind: 'block' };
}

/** A row that stands for what is left out: `...`, `// …`. */
const LEFT_OUT = /^[\s/#*;-]*(?:\.{3}|…)[\s*/]*$/;
/** Pieces that one quote may have: each is looked for in the whole source. */
const MAX_PIECES = 50;
const SHORT_PIECE = 64;
const NUMBER = /^\s*\d{1,7}(?:\t|[:|] ?| {2,})/;

/**
 * Whether a quote stands in a source: white space apart, words also in any case; what it leaves out (`…`) may be anything.
 * Of a name with its owner (`Class.method()`) the last part must stand there.
 */
export function standsIn({ text, kind }: Pick<Quote, 'text' | 'kind'>, source: string): boolean {
  const folded = (part: string) => (kind === 'words' ? part.toLowerCase() : part).replace(/\s+/g, '');
  const pieces = new Set(piecesOf(text, kind).map(folded));
  if (pieces.size > MAX_PIECES) return false;
  const whole = folded(source);
  return [...pieces].every((piece) => contains(whole, piece));
}

/** `includes` may need the product of both lengths; a long piece is searched by Knuth, Morris and Pratt in their sum. */
function contains(whole: string, piece: string): boolean {
  if (piece.length <= SHORT_PIECE) return whole.includes(piece);
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

function piecesOf(text: string, kind: Quote['kind']): string[] {
  if (kind === 'block') {
    const rows = text.split('\n');
    const isNumbered = rows.every((row) => row.trim() === '' || NUMBER.test(row) || LEFT_OUT.test(row));
    const plain = isNumbered ? rows.map((row) => row.replace(NUMBER, '')) : rows;
    return plain
      .map((row) => (LEFT_OUT.test(row) ? '\0' : row))
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
