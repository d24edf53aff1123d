import type { FileDiff } from '#contract/projects.ts';
import { indexedPatch, readDiffs } from '#evolution/read-diffs.ts';
import type { Block } from '#memory/changes/block.ts';
import type { DiffSide } from '#memory/changes/hunk.ts';
import { END_OF_POSTINGS, HunkCursor } from '#memory/changes/hunk-postings.ts';
import { termKey } from '#memory/changes/term-keys.ts';
import { terms } from '#memory/tokens.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { ChangeMatch, ChangeMatches, FindChangesOptions } from './find-changes.ts';
import { excerptHunk } from './hunk-excerpt.ts';

/** Commits per batch of diffs. */
const BATCH_SIZE = 24;
/** Commits per batch where one match is enough. */
const SMALL_BATCH_SIZE = 4;
const MAX_BATCHES = 12;
const TIMEOUT_MS = 2500;

/** The highest count per side that a posting stores. */
const MAX_TERM_COUNT = 2;
/** Postings that are read in about the time of unpacking one commit's patch. */
const POSTINGS_PER_PATCH = 4_000;

const HUNKS_PER_YIELD = 4_096;

/** Stands for bytes that are not valid UTF-8. */
const REPLACEMENT_CHARACTER = '\ufffd';

/** A file of a commit that may contain the text on some side. */
interface CandidateFile {
  commit: number;
  path: string;
  oldPath: string;
}

/**
 * Finds changes with a line that contains the text (for several lines: each of them), newest first. The index yields
 * candidates with all its words, which are verified in the diffs; words at its ends match as whole words.
 */
export async function findExactChanges(options: FindChangesOptions): Promise<ChangeMatches> {
  const lines = options.q.split('\n').flatMap((line) => line.trim() || []);
  const sides: DiffSide[] = options.side ? [options.side] : ['added', 'removed'];
  const candidates = await findCandidates(options, lines);
  await yieldIfDue(options.signal);
  const [added, removed] = [
    sides.includes('added') ? candidates.added : [],
    sides.includes('removed') ? candidates.removed : [],
  ];
  const verifier = new DiffVerifier(options, lines, sides);

  const all = dedupeNewestFirst([...added, ...removed]);
  if (options.isListOnly) {
    const { changes, isPartial } = await listNewest(options, all, verifier);
    return { changes, firstAdded: null, lastRemoved: null, isPartial };
  }
  // A few candidates are read in one batch; of many, the first and last changes are verified before the list.
  if (all.length <= BATCH_SIZE) await verifier.findMatches(all, all.length);
  const first = await verifier.findMatches(added.toReversed(), 1, { side: 'added' });
  const last = await verifier.findMatches(removed, 1, { side: 'removed' });
  const changes = await verifier.findMatches(all, options.limit);
  return {
    changes,
    firstAdded: first[0] ?? null,
    lastRemoved: last[0] ?? null,
    isPartial: verifier.isBudgetExhausted,
  };
}

/** The newest matches; where a page of newer ones is known, only those that belong on it, or the newest of all. */
async function listNewest(
  { index, newerThan = Number.NEGATIVE_INFINITY, limit }: FindChangesOptions,
  candidates: CandidateFile[],
  verifier: DiffVerifier,
): Promise<Pick<ChangeMatches, 'changes' | 'isPartial'>> {
  const isNewer = ({ commit }: CandidateFile) => !(index.commits.committed(commit) < newerThan);
  const newer = candidates.filter(isNewer);
  const changes = await verifier.findMatches(newer, limit);
  const older = candidates.filter((candidate) => !isNewer(candidate));
  if (changes.length === 0)
    changes.push(...(await verifier.findMatches(older, 1, { batchSize: SMALL_BATCH_SIZE })));
  return { changes, isPartial: verifier.isBudgetExhausted || older.length > 0 };
}

