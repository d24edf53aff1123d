import { AppError } from '#contract/errors.ts';
import type { FileDiff, Hunk } from '#contract/projects.ts';
import { unquotePath } from './quoting.ts';
import { assertOid, git, gitStream, type RunOptions } from './run.ts';

/** Limits of reading a diff. */
interface DiffOptions {
  /** Only these paths. */
  paths?: string[];
  /** Lines around each change; 3 when absent. */
  context?: number;
  /** Bytes of patch; 1 MiB when absent. The file at which they end is marked as truncated, later ones are left out. */
  maxBytes?: number;
  ignoreWhitespace?: boolean;
  signal?: AbortSignal;
}

const ARGS = [
  'diff-tree',
  '--patch',
  '-r',
  '--root',
  '--no-commit-id',
  '--full-index',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];
const MAX_PATCH_BYTES = 2 ** 20;
const MAX_LINE_LENGTH = 2000;
/** Among more changes no renames are looked for: where a hundred thousand equal files come and go, that takes git minutes. */
const MAX_RENAME_CHANGES = 5_000;

/** Diff of a commit, of a merge against its first parent. `oid` is a full hash. */
export async function showCommit(repo: string, oid: string, options: DiffOptions = {}): Promise<FileDiff[]> {
  return diff(repo, ['--diff-merges=first-parent'], [assertOid(oid)], options);
}

/** True when a commit changes too many files for rename detection. `oid` is a full hash. */
export async function isWideCommit(repo: string, oid: string, signal?: AbortSignal): Promise<boolean> {
  return isWide(repo, ['--diff-merges=first-parent'], {
    name: 'diff-tree',
    revisions: [assertOid(oid)],
    signal,
  });
}

async function renameOption(repo: string, extra: string[], run: RunOptions): Promise<string> {
  return (await isWide(repo, extra, run)) ? '--no-renames' : '-M';
}

async function isWide(repo: string, extra: string[], run: RunOptions): Promise<boolean> {
  const args = ['diff-tree', '-r', '--root', '--no-commit-id', '--name-only', '-z', '--no-renames'];
  let changes = 0;
  for await (const chunk of gitStream(repo, [...args, ...extra], run)) {
    for (const byte of chunk) if (byte === 0) changes++;
    if (changes > MAX_RENAME_CHANGES) return true;
  }
  return false;
}

/** Diff from commit `a` to commit `b`, both full hashes. */
export async function diffBetween(
  repo: string,
  a: string,
  b: string,
  options: DiffOptions = {},
): Promise<FileDiff[]> {
  return diff(repo, [], [assertOid(a), assertOid(b)], options);
}

/** Files and lines of a diff. */
interface DiffTotals {
  files: number;
  added: number;
  deleted: number;
}

/**
 * Counts the files and lines that differ between two commits, or those of a commit without parents, with renames as in
 * the diff; null where that takes git longer than a few seconds.
 */
export async function diffTotals(
  repo: string,
  commits: [before: string, after: string] | [root: string],
  { ignoreWhitespace = false, signal }: Pick<DiffOptions, 'ignoreWhitespace' | 'signal'>,
): Promise<DiffTotals | null> {
  const args = [
    'diff-tree',
    '-r',
    '--root',
    '--no-commit-id',
    '--shortstat',
    '--no-ext-diff',
    ...(ignoreWhitespace ? ['-w'] : []),
  ];
  const run = { name: 'diff-tree', revisions: commits.map(assertOid), timeoutMs: TOTALS_TIMEOUT_MS, signal };
  try {
    const { stdout } = await git(repo, [...args, await renameOption(repo, [], run)], run);
    const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(stdout.toString())?.[1] ?? 0);
    return { files: count('file'), added: count('insertion'), deleted: count('deletion') };
  } catch (error) {
    if (error instanceof AppError && error.reason === 'timed_out') return null;
    throw error;
  }
}

const TOTALS_TIMEOUT_MS = 4_000;

/** A file that differs between two commits. */
export interface ChangedFile {
  status: 'A' | 'M' | 'D' | 'R' | 'C' | 'T';
  path: string;
  oldPath: string | null;
  /** Full hashes of the contents; null where the file is not there. */
  oldBlob: string | null;
  blob: string | null;
}

/** Renames are looked for among so many added and deleted files: comparing contents takes milliseconds for each pair. */
const MAX_RENAME_CANDIDATES = 100;

const present = (oid: string) => (/^0+$/.test(oid) ? null : oid);

/** Files that differ between two commits (full hashes), in the order of paths. */
export async function changedFiles(
  repo: string,
  [before, after]: [before: string, after: string],
  { signal }: { signal?: AbortSignal },
): Promise<ChangedFile[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '-M', `-l${MAX_RENAME_CANDIDATES}`];
  const { stdout } = await git(repo, args, {
    name: 'diff-tree',
    revisions: [assertOid(before), assertOid(after)],
    signal,
  });
  const files: ChangedFile[] = [];
  const parts = stdout.toString().split('\0');
  for (let at = 0; at + 1 < parts.length; ) {
    // ":" oldmode SP newmode SP oldblob SP newblob SP status
    const [, , oldBlob = '', blob = '', letter = ''] = parts[at++]!.split(' ');
    const status = letter[0] as ChangedFile['status'];
    const oldPath = status === 'R' || status === 'C' ? parts[at++]! : null;
    files.push({ status, path: parts[at++]!, oldPath, oldBlob: present(oldBlob), blob: present(blob) });
  }
  return files;
}

