import type { Memory } from '#memory/memory.ts';
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
  readonly score: number;
}

/** Files whose definitions are compared. */
const FILES = 12;

/** What the words of the best passage add to its file's score: about what `passages` weighs among the signals. */
const PASSAGE_WEIGHT = 3;

/** Definitions in the best of the ranked files that the text is about, best first. */
export function rankFunctions(
  memory: Memory,
  query: Query,
  files: readonly RankedFile[],
  { limit }: { limit: number },
): RankedFunction[] {
  const { code } = memory;
  const { code: space } = workspaceOf(memory);
  if (!code || !space || files.length === 0) return [];
  scorePassages(code, space, query.terms, space.passages);
  const found = files.slice(0, FILES).flatMap(({ file, score }) => {
    const first = space.firstPassage[file]!;
    const symbols = new Map<string, number>();
    for (let passage = first; passage < first + space.passageCount[file]!; passage++) {
      const symbol = code.passageSymbol(passage);
      if (symbol === null) continue;
      symbols.set(symbol, Math.max(symbols.get(symbol) ?? 0, space.passages.score(passage)));
    }
    return Array.from(symbols, ([symbol, words]) => ({ file, symbol, words, score }));
  });
  const [top, mostWords] = [
    Math.abs(files[0]!.score) || 1,
    Math.max(...found.map(({ words }) => words)) || 1,
  ];
  const scoreOf = (index: number) =>
    found[index]!.score / top + (PASSAGE_WEIGHT * found[index]!.words) / mostWords;
  return best(found.keys(), scoreOf, limit).map(({ document, score }) => {
    const { file, symbol } = found[document]!;
    return { file, symbol, score };
  });
}
