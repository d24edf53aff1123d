import type { FileDiff, Hunk } from '#contract/projects.ts';
import { type DiffSource, readDiffs } from '#evolution/read-diffs.ts';
import { openBlobReader } from '#git/blobs.ts';
import { readBlobChanges } from '#git/lineage-blobs.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { followRenames, type RenameHistory } from '../history/renames.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import type { MessageOrigin } from '../locate/message-origin.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import { lackedMember, receiversOf } from '../trace/lacked-member.ts';
import type { Trace } from '../trace/trace.ts';
import { expectLines, fitsVersion, type LineExpectation } from './line-expectation.ts';
import { addsCheck, countLine, countOf, hasLine, isSpread, successorOf } from './line-succession.ts';

/** The failing line of an older version, which the indexed code no longer has as it was. */
export interface ChangedLine {
  /** Current path of the file. */
  path: string;
  /** Line as the trace prints it, and its code in the older version. */
  line: number;
  text: string;
  /** `checked`: the line is still there, below a condition that was added. */
  how: 'changed' | 'removed' | 'checked';
  commit: number;
  hunk: Hunk;
}

/** Repository whose history of a line is followed. */
export interface LineHistoryDeps extends DiffSource {
  index: RepositoryIndex;
  signal?: AbortSignal | undefined;
}

interface ChangedLineInput extends LineHistoryDeps {
  trace: Trace;
  frames: readonly PlacedFrame[];
  owners: readonly FrameOwner[];
  origins: readonly MessageOrigin[];
  sources: SourceReader;
}

/** Versions of the file that are compared with the trace, and commits whose diffs are read. */
const MAX_VERSIONS = 200;
const MAX_FILE_BYTES = 500_000;
/** Rewrites of a line that keep its names. */
const MAX_REWRITES = 8;
/** Share of the message that a literal of the indexed code covers, so that it still raises it. */
const MIN_ORIGIN_SHARE = 0.5;
const MIN_ORIGIN_WORDS = 2;
/** Words of a message that a statement, rather than the language, is likely to raise. */
const MIN_WORDS = 3;
/** Fewer letters are in too many lines. */
const INFORMATIVE_LINE = /(?:[\p{L}\p{N}]\P{L}*){6}/u;

/**
 * Finds the commit that changed, removed or guarded the failing line since the version that printed the trace: the indexed
 * file contradicts the trace, an older version has the line. Null where the line was only moved or rewritten.
 */
export async function findChangedLine(input: ChangedLineInput): Promise<ChangedLine | null> {
  const { trace, index, sources, origins } = input;
  const [failing, ...others] = framesOfFailingFile(input);
  if (!failing) return null;
  const current = await sources.lines(failing.path);
  const expected = expectLines(trace, [failing, ...others]);
  const [first] = expected;
  if (!current || !first) return null;
  if (origins.some(({ share, words }) => share >= MIN_ORIGIN_SHARE && words >= MIN_ORIGIN_WORDS)) return null;
  if (!contradicts(current, expected, failing)) return null;
  const { path } = failing;
  const { message } = trace;
  const history = { path, current, renames: followRenames([path], index.commits), message };
  const older = await findOlderLine(history, expected, input);
  const text = older?.text ?? first.text;
  if (text === null) return null;
  const found = await findLineChange({ ...history, text, isExact: older !== null, until: older?.at }, input);
  return found && { path, line: first.line, text, ...found };
}