async function diff(
  repo: string,
  extra: string[],
  revisions: string[],
  options: DiffOptions,
): Promise<FileDiff[]> {
  const { context = 3, maxBytes = MAX_PATCH_BYTES } = options;
  const args = [...ARGS, ...extra, `-U${context}`, ...(options.ignoreWhitespace ? ['-w'] : [])];
  const run = { name: 'diff-tree', revisions, paths: options.paths ?? [], signal: options.signal };
  const renames = await renameOption(repo, extra, run);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of gitStream(repo, [...args, renames], run)) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) break;
  }
  const files = parseDiff(Buffer.concat(chunks).subarray(0, maxBytes));
  const last = files.at(-1);
  if (bytes > maxBytes && last) {
    last.truncated = true;
  }
  return files;
}

/**
 * Reads a patch, of git or plain unified:
 *
 *   file = ["diff --git" … LF extended*] ["--- " old LF "+++ " new LF] hunk*
 *   hunk = "@@ -" start ["," count] " +" start ["," count] " @@" [header] LF line*
 *   line = (" " | "+" | "-") text LF | "\ No newline at end of file" LF
 *
 * Within a hunk the counts decide, so that a deleted line `-- x` is not taken for a header. Lines beyond 2000
 * characters are cut and their file is marked as truncated.
 */
export function parseDiff(patch: Buffer | string): FileDiff[] {
  const rows = patch.toString().split('\n');
  const files: FileDiff[] = [];
  let file: FileDiff | undefined;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    if (row.startsWith('diff --git ')) {
      file = { ...parsePaths(row), binary: false, truncated: false, hunks: [] };
      files.push(file);
    } else if (row.startsWith('--- ') && rows[at + 1]?.startsWith('+++ ')) {
      // Without `diff --git`, a second `---` begins the next file.
      if (file === undefined || file.hunks.length > 0) {
        file = { old_path: null, new_path: null, binary: false, truncated: false, hunks: [] };
        files.push(file);
      }
      file.old_path = parsePath(row.slice(4), 'a/');
      file.new_path = parsePath(rows[at + 1]!.slice(4), 'b/');
      at += 1;
    } else if (file && row.startsWith('@@ ')) {
      at = parseHunk(rows, at, file);
    } else if (file && file.hunks.length === 0) {
      parseExtendedHeader(row, file);
    }
  }
  return files;
}

/** Reads the hunk whose header is `rows[at]` into `file`; returns the last row that belongs to it. */
function parseHunk(rows: string[], at: number, file: FileDiff): number {
  const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s.exec(rows[at]!);
  if (match === null) {
    return at;
  }
  const count = (text: string | undefined) => (text === undefined ? 1 : Number(text));
  const hunk: Hunk = {
    old_start: Number(match[1]),
    old_lines: count(match[2]),
    new_start: Number(match[3]),
    new_lines: count(match[4]),
    header: match[5]!.slice(0, MAX_LINE_LENGTH),
    lines: [],
  };
  file.hunks.push(hunk);
  let [oldLeft, newLeft] = [hunk.old_lines, hunk.new_lines];
  let last = at;
  while (last + 1 < rows.length && (oldLeft > 0 || newLeft > 0)) {
    const row = rows[last + 1]!;
    const mark = row[0];
    const isLast = last + 2 === rows.length;
    if (mark === '\\') {
      last += 1;
      continue;
    }
    // Editors and models strip the blank of an empty context line.
    const kind =
      mark === '+'
        ? 'add'
        : mark === '-'
          ? 'delete'
          : mark === ' ' || (row === '' && !isLast)
            ? 'context'
            : null;
    if (kind === null) {
      break;
    }
    last += 1;
    oldLeft -= kind === 'add' ? 0 : 1;
    newLeft -= kind === 'delete' ? 0 : 1;
    file.truncated ||= row.length > MAX_LINE_LENGTH + 1;
    hunk.lines.push({ kind, text: row.slice(1, MAX_LINE_LENGTH + 1) });
  }
  return last;
}

/** Lines between `diff --git` and the first hunk, as far as they say something that `---` and `+++` do not. */
function parseExtendedHeader(row: string, file: FileDiff): void {
  const [, key, path] = /^(rename from|rename to|copy from|copy to) (.*)$/s.exec(row) ?? [];
  if (key?.endsWith('from')) {
    file.old_path = unquotePath(path!);
  } else if (key?.endsWith('to')) {
    file.new_path = unquotePath(path!);
  } else if (row.startsWith('new file mode')) {
    file.old_path = null;
  } else if (row.startsWith('deleted file mode')) {
    file.new_path = null;
  } else if (row.startsWith('Binary files ') || row === 'GIT binary patch') {
    file.binary = true;
  }
}

/** `diff --git a/x b/x`: both names are the same here, for a rename says its names in lines of their own. */
function parsePaths(row: string): { old_path: string; new_path: string } {
  const rest = row.slice('diff --git '.length);
  const quoted = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/s.exec(rest);
  const half = (rest.length - 1) / 2;
  const [left, right] = quoted ? [quoted[1]!, quoted[2]!] : [rest.slice(0, half), rest.slice(half + 1)];
  return {
    old_path: unquotePath(left).replace(/^a\//, ''),
    new_path: unquotePath(right).replace(/^b\//, ''),
  };
}

/** The path behind `---` or `+++`; a tab ends it, `/dev/null` is none. */
function parsePath(text: string, prefix: string): string | null {
  const path = unquotePath(text.replace(/\t.*$/s, '').replace(/\r$/, ''));
  return path === '/dev/null' ? null : path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
