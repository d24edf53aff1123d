import type { FileDiff } from '#contract/projects.ts';
import { filterPatchByPath } from '#evolution/read-diffs.ts';
import { parsePatch } from '#git/diff.ts';
import type { Block, BlockTerm } from '#memory/changes/block.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import type { DiffSide } from '#memory/changes/hunk.ts';
import { HunkCursor, intersectPostings } from '#memory/changes/hunk-postings.ts';
import { pathKey, termKey } from '#memory/changes/term-keys.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';

/** Who wrote a line last. */
export interface BlamedLine {
  /** From 1, as the line stands now. */
  line: number;
  oid: string;
  /** Seconds since 1970. */
  time: number;
  /** Where the line stood in the commit itself. */
  originalPath: string;
  originalLine: number;
  /** False where the same text was written, moved or taken away more than once, so that it may be another's. */
  isCertain: boolean;
}

/** Lines `from` to `to`, from 1, of a file as it is now. */
export interface BlameRange {
  /** Today's name first, then the former ones. */
  paths: readonly string[];
  /** All lines of the file. */
  lines: readonly string[];
  from: number;
  to: number;
}

/** Words of a line by which its commits are looked for: the rarest ones. */
const MAX_LOOKUP_TERMS = 3;
/** Commits that are read for one line, newest first: what more of them have is in every function. */
const MAX_CHANGES_READ = 24;
/** A line of fewer letters and digits is written by whoever wrote the lines around it. */
const INFORMATIVE_LINE = /(?:[\p{L}\p{N}_]\P{L}*){4}/u;

/**
 * Who wrote lines last, from the remembered changes and without git: of all commits that touched the file the newest one
 * that brought this very text, blanks apart, and did not take it away in the same breath. A line that says too little
 * belongs to the change beside it. Lines whose writer is not found are left out. Null where the changes of the file
 * are not all remembered.
 */
