import type { FileDiff } from '#contract/projects.ts';
import { filterPatchByPath } from '#evolution/read-diffs.ts';
import { parseDiff } from '#git/diff.ts';
import type { Block, BlockTerm } from '#memory/changes/block.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import type { DiffSide } from '#memory/changes/hunk.ts';
import { HunkCursor, intersectPostings } from '#memory/changes/hunk-postings.ts';
import { pathKey, termKey } from '#memory/changes/term-keys.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';

/** A line and the commit that changed it last. */
export interface BlamedLine {
  /** Current line number, from 1. */
  line: number;
  oid: string;
  /** Unix time in seconds. */
  time: number;
  /** Location of the line in the commit's own version. */
  originalPath: string;
  originalLine: number;
  /** False where the same text was added, moved or removed more than once, so that another commit may own it. */
  isCertain: boolean;
}

/** Ranges of lines, from 1, of the current version of a file. */
interface BlameRanges {
  /** Current path first, then the former ones. */
  paths: readonly string[];
  /** All lines of the file. */
  lines: readonly string[];
  /** First and last line of each range. */
  ranges: readonly (readonly [number, number])[];
  /** Commits whose lines are attributed to earlier ones, or to none: those that only format. */
  isSkipped?: ((commit: number) => boolean) | undefined;
}

/** Rarest terms of a line by which its changes are looked up. */
const MAX_LOOKUP_TERMS = 3;
/** Changes read per line, newest first; text in more of them is boilerplate. */
const MAX_CHANGES_READ = 24;
/** Lines with fewer letters and digits are attributed to the change of the adjacent lines. */
const INFORMATIVE_LINE = /(?:[\p{L}\p{N}_]\P{L}*){4}/u;

/**
 * Blames lines from the index of changes, without git: on the newest commit of the file that added the text, ignoring
 * whitespace, without also deleting it. Leaves out lines without a match; null unless all changes are indexed.
 */
export function blameFromIndex(
  file: BlameRanges,
  index: RepositoryIndex,
  hunks: ChangeIndex,
): BlamedLine[] | null {
  if (!isFullyIndexed(file.paths, index, hunks)) return null;
  const blamer = new LineBlamer(file, index, hunks);
  return file.ranges.flatMap(([from, to]) => blameRange(blamer, from, Math.min(to, file.lines.length)));
}

/**
 * Newest commit that wrote an informative line of the ranges, which takes a fraction of blaming each line; null unless all changes are
 * indexed and one of them matches.
 */
export function newestCommitFromIndex(
  file: BlameRanges,
  index: RepositoryIndex,
  hunks: ChangeIndex,
): number | null {
  if (!isFullyIndexed(file.paths, index, hunks)) return null;
  const lines = file.ranges.flatMap(([from, to]) => file.lines.slice(from - 1, to));
  return new LineBlamer(file, index, hunks).newestCommitOf(lines);
}

