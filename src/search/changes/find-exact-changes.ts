import type { FileDiff } from '#contract/projects.ts';
import { readDiffs, indexedPatch } from '#evolution/read-diffs.ts';
import type { Block } from '#memory/changes/block.ts';
import type { DiffSide } from '#memory/changes/hunk.ts';
import { HunkCursor, END_OF_POSTINGS } from '#memory/changes/hunk-postings.ts';
import { termKey } from '#memory/changes/term-keys.ts';
import { terms } from '#memory/tokens.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { ChangeMatch, FindChangesOptions, ChangeMatches } from './find-changes.ts';
import { excerptHunk } from './hunk-excerpt.ts';

/** Commits whose diffs are read at once, and how often that is done for one answer. */
const BATCH_SIZE = 24;
const MAX_BATCHES = 12;
/** Milliseconds after which no further diffs are read. */
const TIME_LIMIT_MS = 2500;

/** How often a posting tells at most that a word stands on a side. */
const MAX_TERM_COUNT = 2;
/** Postings that are read in about the time that it takes to unpack the patch of one commit. */
const POSTINGS_PER_PATCH = 4_000;

/** Hunks that are looked at between two looks at the clock. */
const HUNKS_PER_YIELD = 4_096;

/** What stands for bytes that are no UTF-8. */
const REPLACEMENT_CHARACTER = '\ufffd';

/** A file of a commit that may have the text on some side. */
interface CandidateFile {
  commit: number;
  path: string;
  oldPath: string;
}

/**
 * Changes with a line that has the very text (of several lines: with each of them), newest first. The index names those
 * that have all its words; what is returned was found in the diff itself. Words at its ends are whole words.
 */
export async function findExactChanges(options: FindChangesOptions): Promise<ChangeMatches> {
  const lines = options.q.split('\n').flatMap((line) => line.trim() || []);
  const sides: DiffSide[] = options.side ? [options.side] : ['added', 'removed'];
  const found = await findCandidates(options, lines);
  await yieldIfDue(options.signal);
  const [added, removed] = [
    sides.includes('added') ? found.added : [],
    sides.includes('removed') ? found.removed : [],
  ];
  const reader = new DiffVerifier(options, lines, sides);

  const all = dedupeNewestFirst([...added, ...removed]);
  // Few are read together; of many, those that are asked for by name come before the list.
  if (all.length <= BATCH_SIZE) await reader.findMatches(all, all.length);
  const first = await reader.findMatches(added.toReversed(), 1, 'added');
  const last = await reader.findMatches(removed, 1, 'removed');
  const changes = await reader.findMatches(all, options.limit);
  return { changes, firstAdded: first[0] ?? null, lastRemoved: last[0] ?? null, isPartial: reader.isBudgetExhausted };
}

/** Files of commits that may have the longest line on a side, newest first. */
async function findCandidates(
  { memory, hunks, signal }: FindChangesOptions,
  lines: string[],
): Promise<Record<DiffSide, CandidateFile[]>> {
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
  const needs = new Map<number, number>();
  for (const key of terms(longest).map(termKey))
    needs.set(key, Math.min(MAX_TERM_COUNT, (needs.get(key) ?? 0) + 1));
  const [added, removed]: [CandidateFile[], CandidateFile[]] = [[], []];
  for (const block of hunks.blocks) {
    const numbers = new Map<number, number>();
    await yieldIfDue(signal);
    for (const [index, holder] of hunksWithTerms(block, needs).entries()) {
      if (index % HUNKS_PER_YIELD === 0) await yieldIfDue(signal);
      const commit = block.commitOf(holder.hunk);
      if (!numbers.has(commit)) numbers.set(commit, memory.commits.find(block.oid(commit)));
      if (numbers.get(commit)! < 0) continue;
      const { path, oldPath } = block.locate(holder.hunk);
      const candidate = { commit: numbers.get(commit)!, path, oldPath };
      if (holder.added) added.push(candidate);
      if (holder.removed) removed.push(candidate);
    }
  }
  await yieldIfDue(signal);
  return { added: dedupeNewestFirst(added), removed: dedupeNewestFirst(removed) };
}

/** A hunk, and the sides that may have a line. */
interface CandidateHunk {
  hunk: number;
  added: boolean;
  removed: boolean;
}

/**
 * Hunks of a block that may have the words, each so often as `needs` says. The rarest word leads; a commoner one is asked
 * only where looking into the patches of those that are left would take longer.
 */
function hunksWithTerms(block: Block, needs: Map<number, number>): CandidateHunk[] {
  const found = Array.from(needs, ([key, count]) => ({ term: block.term(key), count }));
  const words = found.flatMap(({ term, count }) => (term ? [{ term, count }] : []));
  if (words.length < found.length) return [];
  words.sort((a, b) => a.term.hunks - b.term.hunks);
  let holders: CandidateHunk[] | null = null;
  for (const { term, count } of words) {
    if (holders && term.hunks > holders.length * POSTINGS_PER_PATCH) break;
    const cursor = new HunkCursor(term.postings);
    holders = (holders ?? allHunks(new HunkCursor(term.postings))).filter((holder) => {
      cursor.advance(holder.hunk);
      if (cursor.hunk !== holder.hunk) return false;
      holder.added &&= cursor.added >= count;
      holder.removed &&= cursor.removed >= count;
      return holder.added || holder.removed;
    });
  }
  return holders ?? [];
}

