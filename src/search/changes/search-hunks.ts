import type { Block, BlockTerm } from '#memory/changes/block.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import { type HunkLocation, DECODED_LENGTHS, type DiffSide } from '#memory/changes/hunk.ts';
import { HunkCursor, termCounts, END_OF_POSTINGS } from '#memory/changes/hunk-postings.ts';
import { pathKey, termKey } from '#memory/changes/term-keys.ts';
import type { QueryTerm } from '../query/parse-query.ts';
import { inverseDocumentFrequency } from '../scoring/bm25f-scorer.ts';
import { selectTopK, type ScoredDoc } from '../scoring/top-k.ts';

/** As in `scorer.ts`; hunks are short, so their length tells less than that of a passage. */
const K1 = 1.2;
const LENGTH_PENALTY = 0.4;
/** Hunks whose scores are kept at a time. */
const WINDOW_SIZE = 1 << 13;
/** Postings that one query reads at most: of a long text, the commonest words are left out. */
const MAX_POSTINGS = 400_000;

/** A hunk, the sides that it has, and its score, which compares within one query only. */
export interface HunkHit extends HunkLocation {
  side: DiffSide | 'both';
  score: number;
}

export interface SearchHunksOptions {
  /** Hunks that are returned at most. */
  limit: number;
  /** Only what came, or only what went; both sides together when absent. */
  side?: DiffSide | undefined;
  /** Only changes of these paths, by their name before or after a rename. */
  paths?: readonly string[] | undefined;
  /** Of one commit at most so many hunks; all when absent. */
  maxPerCommit?: number;
  /** Whether a commit counts, by its full hash: history that is gone upstream, or lies after the asked revision. */
  acceptsCommit(oid: string): boolean;
}

interface WeightedTerm {
  maxScore: number;
  inBlocks: (BlockTerm | null)[];
  hunks: number;
}

/**
 * Hunks of the whole history whose changed lines are most like the terms, best first: BM25 in which a hunk's added and
 * removed lines are two fields (or one of them). Reads from disk what the terms' postings take, and the places of the
 * best. Throws `index_rebuilding` when a block is damaged.
 */
export function searchHunks(hunks: ChangeIndex, terms: readonly QueryTerm[], query: SearchHunksOptions): HunkHit[] {
  const weighed = weightTermsOverBlocks(hunks, terms);
  const hits = hunks.blocks.flatMap((block, index) => {
    const inBlock = weighed.flatMap(({ maxScore: gain, inBlocks }) => {
      const term = inBlocks[index];
      return term ? [{ gain, cursor: new HunkCursor(term.postings) }] : [];
    });
    return inBlock.length === 0 ? [] : searchBlock(hunks, block, inBlock, query);
  });
  return hits.sort((a, b) => b.score - a.score).slice(0, query.limit);
}

