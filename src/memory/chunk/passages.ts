import { detectLanguage, hasGrammar, isProse } from './languages.ts';
import { outlineByLayout } from './layout-outline.ts';
import { type Outline, parseOutline } from './outline.ts';
import { extractScripts } from './scripts.ts';
import { type RowRange, splitRows } from './split-rows.ts';

/** A file in passages. */
export interface ChunkedFile {
  language: string;
  lineCount: number;
  passages: Passage[];
}

/** Lines that are indexed and shown as one document. Lines count from 1. */
export interface Passage {
  start: number;
  end: number;
  symbol: string | null;
  defines: string[];
  /** Consecutive runs of code or prose, as ranges of UTF-16 units. */
  runs: { prose: boolean; from: number; to: number }[];
}

/** Chunks a file along its syntax, or by lines without a grammar. Every line is in exactly one passage. */
export async function chunkFile(path: string, text: string): Promise<ChunkedFile> {
  const language = detectLanguage(path, text);
  const lines = linesOf(text);
  return assemble(text, language, lines, await readOutline(language, text, lines));
}

/** Chunks a file by lines, for text that a parser fails on. */
export function chunkByLines(path: string, text: string): ChunkedFile {
  return assemble(text, detectLanguage(path, text), linesOf(text), null);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function assemble(
  text: string,
  language: string,
  lines: readonly string[],
  outline: Outline | null,
): ChunkedFile {
  const known = outline ?? emptyOutline(isProse(language), text.length);
  const starts = lineStarts(lines);
  const runsOf = runReader(known.prose);
  const toPassage = ({ start, end, symbol, defines }: RowRange): Passage => {
    const runs = runsOf(starts[start]!, Math.min(starts[end + 1]!, text.length));
    return { start: start + 1, end: end + 1, symbol, defines, runs };
  };
  const passages = splitRows(lines, known).map(toPassage);
  return { language, lineCount: lines.length, passages };
}

async function readOutline(
  language: string,
  text: string,
  lines: readonly string[],
): Promise<Outline | null> {
  if (hasGrammar(language)) return parseOutline(language, text);
  const scripts = extractScripts(language, text);
  return scripts === null ? outlineByLayout(language, lines) : parseOutline('typescript', scripts);
}

function emptyOutline(prose: boolean, length: number): Outline {
  return { definitions: [], blocks: [], prose: prose ? [0, length] : [], leading: new Set() };
}

function lineStarts(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1);
  return starts;
}

/** Returns a function that splits ascending ranges of the text into runs of code and prose. */
function runReader(prose: readonly number[]): (from: number, to: number) => Passage['runs'] {
  let next = 0;
  return (from, to) => {
    const runs: Passage['runs'] = [];
    let at = from;
    while (next < prose.length && prose[next]! < to) {
      const [start, end] = [Math.max(prose[next]!, at), Math.min(prose[next + 1]!, to)];
      if (start > at) runs.push({ prose: false, from: at, to: start });
      if (end > start) runs.push({ prose: true, from: start, to: end });
      at = Math.max(at, end);
      if (prose[next + 1]! > to) break;
      next += 2;
    }
    if (at < to) runs.push({ prose: false, from: at, to });
    return runs;
  };
}
