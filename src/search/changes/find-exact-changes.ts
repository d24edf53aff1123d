import { AppError } from '#contract/errors.ts';
import type { FileDiff } from '#contract/projects.ts';
import { filterPatchByPath, indexedPatch, readDiffs } from '#evolution/read-diffs.ts';
import { parseDiff } from '#git/diff.ts';
import { bigramsOf } from '#memory/changes/bigram-filter.ts';
import type { Block } from '#memory/changes/block.ts';
import type { DiffSide, HunkLocation } from '#memory/changes/hunk.ts';
import { END_OF_POSTINGS, HunkCursor } from '#memory/changes/hunk-postings.ts';
import { termKey } from '#memory/changes/term-keys.ts';
import { terms } from '#memory/tokens.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { ChangeMatch, ChangeMatches, FindChangesOptions } from './find-changes.ts';
import { excerptHunk } from './hunk-excerpt.ts';

/** Commits per batch of diffs. Batches double in size, since the first match is often among the first candidates. */
const MIN_BATCH_SIZE = 4;
const MAX_BATCH_SIZE = 24;
const MAX_READS = 288;
const TIMEOUT_MS = 2500;

/** The highest count per side that a posting stores. */
const MAX_TERM_COUNT = 2;
/** Postings that are read in about the time of unpacking one commit's patch. */
const POSTINGS_PER_PATCH = 4_000;

/** Stands for bytes that are not valid UTF-8. */
const REPLACEMENT_CHARACTER = '\ufffd';

/** A commit with the hunks that may contain the text on a requested side. */
interface CandidateCommit {
  commit: number;
  block: Block;
  /** Number of the commit in the block. */
  number: number;
  hunks: CandidateHunk[];
}

/**
 * Finds changes with a line that contains the text (for several lines: each of them), newest first. The index yields
 * candidates with all its words, which are verified in the diffs; words at its ends match as whole words.
 */
export async function findExactChanges(options: FindChangesOptions): Promise<ChangeMatches> {
  const lines = options.q.split('\n').flatMap((line) => line.trim() || []);
  const sides: DiffSide[] = options.side ? [options.side] : ['added', 'removed'];
  const all = await findCandidates(options, lines, sides);
  await yieldIfDue(options.signal);
  const verifier = new DiffVerifier(options, lines, sides);
  if (options.isListOnly) {
    const { changes, isPartial } = await listNewest(options, all, verifier);
    return { changes, firstAdded: null, lastRemoved: null, isPartial };
  }
  // A few candidates are read in one batch; of many, the first and last changes are verified before the list.
  if (options.limit > 0 && all.length <= MAX_BATCH_SIZE) await verifier.findMatches(all, all.length);
  const withSide = (side: DiffSide) =>
    sides.includes(side) ? all.filter(({ hunks }) => hunks.some((hunk) => hunk[side])) : [];
  const first = await verifier.findMatches(withSide('added').toReversed(), 1, 'added');
  const last = await verifier.findMatches(withSide('removed'), 1, 'removed');
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
  candidates: CandidateCommit[],
  verifier: DiffVerifier,
): Promise<Pick<ChangeMatches, 'changes' | 'isPartial'>> {
  const isNewer = ({ commit }: CandidateCommit) => !(index.commits.committed(commit) < newerThan);
  const newer = candidates.filter(isNewer);
  const changes = await verifier.findMatches(newer, limit);
  const older = candidates.filter((candidate) => !isNewer(candidate));
  if (changes.length === 0) changes.push(...(await verifier.findMatches(older, 1)));
  return { changes, isPartial: verifier.isBudgetExhausted || older.length > 0 };
}

/** Commits that may contain the longest line on a side, newest first. */
async function findCandidates(
  { index, hunks, signal, acceptsCommit }: FindChangesOptions,
  lines: string[],
  sides: DiffSide[],
): Promise<CandidateCommit[]> {
  const longest = longestOf(lines);
  const bigrams = longest.includes(REPLACEMENT_CHARACTER) ? [] : bigramsOf(longest);
  const requiredCounts = new Map<number, number>();
  for (const key of terms(longest).map(termKey))
    requiredCounts.set(key, Math.min(MAX_TERM_COUNT, (requiredCounts.get(key) ?? 0) + 1));
  const found: CandidateCommit[] = [];
  for (const block of hunks.blocks) {
    await yieldIfDue(signal);
    const own = hunksWithTerms(block, requiredCounts).filter(
      (candidate) => sides.some((side) => candidate[side]) && block.mayContain(candidate.hunk, bigrams),
    );
    for (const [number, hunks] of Map.groupBy(own, ({ hunk }) => block.commitOf(hunk))) {
      await yieldIfDue(signal);
      const commit = index.commits.find(block.oid(number));
      if (commit >= 0 && acceptsCommit?.(commit) !== false) found.push({ commit, block, number, hunks });
    }
  }
  return found.sort((a, b) => a.commit - b.commit);
}