/** Files of commits that may contain the longest line on a side, newest first. */
async function findCandidates(
  { index, hunks, signal, acceptsCommit, acceptsPath }: FindChangesOptions,
  lines: string[],
): Promise<Record<DiffSide, CandidateFile[]>> {
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
  const requiredCounts = new Map<number, number>();
  for (const key of terms(longest).map(termKey))
    requiredCounts.set(key, Math.min(MAX_TERM_COUNT, (requiredCounts.get(key) ?? 0) + 1));
  const [added, removed]: [CandidateFile[], CandidateFile[]] = [[], []];
  for (const block of hunks.blocks) {
    const numbers = new Map<number, number>();
    await yieldIfDue(signal);
    for (const [i, candidate] of hunksWithTerms(block, requiredCounts).entries()) {
      if (i % HUNKS_PER_YIELD === 0) await yieldIfDue(signal);
      const commit = block.commitOf(candidate.hunk);
      if (!numbers.has(commit)) {
        const number = index.commits.find(block.oid(commit));
        numbers.set(commit, number >= 0 && acceptsCommit?.(number) === false ? -1 : number);
      }
      if (numbers.get(commit)! < 0) continue;
      const { path, oldPath } = block.locate(candidate.hunk);
      if (acceptsPath?.(path) === false) continue;
      const file = { commit: numbers.get(commit)!, path, oldPath };
      if (candidate.added) added.push(file);
      if (candidate.removed) removed.push(file);
    }
  }
  await yieldIfDue(signal);
  return { added: dedupeNewestFirst(added), removed: dedupeNewestFirst(removed) };
}

/** A hunk and the sides that may contain a line. */
interface CandidateHunk {
  hunk: number;
  added: boolean;
  removed: boolean;
}

/**
 * Hunks of a block that may contain the terms with the required counts. Intersects from the rarest term on, and skips a
 * commoner term whose postings take longer to read than the patches of the remaining hunks.
 */
function hunksWithTerms(block: Block, requiredCounts: Map<number, number>): CandidateHunk[] {
  const lookups = Array.from(requiredCounts, ([key, count]) => ({ term: block.term(key), count }));
  const known = lookups.flatMap(({ term, count }) => (term ? [{ term, count }] : []));
  if (known.length < lookups.length) return [];
  known.sort((a, b) => a.term.hunks - b.term.hunks);
  let candidates: CandidateHunk[] | null = null;
  for (const { term, count } of known) {
    if (candidates && term.hunks > candidates.length * POSTINGS_PER_PATCH) break;
    const cursor = new HunkCursor(term.postings);
    candidates = (candidates ?? allHunks(new HunkCursor(term.postings))).filter((candidate) => {
      cursor.advance(candidate.hunk);
      if (cursor.hunk !== candidate.hunk) return false;
      candidate.added &&= cursor.added >= count;
      candidate.removed &&= cursor.removed >= count;
      return candidate.added || candidate.removed;
    });
  }
  return candidates ?? [];
}

function allHunks(cursor: HunkCursor): CandidateHunk[] {
  const candidates: CandidateHunk[] = [];
  for (; cursor.hunk !== END_OF_POSTINGS; cursor.next())
    candidates.push({ hunk: cursor.hunk, added: true, removed: true });
  return candidates;
}

/** Distinct files of commits, newest commit first. */
function dedupeNewestFirst(candidates: CandidateFile[]): CandidateFile[] {
  const distinct = new Map(candidates.map((candidate) => [candidateKey(candidate), candidate]));
  return [...distinct.values()].sort((a, b) => a.commit - b.commit);
}

function candidateKey({ commit, path }: CandidateFile): string {
  return `${commit}:${path}`;
}

/** Verifies candidates in their diffs, each at most once. */
class DiffVerifier {
  readonly #options: FindChangesOptions;
  readonly #lines: string[];
  readonly #sides: DiffSide[];
  /** Match by candidate; null when its diff does not contain the text. */
  readonly #verified = new Map<string, { change: ChangeMatch; sides: DiffSide[] } | null>();
  #batches = 0;
  readonly #startedAt = performance.now();
  /** True once the limit of batches or time is reached. */
  isBudgetExhausted = false;

