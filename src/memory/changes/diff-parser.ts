import type { PathMatcher } from '#git/path-patterns.ts';
import { unquotePath } from '#git/quoting.ts';
import { entrySkipReason } from '../skip-rules.ts';
import type { BlockBuilder } from './block-builder.ts';

/** Bytes of changed text that are indexed per file and commit; fewer of generated and vendored files. */
const MAX_FILE_BYTES = 512 * 1024;
const MAX_GENERATED_FILE_BYTES = 16 * 1024;
/** Bytes of changed text of one commit beyond which its files are limited like generated ones. */
const MAX_COMMIT_BYTES = 32 * 2 ** 20;
/** Bytes of a line that are indexed. */
const MAX_LINE_BYTES = 4096;
/** Bytes of an incomplete line that are buffered before its beginning is processed. */
const MAX_BUFFERED_LINE_BYTES = 1 << 16;

const [LF, BLANK, PLUS, MINUS, BACKSLASH, AT, DOUBLE_QUOTE] = [10, 32, 43, 45, 92, 64, 34];

/** Options of `git diff-tree` for `DiffParser`; hashes of commits go to its standard input. */
export const DIFF_ARGS = [
  'diff-tree',
  '--stdin',
  '-r',
  '--root',
  '--patch',
  '-U3',
  '-M',
  // Renames are not detected in commits with more candidates.
  '-l100',
  // Abbreviating the hash of every blob costs more than printing it.
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/**
 * Reads the patches of commits as bytes and hands their changed lines to a builder, and the patches as they are. The grammar, after which nothing
 * needs to be looked up again:
 *
 *     output = (hash LF file*)*
 *     file   = "diff --git " … LF extended* ["--- " old LF "+++ " new LF hunk*]
 *     hunk   = "@@ -" start ["," count] " +" start ["," count] " @@" … LF ((" " | "-" | "+") text LF)*
 *              and "\ No newline at end of file" LF behind either side
 *
 * Within a hunk the counts decide what a line is, so that a removed line `-- x` is not taken for a header.
 */
export class DiffParser {
  /** Called before every commit, where a block may end. Returns the builder for the commit. */
  readonly #begin: (oid: string) => BlockBuilder;
  #builder: BlockBuilder | null = null;
  #rest: Buffer = Buffer.alloc(0);
  /** True while the rest of an overlong line is skipped. */
  #skipping = false;
  /** Remaining lines of each side in the open hunk, and the position of the next one. */
  #oldLeft = 0;
  #newLeft = 0;
  #oldLine = 0;
  #newLine = 0;
  #path: string | null = null;
  #oldPath: string | null = null;
  #fileStarted = false;
  #fileBytes = 0;
  #maxFileBytes = 0;
  #commitBytes = 0;
  /** Bytes of the commit's patch that are stored beside its changed lines. */
  #contextBytes = 0;
  #hasLongLine = false;
  /** True in the patch of an excluded file, of which nothing is stored. */
  #isExcludedFile = false;
  readonly #isExcluded: PathMatcher;

  constructor(begin: (oid: string) => BlockBuilder, isExcluded: PathMatcher = () => false) {
    this.#begin = begin;
    this.#isExcluded = isExcluded;
  }

  /** Processes the next chunk of git's output. */
  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (at < bytes.length) {
      const end = bytes.indexOf(LF, at);
      if (end === -1) {
        if (bytes.length - at < MAX_BUFFERED_LINE_BYTES) break;
        if (!this.#skipping) this.#processLine(bytes, at, bytes.length);
        this.#skipping = true;
        at = bytes.length;
        break;
      }
      if (!this.#skipping) this.#processLine(bytes, at, end);
      this.#skipping = false;
      at = end + 1;
    }
    this.#rest = bytes.subarray(at);
  }

  #processLine(bytes: Buffer, from: number, to: number): void {
    const first = bytes[from];
    if (this.#oldLeft > 0 && first === MINUS) {
      this.#oldLeft--;
      this.#processChange('removed', bytes, from + 1, to);
      this.#oldLine++;
    } else if (this.#newLeft > 0 && first === PLUS) {
      this.#newLeft--;
      this.#processChange('added', bytes, from + 1, to);
      this.#newLine++;
    } else if (this.#oldLeft > 0 && this.#newLeft > 0 && first === BLANK) {
      this.#processContext(bytes, from, to);
    } else if (first === AT) {
      this.#processHunkHeader(bytes.toString('latin1', from, Math.min(to, from + 80)));
      this.#storeLine(bytes, from, to);
    } else if (first !== BACKSLASH) this.#processHeader(bytes, from, to);
  }

  #processChange(side: 'added' | 'removed', bytes: Buffer, from: number, to: number): void {
    if (this.#builder === null || this.#isExcludedFile) return;
    if (!this.#fileStarted) this.#startFile();
    if (this.#fileBytes >= this.#maxFileBytes) return;
    const end = Math.min(to, from + MAX_LINE_BYTES);
    if (end < to && !this.#hasLongLine) {
      this.#hasLongLine = true;
      this.#builder.skip('long_lines');
    }
    this.#builder.addLine(side, this.#oldLine, this.#newLine, bytes, from, end);
    this.#builder.patches.append(bytes, from - 1, end);
    this.#fileBytes += end - from + 1;
    this.#commitBytes += end - from + 1;
    if (this.#fileBytes >= this.#maxFileBytes) this.#builder.skip(this.#exclusionReason() ?? 'too_large');
  }

  #processContext(bytes: Buffer, from: number, to: number): void {
    this.#oldLeft--;
    this.#newLeft--;
    this.#oldLine++;
    this.#newLine++;
    this.#storeLine(bytes, from, to);
  }

  /** Stores a line of the patch that is not a change, while the file's changes are indexed. */
  #storeLine(bytes: Buffer, from: number, to: number): void {
    if (this.#isExcludedFile) return;
    if (this.#fileStarted && this.#fileBytes >= this.#maxFileBytes) return;
    if (this.#contextBytes > MAX_COMMIT_BYTES) return;
    const end = Math.min(to, from + MAX_LINE_BYTES);
    this.#contextBytes += end - from;
    this.#builder?.patches.append(bytes, from, end);
    if (this.#contextBytes > MAX_COMMIT_BYTES) this.#builder?.skip('over_limit');
  }

  /** Sets the positions after `@@ -5,0 +6,2 @@`: a side without lines starts after the line that it names. */
  #processHunkHeader(row: string): void {
    const [, oldStart, oldCount = '1', newStart, newCount = '1'] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(row) ?? [];
    if (oldStart === undefined) return;
    this.#oldLeft = Number(oldCount);
    this.#newLeft = Number(newCount);
    this.#oldLine = Number(oldStart) + (this.#oldLeft === 0 ? 1 : 0);
    this.#newLine = Number(newStart) + (this.#newLeft === 0 ? 1 : 0);
  }

  #processHeader(bytes: Buffer, from: number, to: number): void {
    const row = bytes.toString('utf8', from, to);
    if (row.startsWith('diff --git ')) {
      this.#path = null;
      this.#oldPath = null;
      this.#fileStarted = false;
      this.#isExcludedFile = false;
      this.#oldLeft = 0;
      this.#newLeft = 0;
    } else if (row.startsWith('rename from ')) this.#oldPath = unquotePath(row.slice(12));
    else if (row.startsWith('--- ') || row.startsWith('+++ ')) {
      this.#path = sidePath(row) ?? this.#path;
      this.#isExcludedFile ||= this.#path !== null && this.#isExcluded(this.#path);
    } else if (row.startsWith('Binary files ')) this.#builder?.skip('binary');
    else if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(row)) {
      this.#builder = this.#begin(row);
      this.#commitBytes = 0;
      this.#contextBytes = 0;
      this.#fileStarted = false;
    }
    if (RETAINED_HEADER.test(row)) this.#storeLine(bytes, from, to);
  }

  /** Starts a file at its first changed line, when its names are complete. */
  #startFile(): void {
    this.#fileStarted = true;
    this.#hasLongLine = false;
    this.#fileBytes = 0;
    const isLimited = this.#exclusionReason() !== null || this.#commitBytes > MAX_COMMIT_BYTES;
    this.#maxFileBytes = isLimited ? MAX_GENERATED_FILE_BYTES : MAX_FILE_BYTES;
    this.#builder!.beginFile(this.#path ?? '', this.#oldPath ?? this.#path ?? '');
  }

  #exclusionReason(): 'generated' | 'vendored' | null {
    const path = this.#path ?? '';
    const entry = { path, raw: Buffer.alloc(0), mode: '100644', type: 'blob', oid: '', size: null } as const;
    const reason = entrySkipReason(entry, { maxFileBytes: Number.POSITIVE_INFINITY });
    return reason === 'generated' || reason === 'vendored' ? reason : null;
  }
}

/**
 * Rows of a patch's header that `parseDiff` does not need: `---` and `+++` say the names once more, and hashes of
 * contents would be a tenth of all that is kept.
 */
const RETAINED_HEADER = /^(?:diff --git |rename |new file |deleted file |Binary files )/;

/** The path behind `--- ` or `+++ `, which git may quote and end with a tab; null for `/dev/null`. */
function sidePath(row: string): string | null {
  const text = row.slice(4);
  const path = unquotePath(text.charCodeAt(0) === DOUBLE_QUOTE ? text : text.replace(/\t$/, ''));
  return path === '/dev/null' ? null : path.slice(2);
}
