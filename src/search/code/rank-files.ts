import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import type { Query } from '../lexical/parse-query.ts';
import type { RankedPassage } from '../lexical/rank-documents.ts';
import { selectTopK } from '../lexical/top-k.ts';
import { type CodeWorkspace, workspaceOf } from '../lexical/workspace.ts';
import { TEXT_SIGNALS } from '../signals/measure-signals.ts';
import type { FrameHint } from '../signals/signal.ts';
import type { EmbeddingSimilarity } from './embedding-similarity.ts';
import { fuseSignals } from './fuse-signals.ts';

export interface RankedFile {
  readonly file: number;
  readonly score: number;
  /** The file's best passages for the text, at most three. Empty when only other signals matched. */
  readonly passages: RankedPassage[];
  /** Every signal above 0, relative to the best file. */
  readonly signals: Record<string, number>;
}

interface RankFilesOptions {
  /** Frames of a stack trace, innermost first. */
  frames?: FrameHint[];
  /** Text that the code is expected to contain, such as an error message. */
  literals?: string[];
  /** Candidate files; all files when absent, with a penalty for those that are not source code. */
  candidates?: readonly number[];
  limit: number;
  /** Embedding of the text. */
  embedding?: QueryEmbedding | null;
}

const PASSAGES_PER_FILE = 3;
const SIMILARITY_TIE_BREAK = 1e-3;

/**
 * Ranks files for a text by their fused signals, best first. Empty when no signal of the text matches, and while the
 * index has no code.
 */
export function rankFiles(index: RepositoryIndex, query: Query, options: RankFilesOptions): RankedFile[] {
  const { code } = index;
  const { code: space, history } = workspaceOf(index);
  if (!code || !space) return [];
  const { frames = [], literals = [], candidates, limit, embedding } = options;
  const input = { index, code, query, frames, literals, space, history };
  const { signals, similarity, scores } = fuseSignals(input, candidates, embedding);
  const matching = (candidates ?? Array.from(scores.keys())).filter(
    (file) => TEXT_SIGNALS.some((name) => signals[name][file]! > 0) || similarity?.files[file],
  );
  const all = similarity ? { ...signals, embedding: similarity.files } : signals;
  return selectTopK(matching, (file) => scores[file]!, limit).map(({ doc: file, score }) => ({
    file,
    score,
    passages: bestPassages(space, file, similarity),
    signals: Object.fromEntries(
      Object.entries(all)
        .map(([name, values]) => [name, values[file]!] as const)
        .filter(([, value]) => value > 0),
    ),
  }));
}

/** Reads the scores that the `passages` signal left in the scorer; passages that match by embedding alone come last. */
function bestPassages(
  space: CodeWorkspace,
  file: number,
  similarity: EmbeddingSimilarity | null,
): RankedPassage[] {
  const first = space.firstPassage[file]!;
  const passages = Array.from({ length: space.passageCount[file]! }, (_, ordinal) => first + ordinal);
  const similarityOf = (passage: number) => similarity?.passages[passage] ?? 0;
  const matching = passages.filter(
    (passage) => space.passages.score(passage) > 0 || similarityOf(passage) > 0,
  );
  // Below the score of any word, so that similarity only breaks ties.
  const score = (passage: number) =>
    space.passages.score(passage) + SIMILARITY_TIE_BREAK * similarityOf(passage);
  return selectTopK(matching, score, PASSAGES_PER_FILE).map(({ doc, score }) => {
    return { passage: doc, file, score };
  });
}
