import type { CodeTable, Memory } from '#memory/memory.ts';
import { best } from './best.ts';
import type { RankedFile } from './files.ts';
import type { Query } from './query.ts';
import { scorePassages } from './rank.ts';
import { workspaceOf } from './workspace.ts';

/** A definition in one of the ranked files. */
export interface RankedFunction {
  readonly file: number;
  /** Its full name, such as `Session.request`. */
  readonly symbol: string;
  /** Its first and its last line; of one that is written in pieces, of all of them. */
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** Files whose definitions are compared. */
const FILES = 15;

/**
 * What speaks for a definition, by how much: how likely its file is beside the best one, the words of its best
 * passage and the logarithm of its rows, each as a share of the most. Tried on 390 past fixes of six repositories.
 */
const WEIGHTS = { file: 2, words: 5, rows: 1 };

/**
 * Definitions in the best of the ranked files that the text is about, best first. `scored` says that `rankFiles` has just
 * been asked with the same query: what it left of the passages is read instead of scoring them again.
 */
export function rankFunctions(
  memory: Memory,
  query: Query,
  files: readonly RankedFile[],
  { limit, scored = false }: { limit: number; scored?: boolean },
): RankedFunction[] {
  const { code } = memory;
  const { code: space } = workspaceOf(memory);
  if (!code || !space || files.length === 0) return [];
  if (!scored) scorePassages(code, space, query.terms, space.passages);
  const found = files.slice(0, FILES).flatMap(({ file, score }) => {
    const odds = Math.exp(score - files[0]!.score);
    const wordsOf = (passage: number) => space.passages.score(passage);
    return definitionsOf(code, file, wordsOf).map((definition) => ({ file, odds, ...definition }));
  });
  const mostWords = found.reduce((most, { words }) => Math.max(most, words), 0) || 1;
  const mostRows = found.reduce((most, { rows }) => Math.max(most, Math.log1p(rows)), 0) || 1;
  const scoreOf = (index: number) => {
    const { odds, words, rows } = found[index]!;
    return (
      WEIGHTS.file * odds + (WEIGHTS.words * words) / mostWords + (WEIGHTS.rows * Math.log1p(rows)) / mostRows
    );
  };
  return best(found.keys(), scoreOf, limit).map(({ document, score }) => {
    const { file, symbol, start, end } = found[document]!;
    return { file, symbol, start, end, score };
  });
}

interface Definition extends Pick<RankedFunction, 'symbol' | 'start' | 'end'> {
  words: number;
  rows: number;
}

/** The definitions of a file: the words of the best passage of each, and the rows of all. */
function definitionsOf(code: CodeTable, file: number, wordsOf: (passage: number) => number) {
  const { first, count } = code.filePassages(file);
  const found = new Map<string, Definition>();
  for (let passage = first; passage < first + count; passage++) {
    const symbol = code.passageSymbol(passage);
    if (symbol === null) continue;
    const { start, end } = code.passageLines(passage);
    const before = found.get(symbol);
    found.set(symbol, {
      symbol,
      start: Math.min(before?.start ?? start, start),
      end: Math.max(before?.end ?? end, end),
      words: Math.max(before?.words ?? 0, wordsOf(passage)),
      rows: (before?.rows ?? 0) + end - start + 1,
    });
  }
  return [...found.values()];
}
