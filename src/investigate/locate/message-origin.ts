import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { TopK } from '#search/lexical/top-k.ts';
import type { Trace } from '../trace/trace.ts';
import { documentFrequency } from './document-frequency.ts';
import { catalogKeys, isMessageCatalog, parseCatalogEntries } from './message-catalogs.ts';
import { type MessageTemplate, matchTemplate, parseTemplates } from './message-templates.ts';
import { HTTP_STATUS, isHint, printedMessages } from './printed-messages.ts';
import type { SourceReader } from './source-reader.ts';

/** A string literal in the code that produces the message of the error. */
export interface MessageOrigin {
  file: number;
  path: string;
  /** First and last line of the literal. */
  lines: [number, number];
  /** Share of the message's letters that are in the literal, 0 to 1. */
  share: number;
  /** Letters of the message in the literal. */
  letters: number;
  /** Words of the literal. */
  words: number;
  /** Its words: the message of the error, or of one that it led to, or a line of a text without a trace. */
  message: string;
  quote: string;
}

/** Passages whose literals are parsed: for a message, and for each line of a text without a trace. */
const MAX_PASSAGES = 30;
const MAX_LINE_PASSAGES = 25;
/** Terms in more passages do not help to select them. */
const MAX_DOCUMENT_FREQUENCY = 20_000;
/** Minimum number of letters in the literal, and their minimum share of the message. */
const MIN_LETTERS = 8;
const MIN_SHARE = 0.35;
/** This many letters suffice at any share, since long messages contain long values. */
const SUFFICIENT_LETTERS = 24;
const MAX_ORIGINS = 3;
/** A message in a test is expected rather than produced there; one in a catalog is looked up by the code. */
const NON_SOURCE_WEIGHT = 0.4;
/** A line that only says how to learn more. */
const HINT_WEIGHT = 0.3;
/** A line that is indented below the message in a text without a trace, such as the place of the error. */
const DETAIL_WEIGHT = 0.7;

/**
 * Finds the string literals that produced the message: splits the literals of passages with its rare terms at their
 * placeholders (`${x}`, `{x}`, `%s`, `" + x + "`) and matches the pieces in order. A catalog entry leads to its key's uses.
 */
export async function findMessageOrigins(
  trace: Trace,
  { index, sources }: { index: RepositoryIndex; sources: SourceReader },
): Promise<MessageOrigin[]> {
  const { code } = index;
  if (!code) return [];
  const messages = [
    ...[trace.message, stripProgramName(trace.message), trace.code ?? ''],
    ...trace.related.map((error) => error.message),
  ]
    .filter(
      (message, at, all) =>
        message.length >= MIN_LETTERS && !HTTP_STATUS.test(message.trim()) && all.indexOf(message) === at,
    )
    .slice(0, 5);
  const printed = trace.language === null ? printedMessages(trace.lines) : [];
  // Kept by file, since the lines of a text share most of the passages that are compared.
  const sourceFiles = new Map<number, boolean>();
  const isSource = (passage: number) => {
    const [file] = code.passageFiles(passage);
    if (file === undefined) return false;
    const known = sourceFiles.get(file);
    if (known !== undefined) return known;
    const isOne = !isTestOrDocument(code.filePath(file));
    sourceFiles.set(file, isOne);
    return isOne;
  };
  const passages = new Set([
    ...messages.flatMap((message) => findPassagesWith(code, message)),
    ...printed.flatMap((message) =>
      findPassagesWith(code, withoutQuotes(message), MAX_LINE_PASSAGES, isSource),
    ),
  ]);
  const literals = await Promise.all([...passages].map((passage) => readLiterals(code, passage, sources)));
  const all = [...messages, ...printed];
  const matched = literals.flat().flatMap((literal) => matchLiteral(literal, all));
  const origins = selectOrigins(matched, trace);
  const keyUses = await Promise.all(origins.map((origin) => findCatalogKeyUses(code, origin, sources)));
  return selectOrigins([...origins, ...keyUses.flat()], trace);
}

/** Removes what a program prints before its message: `jq: error (at <stdin>:1): `, `error: `. */
function stripProgramName(message: string): string {
  return message.replace(
    /^(?:[\w./-]{1,60}: )?(?:fatal )?(?:error|fatal|warning)(?: \([^()]{1,200}\))?: /i,
    '',
  );
}

/** The best distinct origins; of the many lines of a text without a trace, a long match at the margin is the likelier. */
function selectOrigins(origins: MessageOrigin[], { language, lines }: Trace): MessageOrigin[] {
  const margin = lines.findIndex((line) => /^\S/.test(line));
  const indented = margin < 0 ? [] : lines.slice(margin).filter((line) => /^\s/.test(line));
  const details = new Set(indented.map((line) => line.trim()));
  const score = (origin: MessageOrigin) => {
    if (language !== null) return originScore(origin);
    const weight = details.has(origin.message) ? DETAIL_WEIGHT : 1;
    return originScore(origin) * weight * Math.min(1, origin.letters / SUFFICIENT_LETTERS);
  };
  const distinct = new Map(
    origins
      .toSorted((a, b) => score(a) - score(b))
      .map((origin) => [`${origin.path}:${origin.lines[0]}`, origin]),
  );
  // Of copies of a file, the one nearest to the root is the program.
  const depth = ({ path }: MessageOrigin) => path.split('/').length;
  return [...distinct.values()]
    .sort((a, b) => score(b) - score(a) || depth(a) - depth(b))
    .slice(0, MAX_ORIGINS);
}

/** Folders of tests with names of their own: `testdir/`, `testdata/`. */
const TEST_FOLDER = /(?:^|\/)tests?[-_]?(?:dir|data|cases?|files?|suites?|scripts?)\//i;

