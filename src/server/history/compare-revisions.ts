import {
  type ComparedCommit,
  type ComparedFile,
  MAX_COMPARED_COMMITS,
  MAX_COMPARED_FILES,
} from '#contract/history.ts';
import { isoTime } from '#contract/iso-time.ts';
import { type Authors, readAuthors } from '#evolution/authors.ts';
import { isFixCommit, isNonSource } from '#evolution/fixes.ts';
import { BULK_COMMIT_FILES } from '#evolution/hotspots.ts';
import type { ChangedFile } from '#git/diff.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { kindOfCommit } from '../project-data/commit-filters.ts';

/** Files that count as hotspots: this share of those that still exist, by the number of their changes. */
const HOTSPOT_SHARE = 0.02;
const MIN_HOTSPOT_CHANGES = 10;
/** Changes of a file that are read for fixes. */
const MAX_READ_CHANGES = 200;
const MAX_JUDGED_FILES = 40;

/** Commits between two indexed commits, by their numbers. */
export async function compareIndexed(
  source: { repo: string; index: RepositoryIndex },
  [base, head]: [base: number, head: number],
  signal: AbortSignal,
) {
  const { index } = source;
  const { commits } = index;
  const inBase = await reachableFrom(commits, base, signal);
  const inHead = await reachableFrom(commits, head, signal);
  const ahead: number[] = [];
  let behind = 0;
  for (let commit = 0; commit < commits.count; commit++) {
    if (inHead[commit] && !inBase[commit]) ahead.push(commit);
    else if (inBase[commit] && !inHead[commit]) behind += 1;
  }
  // The first in the order of the index: no other common ancestor descends from it.
  const ancestor = inBase.findIndex((reached, commit) => reached === 1 && inHead[commit] === 1);
  return {
    ancestor: ancestor === -1 ? null : commits.oid(ancestor),
    commits: ahead.slice(0, MAX_COMPARED_COMMITS).map((commit) => presentCommit(index, commit)),
    total_commits: ahead.length,
    behind,
    authors: await countAuthors(await readAuthors(source), ahead, signal),
  };
}

/** Parents of every commit, one list behind the other: the table builds an array for each. */
const parentLists = memoizeByIdentity(async (commits: CommitTable) => {
  const starts = new Uint32Array(commits.count + 1);
  const parents: number[] = [];
  for (let commit = 0; commit < commits.count; commit++) {
    if (commit % 4_000 === 0) await yieldIfDue();
    for (const parent of commits.parents(commit)) parents.push(parent);
    starts[commit + 1] = parents.length;
  }
  return { starts, parents: Uint32Array.from(parents) };
});

/** Marks a commit and its ancestors with 1. */
async function reachableFrom(commits: CommitTable, head: number, signal?: AbortSignal): Promise<Uint8Array> {
  const { starts, parents } = await parentLists(commits);
  const reached = new Uint8Array(commits.count);
  reached[head] = 1;
  // Children have smaller numbers than their parents.
  for (let commit = head; commit < commits.count; commit++) {
    if (commit % 20_000 === 0) await yieldIfDue(signal);
    if (reached[commit] === 0) continue;
    for (let i = starts[commit]!; i < starts[commit + 1]!; i++) reached[parents[i]!] = 1;
  }
  return reached;
}

function presentCommit(index: RepositoryIndex, commit: number): ComparedCommit {
  const { commits } = index;
  return {
    hash: commits.oid(commit),
    subject: commits.subject(commit).slice(0, 300),
    author: commits.author(commit),
    timestamp: isoTime(commits.committed(commit)),
    kind: kindOfCommit(index, commit),
  };
}

async function countAuthors({ authorOf }: Authors, ahead: number[], signal: AbortSignal): Promise<number> {
  const authors = new Set<number>();
  for (const [i, commit] of ahead.entries()) {
    if (i % 1_000 === 0) await yieldIfDue(signal);
    authors.add(authorOf[commit]!);
  }
  return authors.size;
}

/** Number of changes from which a source file of this index is a hotspot. */
const hotspotThreshold = memoizeByIdentity(async ({ commits, code }: RepositoryIndex) => {
  const counts: number[] = [];
  for (const [i, path] of existingPaths(commits, code).entries()) {
    if (i % 1_000 === 0) await yieldIfDue();
    const number = commits.pathNumber(path);
    if (number >= 0 && !isNonSource(path)) counts.push(commits.touching(number).length);
  }
  counts.sort((a, b) => b - a);
  return Math.max(MIN_HOTSPOT_CHANGES, counts[Math.floor(counts.length * HOTSPOT_SHARE)] ?? 0);
});

/** Paths of the indexed files; of the whole history while the files are not indexed. */
function existingPaths(commits: CommitTable, code: RepositoryIndex['code']): string[] {
  return code
    ? Array.from({ length: code.fileCount }, (_, file) => code.filePath(file))
    : Array.from({ length: commits.pathCount }, (_, path) => commits.path(path));
}

/** Changed files: source code before tests and documents, each by the number of changes in its whole history. */
export async function judgeFiles(
  index: RepositoryIndex,
  files: ChangedFile[],
  signal: AbortSignal,
): Promise<ComparedFile[]> {
  const { commits } = index;
  const threshold = await hotspotThreshold(index);
  const touching = (path: string | null) => {
    const number = path === null ? -1 : commits.pathNumber(path);
    return number < 0 ? [] : Array.from(commits.touching(number));
  };
  const judged = files
    .map(({ status, path, oldPath }) => {
      const changes = [...new Set([...touching(path), ...touching(oldPath)])];
      return { status, path, old_path: oldPath, changes, isSource: !isNonSource(path) };
    })
    .toSorted((a, b) => Number(b.isSource) - Number(a.isSource) || b.changes.length - a.changes.length)
    .slice(0, MAX_COMPARED_FILES);
  const isFix = createFixTest(index);
  const compared: ComparedFile[] = [];
  for (const [rank, { changes, isSource, ...file }] of judged.entries()) {
    await yieldIfDue(signal);
    const fixes = rank < MAX_JUDGED_FILES ? changes.slice(0, MAX_READ_CHANGES).filter(isFix).length : 0;
    const hotspot = isSource && changes.length >= threshold;
    compared.push({ ...file, changes: changes.length, fixes, hotspot });
  }
  return compared;
}

/** Creates a test for fixes that reads each commit once, even if it changed many of the files. */
function createFixTest(index: RepositoryIndex): (commit: number) => boolean {
  const known = new Map<number, boolean>();
  return (commit) => {
    const isKnownFix = known.get(commit);
    if (isKnownFix !== undefined) return isKnownFix;
    const isFix = index.commits.paths(commit).length <= BULK_COMMIT_FILES && isFixCommit(index, commit);
    known.set(commit, isFix);
    return isFix;
  };
}
