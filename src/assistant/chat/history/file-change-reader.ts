import { AppError } from '#contract/errors.ts';
import type { FileDiff } from '#contract/projects.ts';
import { filterPatchByPath, indexedPatch, readDiffs } from '#evolution/read-diffs.ts';
import { followRenames } from '#investigate/history/renames.ts';
import type { SourceReader } from '#investigate/locate/source-reader.ts';
import { type ChangeIndex, openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import type { FileHunks } from '#memory/changes/hunk.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { ToolContext } from '../../tools/tool.ts';

const TIMEOUT_MS = 1_500;
const LF = 10;
/** First letters of the headings of files and hunks. */
const [DIFF, HUNK] = ['d', '@'].map((letter) => letter.charCodeAt(0));
const HUNK_HEAD = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Changes of a file by commit, each read once for an answer, which looks at several ranges. Names are those after a commit. */
export class FileChangeReader {
  readonly #path: string;
  readonly #context: ToolContext;
  readonly #changes: ChangeIndex | null;
  readonly #hunks = new Map<string, FileHunks | null>();
  readonly #diffs = new Map<string, FileDiff[]>();

  constructor(path: string, context: ToolContext) {
    this.#path = path;
    this.#context = context;
    this.#changes = openChangeIndexIfUsable(context.hunks);
  }

  /** Positions of hunks; null where the index of changes does not have them. */
  hunks(commit: number, name: string): FileHunks | null {
    const key = `${commit} ${name}`;
    const known = this.#hunks.get(key);
    if (known !== undefined) return known;
    const hunks = this.#changes && readHunks(this.#changes, this.#oid(commit), name);
    this.#hunks.set(key, hunks);
    return hunks;
  }

  /** Diff of the file; undefined where there is none, or no time to read it. */
  async diff(commit: number, name: string): Promise<FileDiff | undefined> {
    await this.readDiffs([commit]);
    return this.#diffs.get(this.#oid(commit))?.find(({ new_path }) => new_path === name);
  }

  /** Number of lines by which a commit made the file longer, without parsing the patch where its headings tell. */
  async addedLines(commit: number, name: string): Promise<number> {
    const patch = this.#changes && indexedPatch(this.#changes, this.#oid(commit));
    const known = patch && countAddedLines(filterPatchByPath(patch, [name]), name);
    if (known !== null) return known;
    const hunks = (await this.diff(commit, name))?.hunks ?? [];
    return hunks.reduce((sum, { old_lines, new_lines }) => sum + new_lines - old_lines, 0);
  }

  /** Reads the diffs of commits under all names of the file. */
  async readDiffs(commits: number[]): Promise<void> {
    const missing = commits.map((commit) => this.#oid(commit)).filter((oid) => !this.#diffs.has(oid));
    if (missing.length === 0) return;
    const { repo, index, signal } = this.#context;
    const paths = followRenames([this.#path], index.commits).allPaths(this.#path);
    const source = { repo, hunks: this.#changes };
    const read = await readDiffs(source, missing, { paths, timeoutMs: TIMEOUT_MS, signal });
    for (const [oid, files] of read) this.#diffs.set(oid, files);
  }

  #oid(commit: number): string {
    return this.#context.index.commits.oid(commit);
  }
}

const readersOfAnswer = memoizeByIdentity((_sources: SourceReader) => new Map<string, FileChangeReader>());

/** The reader of a file, the same for one answer. */
export function fileChangeReaderOf(path: string, context: ToolContext): FileChangeReader {
  const readers = readersOfAnswer(context.sources);
  const reader = readers.get(path) ?? new FileChangeReader(path, context);
  readers.set(path, reader);
  return reader;
}

function readHunks(changes: ChangeIndex, oid: string, path: string): FileHunks | null {
  try {
    return changes.hunksOf(oid, path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return null;
    throw error;
  }
}

/** Added lines minus removed ones of one file in a patch, by the headings of its hunks; null where the file is not found. */
function countAddedLines(patch: Buffer, name: string): number | null {
  let total: number | null = null;
  let isOwn = false;
  for (let from = 0, to: number; from < patch.length; from = to + 1) {
    to = patch.indexOf(LF, from);
    if (to < 0) to = patch.length;
    // Lines of files have a sign first.
    if (patch[from] === DIFF) {
      isOwn = patch.toString('utf8', from, to).endsWith(` b/${name}`);
      if (isOwn) total = 0;
    } else if (isOwn && patch[from] === HUNK) {
      const [, before = '1', after = '1'] =
        HUNK_HEAD.exec(patch.toString('latin1', from, Math.min(to, from + 80))) ?? [];
      total = total! + Number(after) - Number(before);
    }
  }
  return total;
}