/** True where a message is expected or explained rather than produced. */
export function isTestOrDocument(path: string): boolean {
  return isNonSource(path) || TEST_FOLDER.test(path);
}

function originScore({ path, message, share }: MessageOrigin): number {
  const isUnlikely = isTestOrDocument(path) || isMessageCatalog(path);
  return share * (isUnlikely ? NON_SOURCE_WEIGHT : 1) * (isHint(message) ? HINT_WEIGHT : 1);
}

/** Passages with the highest idf of the message's terms in strings and comments, or at half the weight in code. */
function findPassagesWith(
  code: CodeTable,
  message: string,
  limit = MAX_PASSAGES,
  isSearched: (passage: number) => boolean = () => true,
): number[] {
  const scores = new Float32Array(code.passageCount);
  for (const term of new Set(terms(message))) {
    for (const [field, weight] of [
      ['prose', 1],
      ['body', 0.5],
    ] as const) {
      const fieldIndex = code.field(field);
      if (documentFrequency(fieldIndex, term) > MAX_DOCUMENT_FREQUENCY) continue;
      const docs = fieldIndex.postings(term)?.docs ?? [];
      const idf = weight * Math.log(1 + code.passageCount / docs.length);
      for (const passage of docs) scores[passage]! += idf;
    }
  }
  const top = new TopK(limit);
  for (let passage = 0; passage < scores.length; passage++) {
    const score = scores[passage]!;
    if (score > 0 && score >= top.threshold && isSearched(passage)) top.push(passage, score);
  }
  return top.sorted().map(({ doc }) => doc);
}

/** A string literal and its location. */
interface Literal extends Pick<MessageOrigin, 'file' | 'path' | 'lines' | 'quote'> {
  template: MessageTemplate;
}

async function readLiterals(code: CodeTable, passage: number, sources: SourceReader): Promise<Literal[]> {
  const file = code.passageFiles(passage)[0];
  if (file === undefined) return [];
  const path = code.filePath(file);
  const { start, end } = code.passageLines(passage);
  const text = code.passageText(passage)?.replace(/\n$/, '');
  const lines = text?.split('\n') ?? (await sources.lines(path))?.slice(start - 1, end) ?? [];
  const templates = parseTemplates(lines.join('\n'));
  if (isMessageCatalog(path)) templates.push(...parseCatalogEntries(lines));
  return templates.flatMap((template): Literal[] => {
    const quote = lines.slice(template.from, template.to + 1).join('\n');
    if (COMPARISON.test(quote) && !RAISE.test(quote)) return [];
    return [{ file, path, lines: [start + template.from, start + template.to], quote, template }];
  });
}

/** Code that compares a text with a literal rather than producing it: `message.includes('…')`, `text == "…"`, `'…' in text`. */
const COMPARISON =
  /(?:\.(?:includes|startsWith|endsWith|indexOf|match|contains|equals\w*|search|start_with\?|end_with\?|include\?)|\b(?:Contains|HasPrefix|HasSuffix|strn?cmp|strstr|assert\w*))\s*\(\s*[rbuf]?["'`/]|[=!]==?\s*[rbuf]?["'`]|["'`]\s+(?:not\s+)?in\s+\w/;
const RAISE = /\b(?:throw|raise|panic|fail|abort|die|reject)\b|Error|Exception|\b(?:err|log|warn)\w*\s*\(/;

const WORD = /[\p{L}\p{N}_]{2,}/gu;

function matchLiteral({ template, ...place }: Literal, messages: string[]): MessageOrigin[] {
  const { share, letters, message } = messages
    .map((message) => ({ message, ...discountValues(message, matchTemplate(template, message)) }))
    .reduce((a, b) => (b.share > a.share ? b : a), { share: 0, letters: 0, message: '' });
  if (letters < MIN_LETTERS || (share < MIN_SHARE && letters < SUFFICIENT_LETTERS)) return [];
  return [{ ...place, share, letters, message, words: template.pieces.join(' ').match(WORD)?.length ?? 0 }];
}

/** Leaves values in quotes out of the message's letters, unless the literal covers them. */
function discountValues(message: string, match: ReturnType<typeof matchTemplate>): typeof match {
  const words = withoutQuotes(message).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return match.letters === 0
    ? match
    : { ...match, share: Math.max(match.share, Math.min(1, match.letters / Math.max(words, match.letters))) };
}

/** A message without the values in quotes. */
function withoutQuotes(message: string): string {
  return message.replace(/(["'`])[^"'`\n]{2,400}\1/g, '');
}

/** Code that looks up a catalog entry by its key, or by the longest suffix of the key that occurs in code. */
async function findCatalogKeyUses(
  code: CodeTable,
  origin: MessageOrigin,
  sources: SourceReader,
): Promise<MessageOrigin[]> {
  if (!isMessageCatalog(origin.path)) return [];
  const keys = catalogKeys((await sources.lines(origin.path)) ?? [], origin.lines[0] - 1);
  const passages = keys[0] === undefined ? [] : findPassagesWith(code, keys[0]);
  const parsed = await Promise.all(passages.map((passage) => readLiterals(code, passage, sources)));
  const literals = parsed.flat().filter(({ path }) => !isMessageCatalog(path));
  for (const key of keys) {
    if (key.length < MIN_LETTERS && keys.length > 1) continue;
    const found = literals.filter(({ template }) => template.pieces.join('\0') === key);
    if (found.length > 0)
      return found.map(({ template: _, ...place }) => ({
        ...place,
        share: origin.share,
        letters: origin.letters,
        words: origin.words,
        message: origin.message,
      }));
  }
  return [];
}
