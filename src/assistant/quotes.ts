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
const JOINS = /^\s*(?:[([—–-]|in|at|from|en|dans|bei)?\s*[([]?$/i;
/** Between a citation and the quote behind it. */
const LEADS = /^[)\]]?\s*(?::|says|reads|—|–)?\s*$/i;
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
    const block = blockBelow(lines, index, isCitation);
    return [...quotesIn(line, spans, isCitation), ...(block ? [block] : [])];
  });
}

function quotesIn(line: MarkdownLine, spans: CodeSpan[], isCitation: (text: string) => boolean): Quote[] {
  const found: Quote[] = [];
  const taken = new Set<CodeSpan>();
  const between = (from: number, to: number) => line.text.slice(from - line.start, to - line.start);
  const cited = spans.filter(({ text }) => isCitation(text));
  const other = (span: CodeSpan | undefined) => (span && !isCitation(span.text) ? span : null);
  for (const of of cited) {
    const at = spans.indexOf(of);
    const before = other(spans[at - 1]);
    const lead = between(spans[at - 1]?.end ?? line.start, of.start);
    if (before && JOINS.test(lead)) {
      taken.add(before);
      found.push({ of, text: before.text, kind: 'code' });
    }
    const quoted = QUOTED_BEFORE.exec(lead);
    if (quoted && JOINS.test(quoted[2]!)) found.push({ of, text: quoted[1]!, kind: 'words' });
  }
  for (const of of cited) {
    const at = spans.indexOf(of);
    const after = other(spans[at + 1]);
    const trail = between(of.end, spans[at + 1]?.start ?? line.start + line.text.length);
    if (after && !taken.has(after) && LEADS.test(trail)) found.push({ of, text: after.text, kind: 'code' });
    const quoted = QUOTED_AFTER.exec(trail);
    if (quoted && LEADS.test(quoted[1]!)) found.push({ of, text: quoted[2]!, kind: 'words' });
  }
  return found;
}

function lastCitation(line: MarkdownLine, isCitation: (text: string) => boolean): CodeSpan | null {
  if (line.kind !== 'words') return null;
  const last = readSpans(line).spans.at(-1);
  return last && isCitation(last.text) && LAST.test(line.text.slice(last.end - line.start)) ? last : null;
}

function blockBelow(
  lines: MarkdownLine[],
  index: number,
  isCitation: (text: string) => boolean,
): Quote | null {
  const of = lastCitation(lines[index]!, isCitation);
  if (!of) return null;
  const first = lines.findIndex(({ text }, at) => at > index && text.trim() !== '');
  const opening = lines[first];
  if (opening?.kind !== 'code' || PROPOSED.test(opening.text)) return null;
  const rest = lines.slice(first + 1);
  const mark = /^[`~]+/.exec(opening.text)?.[0] ?? '```';
  const end = rest.findIndex(({ kind, text }) => kind !== 'code' || text.trim().startsWith(mark));
  const body = rest.slice(0, end < 0 ? undefined : end).map(({ text }) => text);
  return { of, text: body.join('\n'), kind: 'block' };
}

/** A row that stands for what is left out: `...`, `// …`. */
const LEFT_OUT = /^[\s/#*;-]*(?:\.{3}|…)[\s*/]*$/;
const NUMBER = /^\s*\d{1,7}(?:\t|[:|] ?| {2,})/;

/**
 * Whether a quote stands in a source: white space apart, words also in any case; what it leaves out (`…`) may be anything.
 * Of a name with its owner (`Class.method()`) the last part must stand there.
 */
export function standsIn({ text, kind }: Pick<Quote, 'text' | 'kind'>, source: string): boolean {
  const folded = (part: string) => (kind === 'words' ? part.toLowerCase() : part).replace(/\s+/g, '');
  const whole = folded(source);
  return piecesOf(text, kind).every((piece) => whole.includes(folded(piece)));
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