function allHunks(cursor: HunkCursor): CandidateHunk[] {
  const holders: CandidateHunk[] = [];
  for (; cursor.hunk !== END_OF_POSTINGS; cursor.next())
    holders.push({ hunk: cursor.hunk, added: true, removed: true });
  return holders;
}

/** Newest first, each file of a commit once. */
function dedupeNewestFirst(candidates: CandidateFile[]): CandidateFile[] {
  const once = new Map(candidates.map((candidate) => [candidateKey(candidate), candidate]));
  return [...once.values()].sort((a, b) => a.commit - b.commit);
}

function candidateKey({ commit, path }: CandidateFile): string {
  return `${commit}:${path}`;
}

/** Looks into the diffs of candidates, of each at most once for one answer. */
class DiffVerifier {
  readonly #options: FindChangesOptions;
  readonly #lines: string[];
  readonly #sides: DiffSide[];
  /** What the diff of a candidate showed; null when it does not have the text. */
  readonly #seen = new Map<string, { change: ChangeMatch; sides: DiffSide[] } | null>();
  #batches = 0;
  readonly #began = performance.now();
  /** There was more to look at than one answer may take. */
  isBudgetExhausted = false;

  constructor(options: FindChangesOptions, lines: string[], sides: DiffSide[]) {
    this.#options = options;
    this.#lines = lines;
    this.#sides = sides;
  }

  /** The first `limit` candidates that have the text, on `side` or any that was asked for. */
  async findMatches(candidates: CandidateFile[], limit: number, side?: DiffSide): Promise<ChangeMatch[]> {
    const found: ChangeMatch[] = [];
    for (const [index, candidate] of candidates.entries()) {
      if (found.length === limit) break;
      if (!this.#seen.has(candidateKey(candidate))) {
        this.isBudgetExhausted = ++this.#batches > MAX_BATCHES || performance.now() - this.#began > TIME_LIMIT_MS;
        if (this.isBudgetExhausted) break;
        const unread = candidates.slice(index).filter((one) => !this.#seen.has(candidateKey(one)));
        await this.#look(unread.slice(0, BATCH_SIZE));
      }
      const seen = this.#seen.get(candidateKey(candidate));
      if (seen && (!side || seen.sides.includes(side))) found.push(seen.change);
    }
    return found;
  }

  async #look(batch: CandidateFile[]): Promise<void> {
    const { repo, hunks, memory, signal } = this.#options;
    const oids: string[] = [];
    for (const oid of new Set(batch.map(({ commit }) => memory.commits.oid(commit)))) {
      await yieldIfDue(signal);
      if (this.#mayShow(oid)) oids.push(oid);
    }
    const paths = [...new Set(batch.flatMap(({ path, oldPath }) => [path, oldPath]))];
    const diffs = await readDiffs({ repo, hunks }, oids, { paths, signal });
    for (const candidate of batch) {
      const files = diffs.get(memory.commits.oid(candidate.commit)) ?? [];
      const file = files.find((file) => (file.new_path ?? file.old_path) === candidate.path);
      const sides = file ? this.#sides.filter((side) => this.#has(file, side)) : [];
      const change = file && sides.length > 0 ? this.#change(candidate.commit, file, sides) : null;
      this.#seen.set(candidateKey(candidate), change && { change, sides });
    }
  }

  /** Whether the bytes of what is remembered have the text: to look is far less work than to read them as a patch. */
  #mayShow(oid: string): boolean {
    const patch = indexedPatch(this.#options.hunks, oid);
    return patch === null || this.#lines.every((line) => line.includes(REPLACEMENT_CHARACTER) || patch.includes(line));
  }

  #has(file: FileDiff, side: DiffSide): boolean {
    const kind = side === 'added' ? 'add' : 'delete';
    const changed = file.hunks.flatMap(({ lines }) => lines.filter((line) => line.kind === kind));
    return this.#lines.every((text) => changed.some((line) => line.text.includes(text)));
  }

  #change(commit: number, file: FileDiff, sides: DiffSide[]): ChangeMatch {
    const kinds = sides.map((side) => (side === 'added' ? 'add' : 'delete'));
    const fits = (text: string) => this.#lines.some((line) => text.includes(line));
    const hunk = file.hunks.find(({ lines }) =>
      lines.some(({ kind, text }) => kinds.some((one) => one === kind) && fits(text)),
    );
    const place = hunk && {
      oldStart: hunk.old_start,
      oldLines: hunk.old_lines,
      newStart: hunk.new_start,
      newLines: hunk.new_lines,
    };
    return {
      commit,
      oldPath: file.old_path,
      newPath: file.new_path,
      hunk: place ? excerptHunk(file, place, fits) : null,
    };
  }
}
