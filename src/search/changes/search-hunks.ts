import type { Block, BlockTerm } from '#memory/changes/block.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import { DECODED_LENGTHS, type DiffSide, type HunkLocation } from '#memory/changes/hunk.ts';
import { END_OF_POSTINGS, HunkCursor, termCounts } from '#memory/changes/hunk-postings.ts';
import { pathKey, termKey } from '#memory/changes/term-keys.ts';
import { K1, maxTermScore, saturateFrequency } from '../lexical/bm25.ts';
import type { QueryTerm } from '../lexical/parse-query.ts';
import type { ScoredDoc } from '../lexical/top-k.ts';

/** BM25's length normalization b; lower than for passages, since hunks are short. */
const LENGTH_PENALTY = 0.4;
/** Hunks scored at a time. */
const WINDOW_SIZE = 1 << 13;
/** Postings read per query; the commonest terms of a long text are dropped. */
const MAX_POSTINGS = 400_000;

/** A hunk, its sides, and its score, comparable within one query only. */
export interface HunkHit extends HunkLocation {
  side: DiffSide | 'both';
  score: number;
}

interface SearchHunksOptions {
  limit: number;
  /** Only added or only removed lines; both when absent. */
  side?: DiffSide | undefined;
  /** Only changes of these paths, before or after a rename. */
  paths?: readonly string[] | undefined;
  /** Maximum number of hunks per commit; unlimited when absent. */
  maxPerCommit?: number;
  /** False for the full hash of a commit outside the searched history. */
  acceptsCommit(oid: string): boolean;
}

interface WeightedTerm {
  maxScore: number;
  inBlocks: (BlockTerm | null)[];
  hunks: number;
}

/** A hunk of a block by its number, and its score. */
export interface RankedHunk {
  block: Block;
  hunk: number;
  score: number;
}

/** Reads the place of a hunk. */
export function locateHunk({ block, hunk, score }: RankedHunk): HunkHit {
  const location = block.locate(hunk);
  const side = location.oldLines === 0 ? 'added' : location.newLines === 0 ? 'removed' : 'both';
  return { ...location, side, score };
}

/**
 * Ranks the hunks of the whole history by BM25 over their added and removed lines, best first. Reads only the postings
 * of the terms. Throws `index_rebuilding` when a block is damaged.
 */
export function rankHunks(
  hunks: ChangeIndex,
  terms: readonly QueryTerm[],
  query: SearchHunksOptions,
): RankedHunk[] {
  const weighted = weightTermsOverBlocks(hunks, terms);
  const hits = hunks.blocks.flatMap((block, index) => {
    const inBlock = weighted.flatMap(({ maxScore, inBlocks }) => {
      const term = inBlocks[index];
      return term ? [{ maxScore, cursor: new HunkCursor(term.postings) }] : [];
    });
    return inBlock.length === 0 ? [] : searchBlock(hunks, block, inBlock, query);
  });
  return hits.sort((a, b) => b.score - a.score).slice(0, query.limit);
}

/** The rarest terms within the limit of postings, with their idf over the whole history. */
function weightTermsOverBlocks(hunks: ChangeIndex, terms: readonly QueryTerm[]): WeightedTerm[] {
  const found = terms.map(({ term, weight }) => {
    const key = termKey(term);
    const inBlocks = hunks.blocks.map((block) => block.term(key));
    const count = inBlocks.reduce((sum, inBlock) => sum + (inBlock?.hunks ?? 0), 0);
    return { maxScore: maxTermScore(weight, hunks.count, count), inBlocks, hunks: count };
  });
  const rarestFirst = found.filter((term) => term.hunks > 0).sort((a, b) => a.hunks - b.hunks);
  let read = 0;
  return rarestFirst.filter((term, index) => {
    read += term.hunks;
    return index === 0 || read <= MAX_POSTINGS;
  });
}

interface BlockTermCursor {
  maxScore: number;
  cursor: HunkCursor;
}

function searchBlock(
  hunks: ChangeIndex,
  block: Block,
  terms: BlockTermCursor[],
  query: SearchHunksOptions,
): RankedHunk[] {
  const norms = lengthNorms(hunks, query.side);
  const pathHunks = query.paths && pathCursors(block, query.paths);
  const best = new BlockTopK(block, query);
  const scores = new Float64Array(WINDOW_SIZE);
  const inPaths = pathHunks && new Uint8Array(WINDOW_SIZE);
  const counts = termCounts(query.side);
  const nextHunk = () => terms.reduce((least, { cursor }) => Math.min(least, cursor.hunk), END_OF_POSTINGS);
  for (let from = nextHunk(); from < block.count; from = nextHunk()) {
    const to = Math.min(block.count, from + WINDOW_SIZE);
    scores.fill(0);
    const lengths = block.lengths(from, to);
    for (const term of terms) addScores(term, { from, to, lengths, norms, counts }, scores);
    if (pathHunks && inPaths) markPaths(pathHunks, from, to, inPaths);
    best.pushWindow(from, to, scores, inPaths);
  }
  return best.hits();
}

