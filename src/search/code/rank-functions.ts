import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '../lexical/parse-query.ts';
import { scoreZones } from '../lexical/rank-documents.ts';
import { selectTopK } from '../lexical/top-k.ts';
import { workspaceOf } from '../lexical/workspace.ts';
import type { FrameHint } from '../signals/signal.ts';
import { readBody } from './body-signals.ts';
import type { FunctionCandidate, FunctionSignals } from './function-candidate.ts';
import { computeFunctionSignals } from './function-signals.ts';
import weights from './function-weights.json' with { type: 'json' };
import { type FunctionDefinition, listFunctions } from './list-functions.ts';
import type { RankedFile } from './rank-files.ts';

/** A function in one of the ranked files. */
interface RankedFunction extends Pick<FunctionDefinition, 'symbol' | 'start' | 'end'> {
  readonly file: number;
  /** Log odds up to a constant: softmax over the candidates gives probabilities. */
  readonly score: number;
}

interface RankFunctionsOptions {
  /** Lines of a file; null when it cannot be read, which leaves out its functions. */
  lines(path: string): Promise<readonly string[] | null>;
  /** Frames of a stack trace, innermost first. */
  frames?: readonly FrameHint[];
}

/** Files whose functions are ranked. */
const MAX_FILES = 8;

/**
 * Ranks the functions of the best files for a text, best first, by the weights in `function-weights.json`, which
 * `bench/fit/functions.ts` fits on fixes of public repositories.
 */
export async function rankFunctions(
  index: RepositoryIndex,
  query: Query,
  files: readonly RankedFile[],
  options: RankFunctionsOptions & { limit: number },
): Promise<RankedFunction[]> {
  const { candidates, signals } = await measureFunctions(index, query, files, options);
  const scores = new Float64Array(candidates.length);
  for (const [name, weight] of Object.entries(weights)) {
    signals[name]?.forEach((value, i) => {
      scores[i]! += weight * value;
    });
  }
  return selectTopK(candidates.keys(), (i) => scores[i]!, options.limit).map(({ doc, score }) => {
    const { file, symbol, start, end } = candidates[doc]!;
    return { file, symbol, start, end, score };
  });
}

/** Lists all functions of the best files and computes their signals. */
export async function measureFunctions(
  index: RepositoryIndex,
  query: Query,
  files: readonly RankedFile[],
  { lines, frames = [] }: RankFunctionsOptions,
): Promise<{ candidates: FunctionCandidate[]; signals: FunctionSignals }> {
  const { code } = index;
  const top = files.slice(0, MAX_FILES);
  const texts = code ? await Promise.all(top.map(({ file }) => lines(code.filePath(file)))) : [];
  const { code: space } = workspaceOf(index);
  if (!code || !space) return { candidates: [], signals: {} };
  // Ranking files has left these scores, unless another query ran in between.
  if (space.passages.queryTerms !== query.terms) scoreZones(code, space, query);
  const candidates = top.flatMap(({ file, score }, rank) => {
    const text = texts[rank] ?? [];
    return listFunctions(code, file, text).map((definition) => {
      const { symbol, start, end } = definition;
      const name = symbol.slice(symbol.lastIndexOf('.') + 1);
      const body = readBody(text.slice(start - 1, end), name);
      return { ...definition, file, name, body, fileScoreGap: score - top[0]!.score };
    });
  });
  return { candidates, signals: computeFunctionSignals({ code, query, frames, space, candidates }) };
}
