import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { TopK } from '#search/scoring/top-k.ts';
import { documentFrequency } from '../text/document-frequency.ts';
import type { SourceReader } from '../text/source-reader.ts';
import type { Trace } from '../trace/trace.ts';
import { isMessageCatalog, catalogKeys, parseCatalogEntries } from './message-catalogs.ts';
import { matchTemplate, parseTemplates, type MessageTemplate } from './message-templates.ts';

/** Code that makes the message of the error. */
export interface MessageOrigin {
  file: number;
  path: string;
  /** First and last line of the literal. */
  lines: [number, number];
  /** Share of the message's letters that are written in the literal: 0 to 1. */
  share: number;
  quote: string;
}

/** Passages whose text is read in search of the literal. */
const MAX_PASSAGES = 30;
/** A term in more passages than this is of no use in choosing them. */
const MAX_DOCUMENT_FREQUENCY = 20_000;
/** Letters that have to be written in the code, and their share of the message, to call it the origin. */
const MIN_LETTERS = 8;
const MIN_SHARE = 0.35;
/** So many letters in a row suffice whatever the share: long messages carry long values. */
const SUFFICIENT_LETTERS = 24;
const MAX_ORIGINS = 3;
/** A message in a test is expected there, not made; one in a catalog is asked for by the code. */
const NON_SOURCE_WEIGHT = 0.4;

/**
 * Finds the string literals that the message was made of: passages that hold its rare words are read, their
 * literals cut at the holes (`${x}`, `{x}`, `%s`, `" + x + "`), and the pieces matched against the message in order.
 * A sentence that is kept under a key, as translations are, leads to the code that names the key.
 */
export async function findMessageOrigins(
  trace: Trace,
  { memory, sources }: { memory: RepositoryIndex; sources: SourceReader },
): Promise<MessageOrigin[]> {
  const { code } = memory;
  if (!code) return [];
  const messages = [trace.message, trace.code ?? '', ...trace.related.map((error) => error.message)]
    .filter((message) => message.length >= MIN_LETTERS)
    .slice(0, 4);
  const passages = [...new Set(messages.flatMap((message) => findPassagesWith(code, message)))];
  const read = await Promise.all(passages.map((passage) => readLiterals(code, passage, sources)));
  const made = selectOrigins(read.flat().flatMap((literal) => matchLiteral(literal, messages)));
  const asked = await Promise.all(made.map((origin) => findCatalogKeyUses(code, origin, sources)));
  return selectOrigins([...made, ...asked.flat()]);
}

/** The likeliest origins, each place once. */
function selectOrigins(origins: MessageOrigin[]): MessageOrigin[] {
  const distinct = new Map(origins.map((origin) => [`${origin.path}:${origin.lines[0]}`, origin]));
  return [...distinct.values()].sort((a, b) => originScore(b) - originScore(a)).slice(0, MAX_ORIGINS);
}

function originScore(origin: MessageOrigin): number {
  const beside = isNonSource(origin.path) || isMessageCatalog(origin.path);
  return origin.share * (beside ? NON_SOURCE_WEIGHT : 1);
}

/** Passages with most of the message's rare words in their strings (or, half as telling, in their code), best first. */
function findPassagesWith(code: CodeTable, message: string): number[] {
  const scores = new Float32Array(code.passageCount);
  for (const term of new Set(terms(message))) {
    for (const [field, weight] of [
      ['prose', 1],
      ['body', 0.5],
    ] as const) {
      const index = code.field(field);
      if (documentFrequency(index, term) > MAX_DOCUMENT_FREQUENCY) continue;
      const docs = index.postings(term)?.docs ?? [];
      const idf = weight * Math.log(1 + code.passageCount / docs.length);
      for (const passage of docs) scores[passage]! += idf;
    }
  }
  const kept = new TopK(MAX_PASSAGES);
  for (let passage = 0; passage < scores.length; passage++) {
    const score = scores[passage]!;
    if (score > 0 && score >= kept.threshold) kept.push(passage, score);
  }
  return kept.sorted().map(({ doc: document }) => document);
}

/** A literal of the code and where it stands. */
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
  return templates.map((template) => ({
    file,
    path,
    lines: [start + template.from, start + template.to],
    quote: lines.slice(template.from, template.to + 1).join('\n'),
    template,
  }));
}

function matchLiteral({ template, ...place }: Literal, messages: string[]): MessageOrigin[] {
  const { share, letters } = messages
    .map((message) => matchTemplate(template, message))
    .reduce((a, b) => (b.share > a.share ? b : a), { share: 0, letters: 0 });
  if (letters < MIN_LETTERS || (share < MIN_SHARE && letters < SUFFICIENT_LETTERS)) return [];
  return [{ ...place, share }];
}

/** Code that asks for the sentence of a catalog by its key: by the longest ending of it that any code names. */
async function findCatalogKeyUses(code: CodeTable, origin: MessageOrigin, sources: SourceReader): Promise<MessageOrigin[]> {
  if (!isMessageCatalog(origin.path)) return [];
  const keys = catalogKeys((await sources.lines(origin.path)) ?? [], origin.lines[0] - 1);
  const passages = keys[0] === undefined ? [] : findPassagesWith(code, keys[0]);
  const read = await Promise.all(passages.map((passage) => readLiterals(code, passage, sources)));
  const literals = read.flat().filter(({ path }) => !isMessageCatalog(path));
  for (const key of keys) {
    if (key.length < MIN_LETTERS && keys.length > 1) continue;
    const found = literals.filter(({ template }) => template.pieces.join('\0') === key);
    if (found.length > 0)
      return found.map(({ template: _, ...place }) => ({ ...place, share: origin.share }));
  }
  return [];
}