/** The length-dependent part of BM25's norm by length code: first for added, then for removed lines. */
function lengthNorms(hunks: ChangeIndex, side: DiffSide | undefined): Float64Array {
  const sum = (of: DiffSide) =>
    side && side !== of ? 0 : hunks.blocks.reduce((total, block) => total + block[of], 0);
  const slope = LENGTH_PENALTY / ((sum('added') + sum('removed')) / hunks.count || 1);
  const norms = new Float64Array(2 * DECODED_LENGTHS.length);
  DECODED_LENGTHS.forEach((length, code) => {
    if (side !== 'removed') norms[code] = K1 * slope * length;
    if (side !== 'added') norms[code + DECODED_LENGTHS.length] = K1 * slope * length;
  });
  return norms;
}

const BASE_NORM = K1 * (1 - LENGTH_PENALTY);

/** Hunks `from` up to, not including, `to`, with their length codes and the count of each combination of sides. */
interface HunkWindow {
  from: number;
  to: number;
  lengths: Buffer;
  norms: Float64Array;
  counts: Uint8Array;
}

function addScores({ maxScore, cursor }: BlockTermCursor, window: HunkWindow, scores: Float64Array): void {
  const { from, to, lengths, norms, counts } = window;
  for (; cursor.hunk < to; cursor.next()) {
    const count = counts[cursor.sides]!;
    if (count === 0) continue;
    const at = cursor.hunk - from;
    const norm = BASE_NORM + norms[lengths[2 * at]!]! + norms[256 + lengths[2 * at + 1]!]!;
    scores[at]! += saturateFrequency(maxScore, count, norm);
  }
}

function pathCursors(block: Block, paths: readonly string[]): HunkCursor[] {
  return paths.flatMap((path) => {
    const term = block.term(pathKey(path));
    return term ? [new HunkCursor(term.postings)] : [];
  });
}

function markPaths(cursors: HunkCursor[], from: number, to: number, marks: Uint8Array): void {
  marks.fill(0);
  for (const cursor of cursors) {
    cursor.advance(from);
    for (; cursor.hunk < to; cursor.next()) marks[cursor.hunk - from] = 1;
  }
}

/** Hunks that are collected, relative to the limit, before the best of them are selected. */
const COLLECTED_PER_LIMIT = 8;

/** The best accepted hunks of one block so far. */
class BlockTopK {
  readonly #block: Block;
  readonly #query: SearchHunksOptions;
  readonly #accepted = new Map<number, boolean>();
  /** The best at the last selection, and those that were collected since. */
  #hits: ScoredDoc[] = [];
  /** Lower scores cannot enter. */
  #threshold = 0;

  constructor(block: Block, query: SearchHunksOptions) {
    this.#block = block;
    this.#query = query;
  }

  pushWindow(from: number, to: number, scores: Float64Array, marks: Uint8Array | undefined): void {
    for (let hunk = from; hunk < to; hunk++) {
      const score = scores[hunk - from]!;
      if (score <= this.#threshold || (marks && marks[hunk - from] !== 1)) continue;
      // Selecting early raises the threshold, so that few of the window's hunks are collected.
      if (this.#hits.push({ doc: hunk, score }) > COLLECTED_PER_LIMIT * this.#query.limit) this.#select();
    }
  }

  /** Best first. */
  hits(): RankedHunk[] {
    this.#select();
    return this.#hits.map(({ doc, score }) => ({ block: this.#block, hunk: doc, score }));
  }

  #select(): void {
    const { limit } = this.#query;
    this.#hits = this.#accept(
      this.#hits.sort((a, b) => b.score - a.score || a.doc - b.doc),
      limit,
    );
    if (this.#hits.length === limit) this.#threshold = this.#hits.at(-1)?.score ?? Number.POSITIVE_INFINITY;
  }

  #accept(ranked: ScoredDoc[], limit: number): ScoredDoc[] {
    const { maxPerCommit = Number.POSITIVE_INFINITY, acceptsCommit } = this.#query;
    const ofCommit = new Map<number, number>();
    const hits: ScoredDoc[] = [];
    for (const hit of ranked) {
      if (hits.length === limit) break;
      const commit = this.#block.commitOf(hit.doc);
      let accepted = this.#accepted.get(commit);
      if (accepted === undefined) {
        accepted = acceptsCommit(this.#block.oid(commit));
        this.#accepted.set(commit, accepted);
      }
      const count = ofCommit.get(commit) ?? 0;
      if (!accepted || count >= maxPerCommit) continue;
      ofCommit.set(commit, count + 1);
      hits.push(hit);
    }
    return hits;
  }
}
