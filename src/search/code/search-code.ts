import type { z } from 'zod';
import { isoTime } from '#contract/iso-time.ts';
import type { commitHit, passageHit } from '#contract/search.ts';
import { type BlobReader, openBlobReader } from '#git/blobs.ts';
import type { CodeTable, CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { parseQuery, type Query } from '../lexical/parse-query.ts';
import { type RankedPassage, rankCommits, rankPassages } from '../lexical/rank-documents.ts';
import { selectTopK } from '../lexical/top-k.ts';
import { measureEmbeddingSimilarity } from './embedding-similarity.ts';
import { extractSnippet } from './snippet.ts';

type PassageHit = z.infer<typeof passageHit>;
type CommitHit = z.infer<typeof commitHit>;

interface SearchOptions {
  /** Absolute path of the bare repository, for texts that the index does not store. */
  repo: string;
  index: RepositoryIndex;
  q: string;
  /** Maximum number of passages and of commits. */
  limit: number;
  /** Embedding of `q`. */
  embedding?: QueryEmbedding | null;
  signal?: AbortSignal;
}

/** A full hash or an abbreviation of git's default length. */
const COMMIT_HASH = /^[0-9a-f]{7,64}$/i;

const MAX_SNIPPET_LINES = 6;

/** Larger files are not indexed by default. */
const MAX_SNIPPET_SOURCE_BYTES = 4 * 1024 * 1024;

/** Searches passages and commits, best first. A commit hash or its prefix also matches the commit. */
export async function searchCodeAndCommits(
  options: SearchOptions,
): Promise<{ passages: PassageHit[]; commits: CommitHit[] }> {
  const { index, q, limit } = options;
  const query = parseQuery(q);
  const passages = await searchPassages(query, options);
  await yieldIfDue(options.signal);
  return { passages, commits: findCommits(index, q, query, limit) };
}

/** Searches passages only; each comes with its best-matching lines. */
export async function searchPassages(
  query: Query,
  { repo, index, limit, embedding, signal }: Omit<SearchOptions, 'q'>,
): Promise<PassageHit[]> {
  const ranked = rankHybrid(index, query, { limit, embedding });
  const { code } = index;
  if (ranked.length === 0 || !code) return [];
  const blobs = openBlobReader(repo, { signal });
  try {
    return await Promise.all(
      ranked.map(async (found) =>
        toPassageHit(code, found, await readPassageText(code, blobs, found), query),
      ),
    );
  } finally {
    blobs.close();
  }
}

/** Embedding similarity of the most similar passage relative to the BM25F score of the best one. */
const PASSAGE_SIMILARITY_WEIGHT = 0.7;
/** Passages ranked by words per requested passage, before embedding similarity reorders them. */
const OVERSAMPLING = 4;

/** Combines BM25F with embedding similarity; BM25F alone without an embedding. */
export function rankHybrid(
  index: RepositoryIndex,
  query: Query,
  { limit, embedding }: Pick<SearchOptions, 'limit' | 'embedding'>,
): RankedPassage[] {
  const { code } = index;
  const files = embedding && code ? Array.from({ length: code.fileCount }, (_, file) => file) : [];
  const similarity = code && measureEmbeddingSimilarity(code, embedding, files);
  if (!code || !similarity) return rankPassages(index, query, { limit });
  const ranked = rankPassages(index, query, { limit: OVERSAMPLING * limit });
  const weight = PASSAGE_SIMILARITY_WEIGHT * (ranked[0]?.score ?? 1);
  const similarityOf = (passage: number) => similarity.passages[passage]!;
  const byWords = new Set(ranked.map(({ passage }) => passage));
  const others = Array.from(similarity.passages.keys()).filter(
    (passage) => similarityOf(passage) > 0 && !byWords.has(passage),
  );
  const all = [
    ...ranked.map((hit) => ({ ...hit, score: hit.score + weight * similarityOf(hit.passage) })),
    ...selectTopK(others, similarityOf, limit).map(({ doc, score }) => {
      return { passage: doc, file: code.passageFiles(doc)[0]!, score: weight * score };
    }),
  ];
  return all.sort((a, b) => b.score - a.score).slice(0, limit);
}

function toPassageHit(
  code: CodeTable,
  { passage, file, score }: RankedPassage,
  text: string,
  query: Query,
): PassageHit {
  const { start, end } = code.passageLines(passage);
  const shown = extractSnippet(text, query, MAX_SNIPPET_LINES);
  return {
    path: code.filePath(file),
    start_line: start,
    end_line: end,
    symbol: code.passageSymbol(passage),
    language: code.fileLanguage(file),
    score,
    snippet: shown.text,
    snippet_start_line: start + shown.offset,
  };
}

/** Lines of a passage, from the index or else from git. */
export async function readPassageText(
  code: CodeTable,
  blobs: BlobReader,
  { passage, file }: Pick<RankedPassage, 'passage' | 'file'>,
): Promise<string> {
  return (
    code.passageText(passage)?.replace(/\n$/, '') ?? (await readLinesFromGit(code, blobs, passage, file))
  );
}

async function readLinesFromGit(
  code: CodeTable,
  blobs: BlobReader,
  passage: number,
  file: number,
): Promise<string> {
  const { start, end } = code.passageLines(passage);
  const blob = await blobs.read(code.fileBlob(file), MAX_SNIPPET_SOURCE_BYTES);
  return blob && 'content' in blob ? sliceLines(blob.content, start, end) : '';
}

const LF = 10;

/** Lines `start` to `end` of a text, counted from 1, without decoding the rest. */
function sliceLines(content: Buffer, start: number, end: number): string {
  let at = 0;
  // Checking every byte is faster than calling indexOf for each line.
  for (let line = 1; line < start && at < content.length; at++) if (content[at] === LF) line++;
  const from = at;
  for (let line = start; at < content.length; at++) if (content[at] === LF && ++line > end) break;
  return content.toString('utf8', from, at);
}

/** Ranks commits by their messages, after the commit whose hash the query is. */
function findCommits(index: RepositoryIndex, q: string, query: Query, limit: number): CommitHit[] {
  const ranked = rankCommits(index, query, { limit });
  const byHash = COMMIT_HASH.test(q) ? index.commits.find(q.toLowerCase()) : -1;
  const others = ranked.filter(({ commit }) => commit !== byHash);
  const first = byHash < 0 ? [] : [{ commit: byHash, score: ranked[0]?.score ?? 1 }];
  return [...first, ...others]
    .slice(0, limit)
    .map(({ commit, score }) => toCommitHit(index.commits, commit, score));
}

function toCommitHit(commits: CommitTable, commit: number, score: number): CommitHit {
  return {
    hash: commits.oid(commit),
    message: commits.message(commit),
    author: commits.author(commit),
    timestamp: isoTime(commits.time(commit)),
    score,
  };
}