/** Frames of the project in the file that failed, innermost first, by their printed lines. */
function framesOfFailingFile({ frames, owners }: ChangedLineInput): PlacedFrame[] {
  const own = frames.filter(({ frame, depth }) => frame.line !== null && owners[depth] === 'project');
  const [failing] = own;
  // A compiled file has lines of its own.
  if (!failing || extensionOf(failing.frame.path) !== extensionOf(failing.path)) return [];
  return own.filter(({ path }) => path === failing.path);
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** True when the indexed file cannot have printed the trace. */
function contradicts(
  current: readonly string[],
  expected: readonly LineExpectation[],
  { depth, range }: PlacedFrame,
): boolean {
  const [failing] = expected;
  const fits = fitsVersion(current, failing!);
  if (fits !== null || range !== undefined) return fits !== true;
  // Nothing names the line; a statement that raised the message may have been there.
  return depth === 0 && failing!.names.length === 0 && failing!.message!.split(/\s+/).length >= MIN_WORDS;
}

interface FileHistory {
  path: string;
  current: readonly string[];
  renames: RenameHistory;
}

/** Commits that changed the file under any of its names, newest first. */
export function commitsOfFile(
  { path, renames }: Pick<FileHistory, 'path' | 'renames'>,
  { index: { commits } }: Pick<LineHistoryDeps, 'index'>,
): number[] {
  const numbers = renames.allPaths(path).map((one) => commits.pathNumber(one));
  const touching = numbers.flatMap((number) => (number < 0 ? [] : [...commits.touching(number)]));
  return [...new Set(touching)].sort((a, b) => a - b).slice(0, MAX_VERSIONS);
}

/** The failing line in the newest version of the file that could have printed the trace; null when none could. */
async function findOlderLine(
  history: FileHistory,
  expected: readonly LineExpectation[],
  input: ChangedLineInput,
): Promise<{ text: string; at: number } | null> {
  const { repo, index, signal } = input;
  const oids = commitsOfFile(history, input).map((commit) => index.commits.oid(commit));
  const paths = history.renames.allPaths(history.path);
  if (oids.length === 0) return null;
  const changes = await readBlobChanges(repo, oids, { paths, ...(signal && { signal }) });
  const blobs = openBlobReader(repo, { ...(signal && { signal }) });
  const seen = new Set<string>();
  try {
    for (const [at, oid] of oids.entries()) {
      const blob = changes.get(oid)?.find((change) => change.blob !== null)?.blob;
      if (!blob || seen.has(blob)) continue;
      seen.add(blob);
      await yieldIfDue(signal);
      const read = await blobs.read(blob, MAX_FILE_BYTES);
      if (!read || !('content' in read)) continue;
      const lines = read.content.toString('utf8').split('\n');
      const [failing, ...others] = expected;
      const fits = fitsVersion(lines, failing!) && others.every((one) => fitsVersion(lines, one) !== false);
      if (fits) return { text: lines[failing!.line - 1]!.trim(), at };
    }
    return null;
  } finally {
    blobs.close();
  }
}

interface LineHistory extends FileHistory {
  text: string;
  /** Message of the error, which may name what the line failed to read. */
  message: string;
  /** True when a version of the file has the line at the printed place. */
  isExact: boolean;
  /** Position of that version among the commits of the file. */
  until: number | undefined;
}

/** The commit that changed a line, beyond rewrites that keep its names; null where it is as it was, or was moved. */
export async function findLineChange(
  { text, message, isExact, until, ...history }: LineHistory,
  input: LineHistoryDeps,
): Promise<Pick<ChangedLine, 'commit' | 'hunk' | 'how'> | null> {
  if (!INFORMATIVE_LINE.test(text)) return null;
  const { index, signal } = input;
  const paths = history.renames.allPaths(history.path);
  const commits = commitsOfFile(history, input).slice(0, until);
  const oids = commits.map((commit) => index.commits.oid(commit));
  if (oids.length === 0) return null;
  const diffs = await readDiffs(input, oids, { paths, signal });
  const hunksOf = (oid: string) => hunksIn(diffs.get(oid), paths);
  let line = text;
  let newer = oids;
  for (let round = 0; round < MAX_REWRITES; round++) {
    if (hasLine(history.current, line)) {
      const isUnique = countOf(history.current, line) === 1;
      const member = lackedMember(message);
      const values = member === null ? [] : receiversOf(line, [member]);
      const isChecked = (hunk: Hunk) => isExact && isUnique && addsCheck(line, hunk, values);
      const at = newer.findIndex((oid) => hunksOf(oid).some(isChecked));
      const hunk = at < 0 ? undefined : hunksOf(newer[at]!).find(isChecked);
      return hunk ? { commit: commits[at]!, hunk, how: 'checked' } : null;
    }
    const at = newer.findIndex((oid) => removalOf(line, hunksOf(oid)) !== null);
    if (at < 0) return null;
    const hunk = removalOf(line, hunksOf(newer[at]!))!;
    const next = successorOf(line, hunk);
    if (next === null) {
      if (isSpread(line, hunk) || (await isMoved(line, newer[at]!, input))) return null;
      return {
        commit: commits[at]!,
        hunk,
        how: hunk.lines.some(({ kind }) => kind === 'add') ? 'changed' : 'removed',
      };
    }
    line = next;
    newer = newer.slice(0, at);
  }
  return null;
}

function hunksIn(files: FileDiff[] | undefined, paths: readonly string[]): Hunk[] {
  return (files ?? [])
    .filter(({ old_path, new_path }) => paths.includes(old_path ?? '') || paths.includes(new_path ?? ''))
    .flatMap(({ hunks }) => hunks);
}

/** The hunk that takes a line out of the file; null where none does. */
function removalOf(line: string, hunks: readonly Hunk[]): Hunk | null {
  const count = (kind: 'add' | 'delete') => hunks.reduce((sum, hunk) => sum + countLine(line, hunk, kind), 0);
  if (count('delete') <= count('add')) return null;
  return hunks.find((hunk) => countLine(line, hunk, 'delete') > 0) ?? null;
}

/** True when the same commit added the line to another file. */
async function isMoved(line: string, oid: string, input: LineHistoryDeps): Promise<boolean> {
  const files = (await readDiffs(input, [oid], { signal: input.signal })).get(oid) ?? [];
  return files.some(({ hunks }) => hunks.some((hunk) => countLine(line, hunk, 'add') > 0));
}