function blameRange(blamer: LineBlamer, from: number, to: number): BlamedLine[] {
  const found = new Map<number, BlamedLine>();
  const lines = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  for (const line of lines) {
    const blamed = blamer.lastAuthorOf(line);
    if (blamed) found.set(line, blamed);
  }
  for (const step of [1, -1]) {
    for (const line of step === 1 ? lines : lines.toReversed()) {
      const neighbor = found.get(line - step);
      const blamed = neighbor && !found.has(line) && blamer.sameChangeAsNeighbor(neighbor, line, step);
      if (blamed) found.set(line, blamed);
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

/** True when the whole history is indexed, including the newest change of the file. */
function isFullyIndexed(paths: readonly string[], { commits }: RepositoryIndex, hunks: ChangeIndex): boolean {
  const number = commits.pathNumber(paths[0]!);
  if (number < 0 || hunks.commits < hunks.total) return false;
  const newest = commits.touching(number).find((commit) => commits.parents(commit).length < 2);
  return newest !== undefined && hunks.blocks.some((block) => block.find(commits.oid(newest)) >= 0);
}

/** A line of a commit's patch for the file. */
interface PatchLine {
  kind: FileDiff['hunks'][number]['lines'][number]['kind'];
  normalized: string;
  /** Line number in the commit's own version. */
  line: number;
}

interface FileChange {
  oid: string;
  commit: number;
  path: string;
  rows: PatchLine[];
}

type HunksBySide = Record<DiffSide, Set<number>>;

class LineBlamer {
  readonly #range: BlameRanges;
  readonly #memory: RepositoryIndex;
  readonly #hunks: ChangeIndex;
  readonly #normalizedLines: string[];
  /** Number of lines by their text. */
  readonly #lineCounts = new Map<string, number>();
  readonly #changes = new Map<string, FileChange | null>();
  readonly #terms = new Map<Block, Map<number, BlockTerm | null>>();
  readonly #fileHunks = new Map<Block, number[]>();
  readonly #termHunks = new Map<BlockTerm, HunksBySide>();

  constructor(range: BlameRanges, index: RepositoryIndex, hunks: ChangeIndex) {
    this.#range = range;
    this.#memory = index;
    this.#hunks = hunks;
    this.#normalizedLines = range.lines.map(removeWhitespace);
    for (const line of this.#normalizedLines)
      this.#lineCounts.set(line, (this.#lineCounts.get(line) ?? 0) + 1);
  }

  /** Blames an informative line; null when no change matches. */
  lastAuthorOf(line: number): BlamedLine | null {
    const text = this.#range.lines[line - 1]!;
    if (!INFORMATIVE_LINE.test(text)) return null;
    const normalized = this.#normalizedLines[line - 1]!;
    const isUnique = this.#lineCounts.get(normalized) === 1;
    let isCertain = isUnique;
    let first: BlamedLine | null = null;
    for (const change of this.#changesWith(text, 'added')) {
      const count = (kind: PatchLine['kind']) =>
        change.rows.filter((row) => row.kind === kind && row.normalized === normalized).length;
      const added = count('add');
      if (added === 0) continue;
      if (this.#range.isSkipped?.(change.commit) || count('delete') >= added) {
        // Reindented or moved: usually an earlier commit wrote it.
        isCertain = false;
        continue;
      }
      const { row, agrees } = this.#bestRow(change, line);
      const blamed = { ...this.#blame(change, row, line), isCertain };
      if (isUnique)
        return { ...blamed, isCertain: isCertain && !this.#isDeletedLater(text, normalized, change) };
      if (agrees) return blamed;
      first ??= blamed;
    }
    return first;
  }

  /** The newest commit that added a line which occurs once in the file and was not deleted since; null when none matches. */
  newestCommitOf(lines: readonly string[]): number | null {
    const informative = lines.filter(
      (line) => INFORMATIVE_LINE.test(line) && this.#lineCounts.get(removeWhitespace(line)) === 1,
    );
    const wanted = new Map(informative.map((line) => [removeWhitespace(line), line]));
    for (const block of this.#hunks.blocks) {
      const found = informative.flatMap((line) => this.#hunksWith(block, termKeys(line), 'added'));
      for (const hunk of [...new Set(found)].sort((a, b) => a - b).slice(0, MAX_CHANGES_READ)) {
        const change = this.#change(block, hunk);
        const isNewest = (normalized: string) =>
          !this.#isDeletedLater(wanted.get(normalized)!, normalized, change!);
        if (change && addedLines(change, wanted).some(isNewest)) return change.commit;
      }
    }
    return null;
  }

  /** Attributes a line to the change of its blamed neighbor, if that change added it too. */
  sameChangeAsNeighbor(neighbor: BlamedLine, line: number, step: number): BlamedLine | null {
    const change = this.#changes.get(`${neighbor.oid} ${neighbor.originalPath}`);
    const row = change?.rows.find(
      ({ kind, line: at }) => kind === 'add' && at === neighbor.originalLine + step,
    );
    if (!change || !row || row.normalized !== this.#normalizedLines[line - 1]) return null;
    return { ...this.#blame(change, row, line), isCertain: false };
  }

  #blame({ oid, commit, path }: FileChange, row: PatchLine, line: number): BlamedLine {
    const time = this.#memory.commits.time(commit);
    return { line, oid, time, originalPath: path, originalLine: row.line, isCertain: false };
  }

  /** Of the added lines with this text, the one with the same neighbors. */
  #bestRow({ rows }: FileChange, line: number): { row: PatchLine; agrees: boolean } {
    const now = rows.filter(({ kind }) => kind !== 'delete');
    const agreeing = (i: number) =>
      [-1, 1].filter((step) => now[i + step]?.normalized === this.#normalizedLines[line - 1 + step]).length;
    const [best] = [...now.keys()]
      .filter((i) => now[i]!.kind === 'add' && now[i]!.normalized === this.#normalizedLines[line - 1])
      .sort((a, b) => agreeing(b) - agreeing(a));
    return { row: now[best!]!, agrees: agreeing(best!) > 0 };
  }

  /** True when a newer change deleted the text somewhere in the file, so that the line may be an older one. */
  #isDeletedLater(text: string, normalized: string, { commit }: FileChange): boolean {
    for (const change of this.#changesWith(text, 'removed')) {
      if (change.commit >= commit) return false;
      const deleted = change.rows.filter(
        (row) => row.normalized === normalized && row.kind === 'delete',
      ).length;
      const added = change.rows.filter((row) => row.normalized === normalized && row.kind === 'add').length;
      if (deleted > added) return true;
    }
    return false;
  }

  /** Changes of the file with the rarest terms of a line on one side, newest first. */
  *#changesWith(text: string, side: DiffSide): Generator<FileChange, void, undefined> {
    const keys = termKeys(text);
    let read = 0;
    for (const block of this.#hunks.blocks) {
      for (const hunk of this.#hunksWith(block, keys, side)) {
        const change = this.#change(block, hunk);
        if (change === null) continue;
        yield change;
        if (++read >= MAX_CHANGES_READ) return;
      }
    }
  }

  /** Hunks of the file in a block with the rarest terms, newest first. */
  #hunksWith(block: Block, keys: number[], side: DiffSide): number[] {
    const found = keys.map((key) => this.#term(block, key));
    if (found.length === 0 || found.includes(null)) return [];
    const rarest = found
      .map((term) => term!)
      .sort((a, b) => a.hunks - b.hunks)
      .slice(0, MAX_LOOKUP_TERMS);
    return rarest.reduce((hunks, term) => {
      const own = this.#hunksWithTerm(block, term)[side];
      return hunks.filter((hunk) => own.has(hunk));
    }, this.#hunksOfFile(block));
  }

  /** Hunks of the file with a term on each side. Reads the postings once, since many lines share their terms. */
  #hunksWithTerm(block: Block, term: BlockTerm): HunksBySide {
    const known = this.#termHunks.get(term);
    if (known) return known;
    const found: HunksBySide = { added: new Set(), removed: new Set() };
    const cursor = new HunkCursor(term.postings);
    for (const hunk of this.#hunksOfFile(block)) {
      cursor.advance(hunk);
      if (cursor.hunk !== hunk) continue;
      if (cursor.added > 0) found.added.add(hunk);
      if (cursor.removed > 0) found.removed.add(hunk);
    }
    this.#termHunks.set(term, found);
    return found;
  }

  /** Cached, since adjacent lines share terms. */
  #term(block: Block, key: number): BlockTerm | null {
    const terms = this.#terms.get(block) ?? new Map<number, BlockTerm | null>();
    this.#terms.set(block, terms);
    let term = terms.get(key);
    if (term === undefined) {
      term = block.term(key);
      terms.set(key, term);
    }
    return term;
  }

  /** Hunks of the file in a block, under all its paths, newest first. */
  #hunksOfFile(block: Block): number[] {
    let hunks = this.#fileHunks.get(block);
    if (!hunks) {
      const terms = this.#range.paths.map((path) => block.term(pathKey(path)));
      // Paths are indexed as added terms.
      const all = terms.flatMap((term) => (term ? [...intersectPostings([term.postings], 'added')] : []));
      hunks = [...new Set(all)].sort((a, b) => a - b);
      this.#fileHunks.set(block, hunks);
    }
    return hunks;
  }

  #change(block: Block, hunk: number): FileChange | null {
    const { oid, path } = block.locate(hunk);
    const key = `${oid} ${path}`;
    let change = this.#changes.get(key);
    if (change === undefined) {
      change = this.#read(oid, path);
      this.#changes.set(key, change);
    }
    return change;
  }

  #read(oid: string, path: string): FileChange | null {
    const commit = this.#memory.commits.find(oid);
    if (commit < 0 || !this.#range.paths.includes(path)) return null;
    const patch = this.#hunks.patch(oid);
    const file =
      patch && parseDiff(filterPatchByPath(patch, [path])).find(({ new_path }) => new_path === path);
    return file ? { oid, commit, path, rows: toPatchLines(file) } : null;
  }
}

function termKeys(text: string): number[] {
  return [...new Set(terms(text))].map(termKey);
}

/** Those of the lines that a change adds more often than it deletes them. */
function addedLines({ rows }: FileChange, wanted: ReadonlyMap<string, string>): string[] {
  const balance = new Map<string, number>();
  for (const { kind, normalized } of rows) {
    if (kind === 'context' || !wanted.has(normalized)) continue;
    balance.set(normalized, (balance.get(normalized) ?? 0) + (kind === 'add' ? 1 : -1));
  }
  return [...balance].flatMap(([normalized, count]) => (count > 0 ? [normalized] : []));
}

function toPatchLines({ hunks }: FileDiff): PatchLine[] {
  return hunks.flatMap(({ new_start, lines }) => {
    let line = new_start;
    return lines.map(({ kind, text }): PatchLine => {
      const row = { kind, normalized: removeWhitespace(text), line };
      if (kind !== 'delete') line++;
      return row;
    });
  });
}

function removeWhitespace(text: string): string {
  return text.replace(/\s+/g, '');
}