export function blameFromIndex(
  range: BlameRange,
  memory: RepositoryIndex,
  hunks: ChangeIndex,
): BlamedLine[] | null {
  if (!isFullyIndexed(range.paths, memory, hunks)) return null;
  const reader = new LineBlamer(range, memory, hunks);
  const found = new Map<number, BlamedLine>();
  for (let line = range.from; line <= Math.min(range.to, range.lines.length); line++) {
    const written = reader.lastAuthorOf(line);
    if (written) found.set(line, written);
  }
  for (const step of [1, -1]) {
    const lines = Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index);
    for (const line of step === 1 ? lines : lines.toReversed()) {
      const beside = found.get(line - step);
      const written = beside && !found.has(line) && reader.sameChangeAsNeighbor(beside, line, step);
      if (written) found.set(line, written);
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

/** Whether the reading of the history has come to its end and to the newest change of the file. */
function isFullyIndexed(paths: readonly string[], { commits }: RepositoryIndex, hunks: ChangeIndex): boolean {
  const number = commits.pathNumber(paths[0]!);
  if (number < 0 || hunks.commits < hunks.total) return false;
  const newest = commits.touching(number).find((commit) => commits.parents(commit).length < 2);
  return newest !== undefined && hunks.blocks.some((block) => block.find(commits.oid(newest)) >= 0);
}

/** A line of a commit's patch of the file. */
interface PatchLine {
  kind: FileDiff['hunks'][number]['lines'][number]['kind'];
  withoutWhitespace: string;
  /** In the commit's own version of the file. */
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
  readonly #squeezed: string[];
  readonly #changes = new Map<string, FileChange | null>();
  readonly #terms = new Map<Block, Map<number, BlockTerm | null>>();
  readonly #ofFile = new Map<Block, number[]>();

  constructor(range: BlameRange, memory: RepositoryIndex, hunks: ChangeIndex) {
    this.#range = range;
    this.#memory = memory;
    this.#hunks = hunks;
    this.#squeezed = range.lines.map(removeWhitespace);
  }

  /** Who wrote a line that tells something; null where nobody is found. */
  lastAuthorOf(line: number): BlamedLine | null {
    const text = this.#range.lines[line - 1]!;
    if (!INFORMATIVE_LINE.test(text)) return null;
    const squeezed = this.#squeezed[line - 1]!;
    const isAlone = this.#squeezed.indexOf(squeezed) === this.#squeezed.lastIndexOf(squeezed);
    let certain = isAlone;
    let first: BlamedLine | null = null;
    for (const change of this.#changesWith(text, 'added')) {
      const count = (kind: PatchLine['kind']) =>
        change.rows.filter((row) => row.kind === kind && row.withoutWhitespace === squeezed).length;
      const came = count('add');
      if (came === 0) continue;
      if (count('delete') >= came) {
        // Indented anew, or moved: whoever wrote it before is meant, most often.
        certain = false;
        continue;
      }
      const { row, agrees } = this.#bestRow(change, line);
      const written = { ...this.#writtenBy(change, row, line), certain };
      if (isAlone) return { ...written, isCertain: certain && !this.#isTakenAway(text, squeezed, change) };
      if (agrees) return written;
      first ??= written;
    }
    return first;
  }

  /** The writer of the line beside, when the same change brought this line too. */
  sameChangeAsNeighbor(beside: BlamedLine, line: number, step: number): BlamedLine | null {
    const change = this.#changes.get(`${beside.oid} ${beside.originalPath}`);
    const row = change?.rows.find(
      ({ kind, line: at }) => kind === 'add' && at === beside.originalLine + step,
    );
    if (!change || !row || row.withoutWhitespace !== this.#squeezed[line - 1]) return null;
    return { ...this.#writtenBy(change, row, line), isCertain: false };
  }

  #writtenBy({ oid, commit, path }: FileChange, row: PatchLine, line: number): BlamedLine {
    const time = this.#memory.commits.time(commit);
    return { line, oid, time, originalPath: path, originalLine: row.line, isCertain: false };
  }

  /** Of the added lines with this text the one between the same neighbours. */
  #bestRow({ rows }: FileChange, line: number): { row: PatchLine; agrees: boolean } {
    const now = rows.filter(({ kind }) => kind !== 'delete');
    const agreeing = (index: number) =>
      [-1, 1].filter((step) => now[index + step]?.withoutWhitespace === this.#squeezed[line - 1 + step]).length;
    const [best] = [...now.keys()]
      .filter((index) => now[index]!.kind === 'add' && now[index]!.withoutWhitespace === this.#squeezed[line - 1])
      .sort((a, b) => agreeing(b) - agreeing(a));
    return { row: now[best!]!, agrees: agreeing(best!) > 0 };
  }

  /** Whether a newer change took the text away somewhere in the file: what stands may then be an older line. */
  #isTakenAway(text: string, squeezed: string, { commit }: FileChange): boolean {
    for (const change of this.#changesWith(text, 'removed')) {
      if (change.commit >= commit) return false;
      const gone = change.rows.filter((row) => row.withoutWhitespace === squeezed && row.kind === 'delete').length;
      const came = change.rows.filter((row) => row.withoutWhitespace === squeezed && row.kind === 'add').length;
      if (gone > came) return true;
    }
    return false;
  }

  /** Changes of the file that have the rarest words of a line on one side, newest first. */
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

  /** Hunks of the file in a block that have the rarest words, newest first. */
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

  /** Lines side by side share their words. */
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

  /** Hunks of the file in a block, by its names, newest first. */
  #hunksOfFile(block: Block): number[] {
    let hunks = this.#ofFile.get(block);
    if (!hunks) {
      const terms = this.#range.paths.map((path) => block.term(pathKey(path)));
      // A hunk lists its paths as if they had come.
      const all = terms.flatMap((term) => (term ? [...intersectPostings([term.postings], 'added')] : []));
      hunks = [...new Set(all)].sort((a, b) => a - b);
      this.#ofFile.set(block, hunks);
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
    const file = patch && parsePatch(filterPatchByPath(patch, [path])).find(({ new_path }) => new_path === path);
    return file ? { oid, commit, path, rows: toPatchLines(file) } : null;
  }
}

/** Those of some rising hunks that a term's cursor comes upon on a side; it is read no further than to the last of them. */
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
      const row = { kind, squeezed: removeWhitespace(text), line };
      if (kind !== 'delete') line++;
      return row;
    });
  });
}

function removeWhitespace(text: string): string {
  return text.replace(/\s+/g, '');
}
