import { unquotePath } from '#git/quoting.ts';
import { entrySkipReason } from '../skip-rules.ts';
import type { BlockBuilder } from './block-builder.ts';

/** Changed text of one file in one commit that is read, in bytes; of generated and vendored files less. */
const MAX_FILE_BYTES = 512 * 1024;
const MAX_GENERATED_FILE_BYTES = 16 * 1024;
/** Changed text of one commit from which on all its files are read as shortly as odd ones. */
const MAX_COMMIT_BYTES = 32 * 2 ** 20;
/** The part of a line that is read, in bytes. */
const MAX_LINE_BYTES = 4096;
/** A line of which so much is waiting is read without its end. */
const MAX_BUFFERED_LINE_BYTES = 1 << 16;

const [LF, BLANK, PLUS, MINUS, BACKSLASH, AT, DOUBLE_QUOTE] = [10, 32, 43, 45, 92, 64, 34];

/** Options of `git diff-tree` whose output `DiffReader` reads; hashes of commits go to its standard input. */
export const DIFF_ARGS = [
  'diff-tree',
  '--stdin',
  '-r',
  '--root',
  '--patch',
  '-U3',
  '-M',
  // Commits that rename more are looked at as they stand.
  '-l100',
  // Looking for the shortest unique hash of every blob costs more than printing it.
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
  /** Called before every commit: where a block may end. Returns the builder of what follows. */
  readonly #begin: (oid: string) => BlockBuilder;
  #builder: BlockBuilder | null = null;
  #rest: Buffer = Buffer.alloc(0);
  /** The last piece ended within a line that is not read further. */
  #skipping = false;
  /** Lines of each side that the open hunk still has, and where the next one stands. */
  #oldLeft = 0;
  #newLeft = 0;
  #oldLine = 0;
  #newLine = 0;
  #path: string | null = null;
  #oldPath: string | null = null;
  #begun = false;
  #fileBytes = 0;
  #fileMost = 0;
  #commitBytes = 0;
  /** Bytes of the commit's patch that are kept beside its changed lines. */
  #keptBytes = 0;
  #hasLongLine = false;

  constructor(begin: (oid: string) => BlockBuilder) {
    this.#begin = begin;
  }

  /** Takes the next piece of git's output. */
  push(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (at < bytes.length) {
      const end = bytes.indexOf(LF, at);
      if (end === -1) {
        if (bytes.length - at < MAX_BUFFERED_LINE_BYTES) break;
        if (!this.#skipping) this.#take(bytes, at, bytes.length);
        this.#skipping = true;
        at = bytes.length;
        break;
      }
      if (!this.#skipping) this.#take(bytes, at, end);
      this.#skipping = false;
      at = end + 1;
    }
    this.#rest = bytes.subarray(at);
  }

  #take(bytes: Buffer, from: number, to: number): void {
    const first = bytes[from];
    if (this.#oldLeft > 0 && first === MINUS) {
      this.#oldLeft--;
      this.#takeLine('removed', bytes, from + 1, to);
      this.#oldLine++;
    } else if (this.#newLeft > 0 && first === PLUS) {
      this.#newLeft--;
      this.#takeLine('added', bytes, from + 1, to);
      this.#newLine++;
    } else if (this.#oldLeft > 0 && this.#newLeft > 0 && first === BLANK) {
      this.#takeContext(bytes, from, to);
    } else if (first === AT) {
      this.#takeHunk(bytes.toString('latin1', from, Math.min(to, from + 80)));
      this.#keep(bytes, from, to);
    } else if (first !== BACKSLASH) this.#takeHeader(bytes, from, to);
  }

  #takeLine(side: 'added' | 'removed', bytes: Buffer, from: number, to: number): void {
    if (this.#builder === null) return;
    if (!this.#begun) this.#beginFile();
    if (this.#fileBytes >= this.#fileMost) return;
    const end = Math.min(to, from + MAX_LINE_BYTES);
    if (end < to && !this.#hasLongLine) {
      this.#hasLongLine = true;
      this.#builder.skip('long_lines');
    }
    this.#builder.addLine(side, this.#oldLine, this.#newLine, bytes, from, end);
    this.#builder.patches.append(bytes, from - 1, end);
    this.#fileBytes += end - from + 1;
    this.#commitBytes += end - from + 1;
    if (this.#fileBytes >= this.#fileMost) this.#builder.skip(this.#oddity() ?? 'too_large');
  }

  #takeContext(bytes: Buffer, from: number, to: number): void {
    this.#oldLeft--;
    this.#newLeft--;
    this.#oldLine++;
    this.#newLine++;
    this.#keep(bytes, from, to);
  }

  /** Keeps a line of the patch that is no change, as long as the file's changes are read. */
  #keep(bytes: Buffer, from: number, to: number): void {
    if (this.#begun && this.#fileBytes >= this.#fileMost) return;
    if (this.#keptBytes > MAX_COMMIT_BYTES) return;
    const end = Math.min(to, from + MAX_LINE_BYTES);
    this.#keptBytes += end - from;
    this.#builder?.patches.append(bytes, from, end);
    if (this.#keptBytes > MAX_COMMIT_BYTES) this.#builder?.skip('over_limit');
  }

  /** Puts the place right behind `@@ -5,0 +6,2 @@`: a side without lines stands behind the line that is named. */
  #takeHunk(row: string): void {
    const [, oldStart, oldCount = '1', newStart, newCount = '1'] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(row) ?? [];
    if (oldStart === undefined) return;
    this.#oldLeft = Number(oldCount);
    this.#newLeft = Number(newCount);
    this.#oldLine = Number(oldStart) + (this.#oldLeft === 0 ? 1 : 0);
    this.#newLine = Number(newStart) + (this.#newLeft === 0 ? 1 : 0);
  }

  #takeHeader(bytes: Buffer, from: number, to: number): void {
    const row = bytes.toString('utf8', from, to);
    if (row.startsWith('diff --git ')) {
      this.#path = null;
      this.#oldPath = null;
      this.#begun = false;
      this.#oldLeft = 0;
      this.#newLeft = 0;
    } else if (row.startsWith('rename from ')) this.#oldPath = unquotePath(row.slice(12));
    else if (row.startsWith('--- ')) this.#path = sidePath(row) ?? this.#path;
    else if (row.startsWith('+++ ')) this.#path = sidePath(row) ?? this.#path;
    else if (row.startsWith('Binary files ')) this.#builder?.skip('binary');
    else if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(row)) {
      this.#builder = this.#begin(row);
      this.#commitBytes = 0;
      this.#keptBytes = 0;
      this.#begun = false;
    }
    if (RETAINED_HEADER.test(row)) this.#keep(bytes, from, to);
  }

  /** The first changed line of a file: its names are known now. */
  #beginFile(): void {
    this.#begun = true;
    this.#hasLongLine = false;
    this.#fileBytes = 0;
    const isOdd = this.#oddity() !== null || this.#commitBytes > MAX_COMMIT_BYTES;
    this.#fileMost = isOdd ? MAX_GENERATED_FILE_BYTES : MAX_FILE_BYTES;
    this.#builder!.beginFile(this.#path ?? '', this.#oldPath ?? this.#path ?? '');
  }

  #oddity(): 'generated' | 'vendored' | null {
    const path = this.#path ?? '';
    const entry = { path, raw: Buffer.alloc(0), mode: '100644', type: 'blob', oid: '', size: null } as const;
    const reason = entrySkipReason(entry, { maxFileBytes: Number.POSITIVE_INFINITY });
    return reason === 'generated' || reason === 'vendored' ? reason : null;
  }
}

/**
 * Rows of a patch's header from which `parsePatch` knows the rest: `---` and `+++` say the names once more, and hashes of
 * contents would be a tenth of all that is kept.
 */
const RETAINED_HEADER = /^(?:diff --git |rename |new file |deleted file |Binary files )/;

/** The path behind `--- ` or `+++ `, which git may quote and end with a tab; null for `/dev/null`. */
function sidePath(row: string): string | null {
  const text = row.slice(4);
  const path = unquotePath(text.charCodeAt(0) === DOUBLE_QUOTE ? text : text.replace(/\t$/, ''));
  return path === '/dev/null' ? null : path.slice(2);
}
