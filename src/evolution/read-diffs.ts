import { AppError } from '#contract/errors.ts';
import type { FileDiff } from '#contract/projects.ts';
import { parseDiff } from '#git/diff.ts';
import { gitStream } from '#git/run.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 16 * 1024 * 1024;
const COMMIT_LINE = /^([0-9a-f]{40}|[0-9a-f]{64})\n/gm;
const ARGS = [
  'diff-tree',
  '--stdin',
  '-r',
  '-p',
  '-M',
  // No rename detection in commits with more renames.
  '-l100',
  '--root',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
];

/** Source of diffs: the index of changes, and the bare repository for the rest. */
export interface DiffSource {
  repo: string;
  hunks?: ChangeIndex | null;
}

interface ReadDiffsOptions {
  /** Only these paths; all when empty. */
  paths?: string[];
  signal?: AbortSignal | undefined;
  /** Timeout for git; three seconds when absent. */
  timeoutMs?: number | undefined;
}

/**
 * Reads the diffs of commits by hash; merges have none. One git process reads those that are not indexed; after
 * `timeoutMs` or 16 MiB, only the complete ones are returned. Throws only when the signal aborts.
 */
export async function readDiffs(
  { repo, hunks }: DiffSource,
  oids: string[],
  options: ReadDiffsOptions,
): Promise<Map<string, FileDiff[]>> {
  const indexed = hunks ? await readIndexedDiffs(hunks, oids, options) : new Map<string, FileDiff[]>();
  const others = oids.filter((oid) => !indexed.has(oid));
  return others.length === 0
    ? indexed
    : new Map([...indexed, ...(await readDiffsFromGit(repo, others, options))]);
}

async function readIndexedDiffs(
  hunks: ChangeIndex,
  oids: string[],
  { paths = [], signal }: ReadDiffsOptions,
): Promise<Map<string, FileDiff[]>> {
  const diffs = new Map<string, FileDiff[]>();
  const wanted = new Set(paths);
  const isWanted = (path: string | null) => path !== null && wanted.has(path);
  let bytes = 0;
  for (const oid of oids) {
    await yieldIfDue(signal);
    const patch = indexedPatch(hunks, oid);
    if (patch === null) continue;
    bytes += patch.length;
    if (bytes > MAX_BYTES) break;
    if (wanted.size === 0) {
      diffs.set(oid, parseDiff(patch));
      continue;
    }
    const files = parseDiff(filterPatchByPath(patch, paths));
    const some = files.filter(({ old_path, new_path }) => isWanted(old_path) || isWanted(new_path));
    diffs.set(oid, some);
  }
  return diffs;
}

/** Parts of an unparsed patch whose file may be among `paths`; a quoted path may be any. */
export function filterPatchByPath(patch: Buffer, paths: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0, to: number; from < patch.length; from = to) {
    // Lines of files cannot start like this, since each has a sign first.
    const next = patch.indexOf('\ndiff --git ', from);
    to = next === -1 ? patch.length : next + 1;
    const head = patch.toString('utf8', from, patch.indexOf('\n', from));
    if (head.includes('"') || paths.some((path) => head.includes(path))) parts.push(patch.subarray(from, to));
  }
  return Buffer.concat(parts);
}

/** The indexed patch of a commit; null when it is missing or unusable and must be read from git. */
export function indexedPatch(hunks: ChangeIndex, oid: string): Buffer | null {
  try {
    return hunks.patch(oid);
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return null;
    throw error;
  }
}

async function readDiffsFromGit(
  repo: string,
  oids: string[],
  { paths = [], signal, timeoutMs = TIMEOUT_MS }: ReadDiffsOptions,
): Promise<Map<string, FileDiff[]>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let complete = false;
  const input = `${oids.join('\n')}\n`;
  const options = { name: 'read diffs', input, paths, timeoutMs, ...(signal && { signal }) };
  try {
    for await (const chunk of gitStream(repo, ARGS, options)) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) break;
    }
    complete = bytes <= MAX_BYTES;
  } catch (error) {
    if (signal?.aborted) throw error;
  }
  return splitCommits(Buffer.concat(chunks).toString('utf8'), complete);
}

/** Splits output at bare hashes: all lines of a patch start with a sign or a keyword. */
function splitCommits(output: string, complete: boolean): Map<string, FileDiff[]> {
  const diffs = new Map<string, FileDiff[]>();
  const starts = [...output.matchAll(COMMIT_LINE)];
  for (const [index, start] of starts.entries()) {
    const next = starts[index + 1]?.index;
    if (next === undefined && !complete) break;
    diffs.set(start[1]!, parseDiff(output.slice(start.index + start[0].length, next)));
  }
  return diffs;
}
