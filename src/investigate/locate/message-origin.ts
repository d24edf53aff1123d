import { isBesideTheCode } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { Best } from '#search/scoring/top-k.ts';
import { documentCount } from '../text/document-frequency.ts';
import type { SourceText } from '../text/source-reader.ts';
import type { Trace } from '../trace/trace.ts';
import { isCatalog, keysOf, readEntries } from './message-catalogs.ts';
import { matchTemplate, readTemplates, type Template } from './message-templates.ts';

/** Code that makes the message of the error. */
export interface Origin {
  file: number;
  path: string;
  /** First and last line of the literal. */
  lines: [number, number];
  /** Share of the message's letters that are written in the literal: 0 to 1. */
  share: number;
  quote: string;
}

/** Passages whose text is read in search of the literal. */
const READ_PASSAGES = 30;
/** A term in more passages than this is of no use in choosing them. */
const COMMON = 20_000;
/** Letters that have to be written in the code, and their share of the message, to call it the origin. */
const LEAST_LETTERS = 8;
const LEAST_SHARE = 0.35;
/** So many letters in a row suffice whatever the share: long messages carry long values. */
const ENOUGH_LETTERS = 24;
const MOST_ORIGINS = 3;
/** A message in a test is expected there, not made; one in a catalog is asked for by the code. */
const BESIDE_THE_CODE = 0.4;

/**
 * Finds the string literals that the message was made of: passages that hold its rare words are read, their
 * literals cut at the holes (`${x}`, `{x}`, `%s`, `" + x + "`), and the pieces matched against the message in order.
 * A sentence that is kept under a key, as translations are, leads to the code that names the key.
 */
export async function findOrigins(
  trace: Trace,
  { memory, sources }: { memory: RepositoryIndex; sources: SourceText },
): Promise<Origin[]> {
  const { code } = memory;
  if (!code) return [];
  const messages = [trace.message, trace.code ?? '', ...trace.related.map((error) => error.message)]
    .filter((message) => message.length >= LEAST_LETTERS)
    .slice(0, 4);
  const passages = [...new Set(messages.flatMap((message) => passagesWith(code, message)))];
  const read = await Promise.all(passages.map((passage) => readPassage(code, passage, sources)));
  const made = best(read.flat().flatMap((literal) => madeFrom(literal, messages)));
  const asked = await Promise.all(made.map((origin) => askedFor(code, origin, sources)));
  return best([...made, ...asked.flat()]);
}

/** The likeliest origins, each place once. */
function best(origins: Origin[]): Origin[] {
  const distinct = new Map(origins.map((origin) => [`${origin.path}:${origin.lines[0]}`, origin]));
  return [...distinct.values()].sort((a, b) => rank(b) - rank(a)).slice(0, MOST_ORIGINS);
}

function rank(origin: Origin): number {
  const beside = isBesideTheCode(origin.path) || isCatalog(origin.path);
  return origin.share * (beside ? BESIDE_THE_CODE : 1);
}

/** Passages with most of the message's rare words in their strings (or, half as telling, in their code), best first. */
function passagesWith(code: CodeTable, message: string): number[] {
  const scores = new Float32Array(code.passageCount);
  for (const term of new Set(terms(message))) {
    for (const [field, weight] of [
      ['prose', 1],
      ['body', 0.5],
    ] as const) {
      const index = code.field(field);
      if (documentCount(index, term) > COMMON) continue;
      const docs = index.postings(term)?.docs ?? [];
      const idf = weight * Math.log(1 + code.passageCount / docs.length);
      for (const passage of docs) scores[passage]! += idf;
    }
  }
  const kept = new Best(READ_PASSAGES);
  for (let passage = 0; passage < scores.length; passage++) {
    const score = scores[passage]!;
    if (score > 0 && score >= kept.least) kept.offer(passage, score);
  }
  return kept.hits().map(({ document }) => document);
}

/** A literal of the code and where it stands. */
interface Literal extends Pick<Origin, 'file' | 'path' | 'lines' | 'quote'> {
  template: Template;
}

async function readPassage(code: CodeTable, passage: number, sources: SourceText): Promise<Literal[]> {
  const file = code.passageFiles(passage)[0];
  if (file === undefined) return [];
  const path = code.filePath(file);
  const { start, end } = code.passageLines(passage);
  const text = code.passageText(passage)?.replace(/\n$/, '');
  const lines = text?.split('\n') ?? (await sources.lines(path))?.slice(start - 1, end) ?? [];
  const templates = readTemplates(lines.join('\n'));
  if (isCatalog(path)) templates.push(...readEntries(lines));
  return templates.map((template) => ({
    file,
    path,
    lines: [start + template.from, start + template.to],
    quote: lines.slice(template.from, template.to + 1).join('\n'),
    template,
  }));
}

function madeFrom({ template, ...place }: Literal, messages: string[]): Origin[] {
  const { share, letters } = messages
    .map((message) => matchTemplate(template, message))
    .reduce((a, b) => (b.share > a.share ? b : a), { share: 0, letters: 0 });
  if (letters < LEAST_LETTERS || (share < LEAST_SHARE && letters < ENOUGH_LETTERS)) return [];
  return [{ ...place, share }];
}

/** Code that asks for the sentence of a catalog by its key: by the longest ending of it that any code names. */
async function askedFor(code: CodeTable, origin: Origin, sources: SourceText): Promise<Origin[]> {
  if (!isCatalog(origin.path)) return [];
  const keys = keysOf((await sources.lines(origin.path)) ?? [], origin.lines[0] - 1);
  const passages = keys[0] === undefined ? [] : passagesWith(code, keys[0]);
  const read = await Promise.all(passages.map((passage) => readPassage(code, passage, sources)));
  const literals = read.flat().filter(({ path }) => !isCatalog(path));
  for (const key of keys) {
    if (key.length < LEAST_LETTERS && keys.length > 1) continue;
    const found = literals.filter(({ template }) => template.pieces.join('\0') === key);
    if (found.length > 0)
      return found.map(({ template: _, ...place }) => ({ ...place, share: origin.share }));
  }
  return [];
}
