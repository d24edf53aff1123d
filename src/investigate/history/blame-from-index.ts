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

/** Lines `from` to `to`, from 1, of the current version of a file. */
interface BlameRange {
  /** Current path first, then the former ones. */
  paths: readonly string[];
  /** All lines of the file. */
  lines: readonly string[];
  from: number;
  to: number;
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
  range: BlameRange,
  index: RepositoryIndex,
  hunks: ChangeIndex,
): BlamedLine[] | null {
  if (!isFullyIndexed(range.paths, index, hunks)) return null;
  const blamer = new LineBlamer(range, index, hunks);
  const found = new Map<number, BlamedLine>();
  for (let line = range.from; line <= Math.min(range.to, range.lines.length); line++) {
    const blamed = blamer.lastAuthorOf(line);
    if (blamed) found.set(line, blamed);
  }
  for (const step of [1, -1]) {
    const lines = Array.from({ length: range.to - range.from + 1 }, (_, i) => range.from + i);
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

class LineBlamer {
  readonly #range: BlameRange;
  readonly #memory: RepositoryIndex;
  readonly #hunks: ChangeIndex;
  readonly #normalizedLines: string[];
  readonly #changes = new Map<string, FileChange | null>();
  readonly #terms = new Map<Block, Map<number, BlockTerm | null>>();
  readonly #fileHunks = new Map<Block, number[]>();

  constructor(range: BlameRange, index: RepositoryIndex, hunks: ChangeIndex) {
    this.#range = range;
    this.#memory = index;
    this.#hunks = hunks;
    this.#normalizedLines = range.lines.map(removeWhitespace);
  }

  /** Blames an informative line; null when no change matches. */
  lastAuthorOf(line: number): BlamedLine | null {
    const text = this.#range.lines[line - 1]!;
    if (!INFORMATIVE_LINE.test(text)) return null;
    const normalized = this.#normalizedLines[line - 1]!;
    const isUnique =
      this.#normalizedLines.indexOf(normalized) === this.#normalizedLines.lastIndexOf(normalized);
    let isCertain = isUnique;
    let first: BlamedLine | null = null;
    for (const change of this.#changesWith(text, 'added')) {
      const count = (kind: PatchLine['kind']) =>
        change.rows.filter((row) => row.kind === kind && row.normalized === normalized).length;
      const added = count('add');
      if (added === 0) continue;
      if (count('delete') >= added) {
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
    const keys = [...new Set(terms(text))].map(termKey);
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
    return rarest.reduce(
      (hunks, term) => filterByCursor(hunks, new HunkCursor(term.postings), side),
      this.#hunksOfFile(block),
    );
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

/** Keeps the hunks, in ascending order, in which a term occurs on a side; reads the postings up to the last of them. */
function filterByCursor(hunks: number[], cursor: HunkCursor, side: DiffSide): number[] {
  return hunks.filter((hunk) => {
    cursor.advance(hunk);
    return cursor.hunk === hunk && cursor[side] > 0;
  });
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
