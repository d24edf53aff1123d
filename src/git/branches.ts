import { LRUCache } from 'lru-cache';
import { assertOid, git, gitStream, isRefName } from './run.ts';

/** A file that differs between two commits; the counts are null for a binary file. */
interface FileCounts {
  path: string;
  additions: number | null;
  deletions: number | null;
}

/** Fields of a commit in a list. */
interface CommitSummary {
  oid: string;
  author: string;
  /** Author time in seconds since 1970; NaN for a broken date. */
  time: number;
  subject: string;
}

const READ_TIMEOUT_MS = 20_000;

/** Commits that only one of two commits reaches. Both are full hashes. */
export async function countAheadBehind(
  repo: string,
  { commit, upstream, signal }: { commit: string; upstream: string; signal?: AbortSignal },
): Promise<{ ahead: number; behind: number }> {
  const key = `${commit} ${upstream} ${repo}`;
  const known = distances.get(key);
  if (known) return known;
  const range = `${assertOid(commit)}...${assertOid(upstream)}`;
  const options = { name: 'rev-list', timeoutMs: READ_TIMEOUT_MS, ...(signal && { signal }) };
  const { stdout } = await git(repo, ['rev-list', '--left-right', '--count', range], options);
  const [ahead = 0, behind = 0] = stdout.toString().trim().split('\t').map(Number);
  distances.set(key, { ahead, behind });
  return { ahead, behind };
}

/** Two commits keep their distance, except where a shallow repository gets more of its history. */
const distances = new LRUCache<string, { ahead: number; behind: number }>({ max: 1_000, ttl: 60_000 });

/** Counts the commits that no branch of the upstream reaches. `commit` is a full hash. */
export async function countUnpushed(repo: string, commit: string, signal?: AbortSignal): Promise<number> {
  const { stdout } = await git(
    repo,
    ['rev-list', '--count', assertOid(commit), '--not', '--remotes=origin'],
    { name: 'rev-list', timeoutMs: READ_TIMEOUT_MS, ...(signal && { signal }) },
  );
  return Number(stdout.toString());
}

/** The best common ancestor of two commits, full hashes; null where their histories share none. */
export async function findMergeBase(repo: string, a: string, b: string): Promise<string | null> {
  const options = { name: 'merge-base', revisions: [assertOid(a), assertOid(b)], ok: [0, 1] };
  const { exitCode, stdout } = await git(repo, ['merge-base'], options);
  return exitCode === 0 ? stdout.toString().trim() : null;
}

/** Files that differ between two commits, at most `max` of them, and their number. Both are full hashes. */
export async function listChangedFiles(
  repo: string,
  { from, to, max, signal }: { from: string; to: string; max: number; signal?: AbortSignal },
): Promise<{ files: FileCounts[]; total: number }> {
  const { stdout } = await git(
    repo,
    ['diff-tree', '-r', '-z', '--numstat', '--no-renames', '--no-ext-diff'],
    {
      name: 'diff-tree',
      revisions: [assertOid(from), assertOid(to)],
      timeoutMs: READ_TIMEOUT_MS,
      ...(signal && { signal }),
    },
  );
  const rows = stdout.toString().split('\0').slice(0, -1);
  const files = rows.slice(0, max).map((row) => {
    const [, additions = '-', deletions = '-', path = ''] = /^(\S+)\t(\S+)\t([\s\S]*)$/.exec(row) ?? [];
    return { path, additions: toCount(additions), deletions: toCount(deletions) };
  });
  return { files, total: rows.length };
}

function toCount(text: string): number | null {
  return text === '-' ? null : Number(text);
}

/** First line, author and time of each of these commits. */
export async function readCommitSummaries(
  repo: string,
  oids: readonly string[],
): Promise<Map<string, CommitSummary>> {
  const found = new Map<string, CommitSummary>();
  if (oids.length === 0) return found;
  const format = '--format=%H%x1f%at%x1f%an%x1f%s';
  const { stdout } = await git(repo, ['log', '--no-walk=unsorted', '-z', '--encoding=UTF-8', format], {
    name: 'log',
    revisions: oids.map(assertOid),
    paths: [],
    timeoutMs: READ_TIMEOUT_MS,
  });
  for (const row of stdout.toString().split('\0').filter(Boolean)) {
    const [oid = '', time = '', author = '', ...subject] = row.split('\x1f');
    found.set(oid, { oid, author, time: Number(time), subject: subject.join(' ') });
  }
  return found;
}

