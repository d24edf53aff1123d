import { firstLine } from '#contract/first-line.ts';
import type { FileDiff } from '#contract/projects.ts';
import { showCommit } from '#git/diff.ts';
import { readLogCommit } from '#git/log.ts';
import { git } from '#git/run.ts';
import { isFix, revertedCommits } from './fixes.ts';
import { isFormattingOnly } from './hunk-text.ts';
import type { RemovedLine } from './removed-lines.ts';
import { findUndonePlaces } from './undone-places.ts';

/** A fix that a change removes, with the place where it removes most of it. */
export interface UndoneFix {
  /** Full hash. */
  fix: string;
  fixSubject: string;
  /** File and line before the change. */
  path: string;
  line: number;
  /** `revert`: the message says so. `lines`: the lines of the fix are gone. */
  basis: 'lines' | 'revert';
  /** Informative lines that the fix added at the place, and how many of them are gone; 0 for a revert by its message. */
  added: number;
  removed: number;
}

/** A commit, a branch or a text that is not saved yet. */
interface CodeChange {
  /** Diff without context lines. */
  files: readonly FileDiff[];
  removed: readonly RemovedLine[];
  /** Empty where there is none. */
  message: string;
}

interface UndoneFixOptions {
  repo: string;
  /** Commit before the change. */
  before: string;
  signal?: AbortSignal | undefined;
}

/** Wider fixes are sweeps. */
const MAX_FIX_FILES = 12;
/** Fixes of one change that are compared, those with most removed lines first. */
const MAX_FIXES = 8;
const SEARCH_TIMEOUT_MS = 5_000;

/** Finds the fixes that a change removes, those that it names as reverted first. */
export async function findUndoneFixes(change: CodeChange, options: UndoneFixOptions): Promise<UndoneFix[]> {
  const reverted = await findRevertedFixes(change, options);
  const known = new Set(reverted.map(({ fix }) => fix));
  const hunks = change.files.flatMap((file) => file.hunks);
  if (isFormattingOnly(hunks)) return reverted;
  const byFix = Map.groupBy(
    change.removed.filter(({ oid, summary }) => !known.has(oid) && isFix(summary, [])),
    ({ oid }) => oid,
  );
  const found: UndoneFix[] = [];
  for (const [fix, removed] of [...byFix].sort((a, b) => b[1].length - a[1].length).slice(0, MAX_FIXES)) {
    const fixFiles = await showCommit(options.repo, fix, {
      ...{ context: 0, ignoreWhitespace: true, signal: options.signal },
    });
    if (fixFiles.length > MAX_FIX_FILES) continue;
    const [most] = findUndonePlaces({ files: fixFiles, removed, change: change.files });
    if (most) found.push({ fix, fixSubject: removed[0]!.summary, basis: 'lines', ...most });
  }
  return [...reverted, ...found];
}

const REVERT_SUBJECT = /^Revert "(.{4,200})"/;

/** Fixes that the message reverts: by hash, or by subject as code hosts write it. */
async function findRevertedFixes(
  { files, message }: CodeChange,
  { repo, before, signal }: UndoneFixOptions,
): Promise<UndoneFix[]> {
  const place = files.find(({ old_path, hunks }) => old_path !== null && hunks.length > 0);
  if (!place) return [];
  const hashes = revertedCommits(message).filter((hash) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(hash));
  const subject = REVERT_SUBJECT.exec(firstLine(message))?.[1];
  if (hashes.length === 0 && subject !== undefined && isFix(subject, [])) {
    hashes.push(...(await findBySubject(repo, { subject, before, signal })));
  }
  const found: UndoneFix[] = [];
  for (const hash of new Set(hashes.slice(0, MAX_FIXES))) {
    const commit = await readLogCommit(repo, hash, signal);
    const paths = commit?.changes.map(({ path }) => path) ?? [];
    if (!commit || !isFix(commit.message, paths)) continue;
    found.push({
      ...{ fix: commit.oid, fixSubject: firstLine(commit.message), basis: 'revert' },
      ...{ path: place.old_path!, line: place.hunks[0]!.old_start, added: 0, removed: 0 },
    });
  }
  return found;
}

async function findBySubject(
  repo: string,
  { subject, before, signal }: { subject: string; before: string; signal: AbortSignal | undefined },
): Promise<string[]> {
  const args = ['log', '-n1', '--format=%H', '--no-merges', '--fixed-strings', `--grep=${subject}`];
  const options = { name: 'log', revisions: [before], timeoutMs: SEARCH_TIMEOUT_MS, signal };
  const { stdout } = await git(repo, args, options);
  return stdout.toString().split('\n').filter(Boolean);
}