/** The terms that are worth reading, with what each is worth in the whole history. */
function weightTermsOverBlocks(hunks: ChangeIndex, terms: readonly QueryTerm[]): WeightedTerm[] {
  const found = terms.map(({ term, weight }) => {
    const key = termKey(term);
    const inBlocks = hunks.blocks.map((block) => block.term(key));
    const count = inBlocks.reduce((sum, inBlock) => sum + (inBlock?.hunks ?? 0), 0);
    return { gain: weight * inverseDocumentFrequency(hunks.count, count) * (K1 + 1), inBlocks, hunks: count };
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

function searchBlock(hunks: ChangeIndex, block: Block, terms: BlockTermCursor[], query: SearchHunksOptions): HunkHit[] {
  const penalties = lengthNorms(hunks, query.side);
  const within = query.paths && pathCursors(block, query.paths);
  const chosen = new BlockTopK(block, query);
  const scores = new Float64Array(WINDOW_SIZE);
  const inPaths = within && new Uint8Array(WINDOW_SIZE);
  const counts = termCounts(query.side);
  const nearest = () => terms.reduce((least, { cursor }) => Math.min(least, cursor.hunk), END_OF_POSTINGS);
  for (let from = nearest(); from < block.count; from = nearest()) {
    const to = Math.min(block.count, from + WINDOW_SIZE);
    scores.fill(0);
    const lengths = block.lengths(from, to);
    for (const term of terms) addScores(term, { from, to, lengths, norms: penalties, counts }, scores);
    if (within && inPaths) markPaths(within, from, to, inPaths);
    chosen.pushWindow(from, to, scores, inPaths);
  }
  return chosen.hits();
}

/** What the length of each side takes from a frequency, by its code: first those that came, then those that went. */
function lengthNorms(hunks: ChangeIndex, side: DiffSide | undefined): Float64Array {
  const sum = (of: DiffSide) =>
    side && side !== of ? 0 : hunks.blocks.reduce((total, block) => total + block[of], 0);
  const slope = LENGTH_PENALTY / ((sum('added') + sum('removed')) / hunks.count || 1);
  const penalties = new Float64Array(2 * DECODED_LENGTHS.length);
  DECODED_LENGTHS.forEach((length, code) => {
    if (side !== 'removed') penalties[code] = K1 * slope * length;
    if (side !== 'added') penalties[code + DECODED_LENGTHS.length] = K1 * slope * length;
  });
  return penalties;
}

const BASE_NORM = K1 * (1 - LENGTH_PENALTY);

/** Hunks `from` up to, without, `to`, with the codes of their lengths, and how often sides count. */
interface HunkWindow {
  from: number;
  to: number;
  lengths: Buffer;
  norms: Float64Array;
  counts: Uint8Array;
}

function addScores({ maxScore: gain, cursor }: BlockTermCursor, window: HunkWindow, scores: Float64Array): void {
  const { from, to, lengths, norms: penalties, counts } = window;
  for (; cursor.hunk < to; cursor.next()) {
    const count = counts[cursor.sides]!;
    if (count === 0) continue;
    const at = cursor.hunk - from;
    const penalty = BASE_NORM + penalties[lengths[2 * at]!]! + penalties[256 + lengths[2 * at + 1]!]!;
    scores[at]! += (gain * count) / (count + penalty);
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

/** The best hunks of one block so far. Places are read only of hunks that would be among them. */
class BlockTopK {
  readonly #block: Block;
  readonly #query: SearchHunksOptions;
  readonly #accepted = new Map<number, boolean>();
  /** Best first. */
  #hits: ScoredDoc[] = [];

  constructor(block: Block, query: SearchHunksOptions) {
    this.#block = block;
    this.#query = query;
  }

  pushWindow(from: number, to: number, scores: Float64Array, marks: Uint8Array | undefined): void {
    const { limit } = this.#query;
    const scored: number[] = [];
    const least = this.#hits.length < limit ? 0 : this.#hits.at(-1)!.score;
    for (let hunk = from; hunk < to; hunk++) {
      if (scores[hunk - from]! > least && (!marks || marks[hunk - from] === 1)) scored.push(hunk);
    }
    if (scored.length === 0) return;
    const known = new Map(this.#hits.map(({ doc: document, score }) => [document, score]));
    const score = (hunk: number) => known.get(hunk) ?? scores[hunk - from]!;
    // The best of them in turn, until enough are accepted.
    for (let most = limit; ; most *= 4) {
      const ranked = selectTopK([...known.keys(), ...scored], score, most);
      this.#hits = this.#accept(ranked, limit);
      if (this.#hits.length === limit || most >= known.size + scored.length) return;
    }
  }

  hits(): HunkHit[] {
    return this.#hits.map(({ doc: document, score }) => {
      const place = this.#block.locate(document);
      const side = place.oldLines === 0 ? 'added' : place.newLines === 0 ? 'removed' : 'both';
      return { ...place, side, score };
    });
  }

  #accept(ranked: ScoredDoc[], limit: number): ScoredDoc[] {
    const { maxPerCommit: perCommit = Number.POSITIVE_INFINITY, acceptsCommit: accepts } = this.#query;
    const ofCommit = new Map<number, number>();
    const hits: ScoredDoc[] = [];
    for (const hit of ranked) {
      if (hits.length === limit) break;
      const commit = this.#block.commitOf(hit.doc);
      let accepted = this.#accepted.get(commit);
      if (accepted === undefined) {
        accepted = accepts(this.#block.oid(commit));
        this.#accepted.set(commit, accepted);
      }
      const count = ofCommit.get(commit) ?? 0;
      if (!accepted || count >= perCommit) continue;
      ofCommit.set(commit, count + 1);
      hits.push(hit);
    }
    return hits;
  }
}