/** Commits of `head` that no branch of the upstream and none of `not` has, newest first; at most `max`. */
export async function listUnpushed(
  repo: string,
  { head, not = [], max }: { head: string; not?: string[]; max: number },
): Promise<{ oid: string; parents: string[] }[]> {
  const excluded = ['--not', '--remotes=origin', ...not.map(assertOid)];
  const args = ['rev-list', '--topo-order', '--parents', `--max-count=${max}`, assertOid(head), ...excluded];
  const { stdout } = await git(repo, args, { name: 'rev-list', timeoutMs: READ_TIMEOUT_MS });
  return stdout
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [oid = '', ...parents] = line.split(' ');
      return { oid, parents };
    });
}

/** Commits of `head` that `base` lacks, newest first, without merges; at most `max`. Both are full hashes. */
export async function listUnmerged(
  repo: string,
  { head, base, max }: { head: string; base: string; max: number },
): Promise<string[]> {
  const { stdout } = await git(repo, ['rev-list', '--no-merges', `--max-count=${max}`], {
    name: 'rev-list',
    revisions: [assertOid(head), `^${assertOid(base)}`],
    timeoutMs: READ_TIMEOUT_MS,
  });
  return stdout.toString().split('\n').filter(Boolean);
}

/** Deletes a branch that stands at `from`; false when it has moved or is gone. The caller holds the branch's lock. */
export async function deleteBranch(
  repo: string,
  { branch, from }: { branch: string; from: string },
): Promise<boolean> {
  const { exitCode } = await git(repo, ['update-ref', '-d'], {
    name: 'update-ref',
    revisions: [`refs/heads/${branch}`, assertOid(from)],
    // 128: the branch has moved.
    ok: [0, 1, 128],
  });
  return exitCode === 0;
}

/** Renames a branch that stands at `from`, both at once; false when it has moved. The caller holds the locks of both names. */
export async function renameBranch(
  repo: string,
  { branch, to, from }: { branch: string; to: string; from: string },
): Promise<boolean> {
  if (!isRefName(branch) || !isRefName(to)) return false;
  const steps = [
    'start',
    `create refs/heads/${to} ${assertOid(from)}`,
    `delete refs/heads/${branch} ${from}`,
    'prepare',
    'commit',
  ];
  const { exitCode } = await git(repo, ['update-ref', '--create-reflog', '--stdin'], {
    name: 'update-ref',
    input: `${steps.join('\n')}\n`,
    ok: [0, 1, 128],
  });
  return exitCode === 0;
}

/** Keeps a commit from being pruned under a name of its own, which no reader sees. */
export async function keepCommit(repo: string, name: string, commit: string): Promise<void> {
  await git(repo, ['update-ref'], {
    name: 'update-ref',
    revisions: [`refs/hindsight/${name}`, assertOid(commit)],
  });
}

/** Ends what `keepCommit` began. */
export async function releaseCommit(repo: string, name: string): Promise<void> {
  await git(repo, ['update-ref', '-d'], {
    name: 'update-ref',
    revisions: [`refs/hindsight/${name}`],
    ok: [0, 1, 128],
  });
}

/** Records where a branch of the upstream stands after a push, as a fetch would. */
export async function recordUpstreamHead(repo: string, branch: string, commit: string): Promise<void> {
  await git(repo, ['update-ref'], {
    name: 'update-ref',
    revisions: [`refs/remotes/origin/${branch}`, assertOid(commit)],
    // 128: it conflicts with the name of a branch that the next fetch removes.
    ok: [0, 1, 128],
  });
}

/** Commits from `base` to `head` as one mailbox, which `git am` reads; merges are left out. Streams. */
export function formatPatches(
  repo: string,
  { base, head }: { base: string; head: string },
): AsyncGenerator<Buffer, void, undefined> {
  const flags = ['--stdout', '--binary', '--full-index', '--no-ext-diff', '--no-textconv', '--no-color'];
  return gitStream(repo, ['format-patch', ...flags], {
    name: 'format-patch',
    revisions: [`^${assertOid(base)}`, assertOid(head)],
    timeoutMs: EXPORT_TIMEOUT_MS,
  });
}

/** The difference between two commits as one patch, which `git apply` reads. Streams. */
export function formatDiff(
  repo: string,
  { base, head }: { base: string; head: string },
): AsyncGenerator<Buffer, void, undefined> {
  const flags = ['-r', '-p', '--binary', '--full-index', '--no-ext-diff', '--no-textconv', '--no-color'];
  return gitStream(repo, ['diff-tree', ...flags, '--src-prefix=a/', '--dst-prefix=b/'], {
    name: 'diff-tree',
    revisions: [assertOid(base), assertOid(head)],
    timeoutMs: EXPORT_TIMEOUT_MS,
  });
}

const EXPORT_TIMEOUT_MS = 10 * 60_000;