function longestOf(lines: string[]): string {
  return lines.reduce((best, line) => (line.length > best.length ? line : best), '');
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

/** A hunk by its number in the block, with its place. */
type LocatedHunk = HunkLocation & { hunk: number };

/** Candidate files of a commit: old path by path. */
type FilePaths = ReadonlyMap<string, string>;

function namesOf(paths: FilePaths): string[] {
  return [...new Set([...paths].flat())];
}

/** Verifies candidates in their diffs, each at most once. */
class DiffVerifier {
  readonly #options: FindChangesOptions;
  readonly #lines: string[];
  readonly #sides: DiffSide[];
  /** Matches by commit, one per file. */
  readonly #verified = new Map<number, { change: ChangeMatch; sides: DiffSide[] }[]>();
  readonly #startedAt = performance.now();
  #reads = 0;
  /** True once the limit of patches or time is reached. */
  isBudgetExhausted = false;

  constructor(options: FindChangesOptions, lines: string[], sides: DiffSide[]) {
    this.#options = options;
    this.#lines = lines;
    this.#sides = sides;
  }

  /** The first `limit` matches, on `side` or on any requested side. */
  async findMatches(candidates: CandidateCommit[], limit: number, side?: DiffSide): Promise<ChangeMatch[]> {
    const found: ChangeMatch[] = [];
    let batchSize = Math.max(MIN_BATCH_SIZE, Math.min(MAX_BATCH_SIZE, limit));
    for (const [i, { commit }] of candidates.entries()) {
      if (found.length >= limit) break;
      if (!this.#verified.has(commit)) {
        this.isBudgetExhausted = this.#reads >= MAX_READS || performance.now() - this.#startedAt > TIMEOUT_MS;
        if (this.isBudgetExhausted) break;
        const unverified = candidates.slice(i).filter((one) => !this.#verified.has(one.commit));
        await this.#verifyBatch(unverified.slice(0, batchSize));
        batchSize = Math.min(MAX_BATCH_SIZE, 2 * batchSize);
      }
      for (const match of this.#verified.get(commit)!)
        if (!side || match.sides.includes(side)) found.push(match.change);
    }
    return found.slice(0, limit);
  }

  async #verifyBatch(batch: CandidateCommit[]): Promise<void> {
    const { repo, index, signal } = this.#options;
    const unindexed = new Map<string, { commit: number; paths: FilePaths }>();
    for (const candidate of batch) {
      await yieldIfDue(signal);
      const { commit } = candidate;
      const oid = index.commits.oid(commit);
      const hunks = this.#acceptedHunks(candidate);
      const paths = new Map(hunks.map(({ path, oldPath }) => [path, oldPath]));
      if (paths.size === 0) {
        this.#verified.set(commit, []);
        continue;
      }
      this.#reads++;
      if (!this.#hunksContain(candidate, hunks)) {
        this.#verified.set(commit, []);
        continue;
      }
      const patch = indexedPatch(this.#options.hunks, oid);
      if (patch === null) unindexed.set(oid, { commit, paths });
      else this.#verify(commit, paths, this.#parseIfMatching(patch, paths));
    }
    if (unindexed.size === 0) return;
    const paths = [...unindexed.values()].flatMap((one) => namesOf(one.paths));
    const diffs = await readDiffs({ repo }, [...unindexed.keys()], { paths, signal });
    for (const [oid, { commit, paths }] of unindexed) this.#verify(commit, paths, diffs.get(oid) ?? []);
  }

  #acceptedHunks({ block, hunks }: CandidateCommit): LocatedHunk[] {
    const { acceptsPath } = this.#options;
    return hunks
      .map(({ hunk }) => ({ hunk, ...block.locate(hunk) }))
      .filter(({ path }) => acceptsPath?.(path) !== false);
  }

  /** True if the longest line may be in a hunk of the candidate. Reads only the parts of a large patch with these hunks. */
  #hunksContain({ block, number }: CandidateCommit, hunks: LocatedHunk[]): boolean {
    const longest = longestOf(this.#lines);
    if (longest.includes(REPLACEMENT_CHARACTER)) return true;
    try {
      return hunks.some(({ hunk }) => block.patches.hunkBytes(number, hunk).includes(longest));
    } catch (error) {
      // The patch is then read from git.
      if (error instanceof AppError && error.code === 'index_rebuilding') return true;
      throw error;
    }
  }

  /** Searches the bytes of a patch first, then those of the files, which is much cheaper than parsing it. */
  #parseIfMatching(patch: Buffer, paths: FilePaths): FileDiff[] {
    const matches = (bytes: Buffer) =>
      this.#lines.every((line) => line.includes(REPLACEMENT_CHARACTER) || bytes.includes(line));
    if (!matches(patch)) return [];
    const own = filterPatchByPath(patch, namesOf(paths));
    return matches(own) ? parseDiff(own) : [];
  }

  #verify(commit: number, paths: FilePaths, files: FileDiff[]): void {
    const matches = files.flatMap((file) => {
      const sides = paths.has((file.new_path ?? file.old_path)!)
        ? this.#sides.filter((side) => this.#contains(file, side))
        : [];
      return sides.length > 0 ? [{ change: this.#toMatch(commit, file, sides), sides }] : [];
    });
    this.#verified.set(commit, matches);
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
