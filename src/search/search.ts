import type { z } from 'zod';
import type { commitHit, passageHit } from '#contract/search.ts';
import { type BlobReader, openBlobs } from '#git/blobs.ts';
import type { CodeTable, CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { measureEmbeddingSimilarity } from './code/embedding-similarity.ts';
import { extractSnippet } from './code/snippet.ts';
import { parseQuery, type Query } from './query/parse-query.ts';
import { type RankedPassage, rankCommits, rankPassages } from './rank-documents.ts';
import { selectTopK } from './scoring/top-k.ts';

export type PassageHit = z.infer<typeof passageHit>;
export type CommitHit = z.infer<typeof commitHit>;

export interface SearchOptions {
  /** Absolute path of the bare repository, which is asked for texts that the memory did not keep. */
  repo: string;
  memory: RepositoryIndex;
  q: string;
  /** Passages and commits that are returned at most, each. */
  limit: number;
  /** What `q` means to an embedding model. */
  embedding?: QueryEmbedding | null;
  signal?: AbortSignal;
}

/** A whole hash or an abbreviation that git itself would print. */
const COMMIT_HASH = /^[0-9a-f]{7,64}$/i;

const MAX_SNIPPET_LINES = 6;

/** Files beyond this many bytes are not indexed by default, so their text is not read either. */
const MAX_SNIPPET_SOURCE_BYTES = 4 * 1024 * 1024;

/** Passages and commits that fit `q`, best first. A commit's hash, or the beginning of one, finds the commit. */
export async function searchCodeAndCommits(
  options: SearchOptions,
): Promise<{ passages: PassageHit[]; commits: CommitHit[] }> {
  const { memory, q, limit } = options;
  const query = parseQuery(q);
  const passages = await searchPassages(query, options);
  await yieldIfDue(options.signal);
  return { passages, commits: findCommits(memory, q, query, limit) };
}

/** Passages alone, with the lines of each that fit best. */
export async function searchPassages(
  query: Query,
  { repo, memory, limit, embedding: meaning, signal }: Omit<SearchOptions, 'q'>,
): Promise<PassageHit[]> {
  const ranked = rankHybrid(memory, query, { limit, embedding: meaning });
  const { code } = memory;
  if (ranked.length === 0 || !code) return [];
  const blobs = openBlobs(repo, { signal });
  const textOf = async ({ passage, file }: RankedPassage) =>
    code.passageText(passage)?.replace(/\n$/, '') ?? (await readLinesFromGit(code, blobs, passage, file));
  try {
    return await Promise.all(
      ranked.map(async (found) => toPassageHit(code, found, await textOf(found), query)),
    );
  } finally {
    blobs.close();
  }
}

/** What the passage nearest in meaning gains, as a share of what the best one by words has; see `fuse.ts`. */
const EMBEDDING_WEIGHT = 0.7;
/** So many times the passages that are asked for are ranked by words, before nearness is added. */
const OVERSAMPLING = 4;

function rankHybrid(
  memory: RepositoryIndex,
  query: Query,
  { limit, embedding: meaning }: Pick<SearchOptions, 'limit' | 'meaning'>,
): RankedPassage[] {
  const { code } = memory;
  const files = meaning && code ? Array.from({ length: code.fileCount }, (_, file) => file) : [];
  const nearness = code && measureEmbeddingSimilarity(code, meaning, files);
  if (!code || !nearness) return rankPassages(memory, query, { limit });
  const ranked = rankPassages(memory, query, { limit: OVERSAMPLING * limit });
  const most = EMBEDDING_WEIGHT * (ranked[0]?.score ?? 1);
  const near = (passage: number) => nearness.passages[passage]!;
  const byWords = new Map(ranked.map((one) => [one.passage, one]));
  const others = Array.from(nearness.passages.keys()).filter((one) => near(one) > 0 && !byWords.has(one));
  const all = [
    ...ranked.map((one) => ({ ...one, score: one.score + most * near(one.passage) })),
    ...selectTopK(others, near, limit).map(({ doc: document, score }) => {
      return { passage: document, file: code.passageFiles(document)[0]!, score: most * score };
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

async function readLinesFromGit(code: CodeTable, blobs: BlobReader, passage: number, file: number): Promise<string> {
  const { start, end } = code.passageLines(passage);
  const blob = await blobs.read(code.fileBlob(file), MAX_SNIPPET_SOURCE_BYTES);
  return blob && 'content' in blob ? sliceLines(blob.content, start, end) : '';
}

const LF = 10;

/** Lines `start` to `end` of a text, counted from 1; what lies around them is not decoded. */
function sliceLines(content: Buffer, start: number, end: number): string {
  let at = 0;
  // A call of indexOf for each line takes longer than looking at every byte.
  for (let line = 1; line < start && at < content.length; at++) if (content[at] === LF) line++;
  const from = at;
  for (let line = start; at < content.length; at++) if (content[at] === LF && ++line > end) break;
  return content.toString('utf8', from, at);
}

/** By the words of messages; a commit whose hash the query is comes first. */
function findCommits(memory: RepositoryIndex, q: string, query: Query, limit: number): CommitHit[] {
  const ranked = rankCommits(memory, query, { limit });
  const named = COMMIT_HASH.test(q) ? memory.commits.find(q.toLowerCase()) : -1;
  const others = ranked.filter(({ commit }) => commit !== named);
  const first = named < 0 ? [] : [{ commit: named, score: ranked[0]?.score ?? 1 }];
  return [...first, ...others]
    .slice(0, limit)
    .map(({ commit, score }) => toCommitHit(memory.commits, commit, score));
}

function toCommitHit(commits: CommitTable, commit: number, score: number): CommitHit {
  const date = new Date(commits.time(commit) * 1000);
  return {
    hash: commits.oid(commit),
    message: commits.message(commit),
    author: commits.author(commit),
    timestamp: Number.isNaN(date.getTime()) ? '' : date.toISOString(),
    score,
  };
}
