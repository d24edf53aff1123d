import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import type { Query } from '../query/parse-query.ts';
import type { RankedPassage } from '../rank-documents.ts';
import { selectTopK } from '../scoring/top-k.ts';
import { TEXT_SIGNALS } from '../signals/measure-signals.ts';
import type { FrameHint } from '../signals/signal.ts';
import { type CodeWorkspace, workspaceOf } from '../workspace.ts';
import type { EmbeddingSimilarity } from './embedding-similarity.ts';
import { fuseSignals } from './fuse-signals.ts';

export interface RankedFile {
  readonly file: number;
  readonly score: number;
  /** The file's best passages for the text, at most three. Empty when other signals brought it here. */
  readonly passages: RankedPassage[];
  /** What spoke for it: each signal above 0, as a share of the best file's. */
  readonly signals: Record<string, number>;
}

export interface RankFilesOptions {
  /** Places that a trace names, innermost first. */
  frames?: FrameHint[];
  /** Pieces of text that the code itself is thought to contain. */
  literals?: string[];
  /** The files that may be meant; all of them, those of the program first, when nothing is said. */
  candidates?: readonly number[];
  limit: number;
  /** What the text means to an embedding model. */
  embedding?: QueryEmbedding | null;
}

const PASSAGES_PER_FILE = 3;
const SIMILARITY_TIE_BREAK = 1e-3;

/**
 * Files that a text is about, best first, by the fused signals of `fuse.ts`. Nothing is returned for a text that
 * says nothing about any file, and while the memory has no code.
 */
export function rankFiles(memory: RepositoryIndex, query: Query, options: RankFilesOptions): RankedFile[] {
  const { code } = memory;
  const { code: space, history } = workspaceOf(memory);
  if (!code || !space) return [];
  const { frames = [], literals = [], candidates: among, limit, embedding: meaning } = options;
  const input = { memory, code, query, frames, literals, space, history };
  const { signals: measured, similarity: nearness, scores } = fuseSignals(input, among, meaning);
  const candidates = (among ?? Array.from(scores.keys())).filter(
    (file) => TEXT_SIGNALS.some((name) => measured[name][file]! > 0) || nearness?.files[file],
  );
  const all = nearness ? { ...measured, meaning: nearness.files } : measured;
  return selectTopK(candidates, (file) => scores[file]!, limit).map(({ doc: file, score }) => ({
    file,
    score,
    passages: bestPassages(space, file, nearness),
    signals: Object.fromEntries(
      Object.entries(all)
        .map(([name, values]) => [name, values[file]!] as const)
        .filter(([, value]) => value > 0),
    ),
  }));
}

/** Reads what the signal `passages` left in the scorer; those that are near without a common word come last. */
function bestPassages(space: CodeWorkspace, file: number, nearness: EmbeddingSimilarity | null): RankedPassage[] {
  const first = space.firstPassage[file]!;
  const passages = Array.from({ length: space.passageCount[file]! }, (_, ordinal) => first + ordinal);
  const near = (passage: number) => nearness?.passages[passage] ?? 0;
  const matching = passages.filter((passage) => space.passages.score(passage) > 0 || near(passage) > 0);
  // Nearness counts less than the smallest word: it sorts what words leave equal.
  const score = (passage: number) => space.passages.score(passage) + SIMILARITY_TIE_BREAK * near(passage);
  return selectTopK(matching, score, PASSAGES_PER_FILE).map(({ doc: document, score }) => {
    return { passage: document, file, score };
  });
}