  constructor(options: FindChangesOptions, lines: string[], sides: DiffSide[]) {
    this.#options = options;
    this.#lines = lines;
    this.#sides = sides;
  }

  /** The first `limit` matches, on `side` or on any requested side. */
  async findMatches(
    candidates: CandidateFile[],
    limit: number,
    { side, batchSize = BATCH_SIZE }: { side?: DiffSide; batchSize?: number } = {},
  ): Promise<ChangeMatch[]> {
    const found: ChangeMatch[] = [];
    for (const [i, candidate] of candidates.entries()) {
      if (found.length === limit) break;
      if (!this.#verified.has(candidateKey(candidate))) {
        this.isBudgetExhausted =
          ++this.#batches > MAX_BATCHES || performance.now() - this.#startedAt > TIMEOUT_MS;
        if (this.isBudgetExhausted) break;
        const unread = candidates.slice(i).filter((one) => !this.#verified.has(candidateKey(one)));
        await this.#verifyBatch(unread.slice(0, batchSize));
      }
      const match = this.#verified.get(candidateKey(candidate));
      if (match && (!side || match.sides.includes(side))) found.push(match.change);
    }
    return found;
  }

  async #verifyBatch(batch: CandidateFile[]): Promise<void> {
    const { repo, hunks, index, signal } = this.#options;
    const oids: string[] = [];
    for (const oid of new Set(batch.map(({ commit }) => index.commits.oid(commit)))) {
      await yieldIfDue(signal);
      if (this.#mayContain(oid)) oids.push(oid);
    }
    const paths = [...new Set(batch.flatMap(({ path, oldPath }) => [path, oldPath]))];
    const diffs = await readDiffs({ repo, hunks }, oids, { paths, signal });
    for (const candidate of batch) {
      const files = diffs.get(index.commits.oid(candidate.commit)) ?? [];
      const file = files.find((file) => (file.new_path ?? file.old_path) === candidate.path);
      const sides = file ? this.#sides.filter((side) => this.#contains(file, side)) : [];
      const change = file && sides.length > 0 ? this.#toMatch(candidate.commit, file, sides) : null;
      this.#verified.set(candidateKey(candidate), change && { change, sides });
    }
  }

  /** Tests the bytes of the indexed patch, which is much cheaper than parsing it; true when there is none. */
  #mayContain(oid: string): boolean {
    const patch = indexedPatch(this.#options.hunks, oid);
    return (
      patch === null ||
      this.#lines.every((line) => line.includes(REPLACEMENT_CHARACTER) || patch.includes(line))
    );
  }

  #contains(file: FileDiff, side: DiffSide): boolean {
    const kind = side === 'added' ? 'add' : 'delete';
    const changed = file.hunks.flatMap(({ lines }) => lines.filter((line) => line.kind === kind));
    return this.#lines.every((text) => changed.some((line) => line.text.includes(text)));
  }

  #toMatch(commit: number, file: FileDiff, sides: DiffSide[]): ChangeMatch {
    const kinds = sides.map((side) => (side === 'added' ? 'add' : 'delete'));
    const matches = (text: string) => this.#lines.some((line) => text.includes(line));
    const hunk = file.hunks.find(({ lines }) =>
      lines.some(({ kind, text }) => kinds.some((one) => one === kind) && matches(text)),
    );
    const range = hunk && {
      oldStart: hunk.old_start,
      oldLines: hunk.old_lines,
      newStart: hunk.new_start,
      newLines: hunk.new_lines,
    };
    return {
      commit,
      oldPath: file.old_path,
      newPath: file.new_path,
      hunk: range ? excerptHunk(file, range, matches) : null,
    };
  }
}
