import { isBesideTheCode } from '#evolution/fixes.ts';
import type { CodeTable, Memory } from '#memory/memory.ts';
import { terms } from '#memory/tokens.ts';
import type { SourceText } from './source-text.ts';
import { matchTemplate, readTemplates } from './templates.ts';
import type { Trace } from './trace/trace.ts';

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
/** A message in a test is expected there, not made. */
const BESIDE_THE_CODE = 0.4;

/**
 * Finds the string literals that the message was made of: passages that hold its rare words are read, their
 * literals cut at the holes (`${x}`, `{x}`, `%s`, `" + x + "`), and the pieces matched against the message in order.
 */
export async function findOrigins(
  trace: Trace,
  { memory, sources }: { memory: Memory; sources: SourceText },
): Promise<Origin[]> {
  const { code } = memory;
  if (!code) return [];
  const messages = [trace.message, trace.code ?? '', ...trace.related.map((error) => error.message)]
    .filter((message) => message.length >= LEAST_LETTERS)
    .slice(0, 4);
  const passages = [...new Set(messages.flatMap((message) => passagesWith(code, message)))];
  const found = await Promise.all(passages.map((passage) => readPassage(code, passage, messages, sources)));
  return distinct(found.flat())
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, MOST_ORIGINS);
}

function rank(origin: Origin): number {
  return origin.share * (isBesideTheCode(origin.path) ? BESIDE_THE_CODE : 1);
}

/** Passages with most of the message's rare words in their strings (or, half as telling, in their code), best first. */
function passagesWith(code: CodeTable, message: string): number[] {
  const scores = new Float32Array(code.passageCount);
  for (const term of new Set(terms(message))) {
    for (const [field, weight] of [
      ['prose', 1],
      ['body', 0.5],
    ] as const) {
      const docs = code.field(field).postings(term)?.docs ?? [];
      if (docs.length > COMMON) continue;
      const idf = weight * Math.log(1 + code.passageCount / docs.length);
      for (const passage of docs) scores[passage]! += idf;
    }
  }
  const found: number[] = [];
  for (let passage = 0; passage < scores.length; passage++) if (scores[passage]! > 0) found.push(passage);
  return found.sort((a, b) => scores[b]! - scores[a]!).slice(0, READ_PASSAGES);
}

async function readPassage(
  code: CodeTable,
  passage: number,
  messages: string[],
  sources: SourceText,
): Promise<Origin[]> {
  const file = code.passageFiles(passage)[0];
  if (file === undefined) return [];
  const path = code.filePath(file);
  const { start, end } = code.passageLines(passage);
  const lines = (await sources.lines(path))?.slice(start - 1, end) ?? [];
  const origins: Origin[] = [];
  for (const template of readTemplates(lines.join('\n'))) {
    const { share, letters } = best(messages.map((message) => matchTemplate(template, message)));
    if (letters < LEAST_LETTERS || (share < LEAST_SHARE && letters < ENOUGH_LETTERS)) continue;
    const span: [number, number] = [start + template.from, start + template.to];
    const quote = lines.slice(template.from, template.to + 1).join('\n');
    origins.push({ file, path, lines: span, share, quote });
  }
  return origins;
}

function best(matches: { share: number; letters: number }[]): { share: number; letters: number } {
  return matches.reduce((a, b) => (b.share > a.share ? b : a), { share: 0, letters: 0 });
}

function distinct(origins: Origin[]): Origin[] {
  const seen = new Map(origins.map((origin) => [`${origin.path}:${origin.lines[0]}`, origin]));
  return [...seen.values()];
}
