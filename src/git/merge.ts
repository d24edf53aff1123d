import { assertOid, git } from './run.ts';
import { commitTree, type Signature } from './write.ts';

/** A file at one side of a merge: hash of its blob, and its mode. */
interface MergeSide {
  oid: string;
  mode: string;
}

/** A file that both sides changed; a side is null where the file is missing. */
export interface MergeConflict {
  path: string;
  base: MergeSide | null;
  ours: MergeSide | null;
  theirs: MergeSide | null;
}

/** Tree of a merge; where there are conflicts, their files contain git's markers. */
export interface MergedTree {
  tree: string;
  conflicts: MergeConflict[];
}

/** A commit to be replayed: who wrote it, when, and why. */
interface ReplayedCommit {
  tree: string;
  parents: string[];
  author: Signature;
  message: string;
}

/** Commits to be replayed, full hashes. */
interface Replay {
  commits: readonly string[];
  onto: string;
  by: Signature;
  /** Tree of a commit that conflicts; null where it is not resolved. */
  resolve?: (merged: MergedTree, commit: string) => Promise<string | null>;
}

/** Result of replaying commits; `stoppedAt` is the first that conflicts. */
type ReplayResult =
  | { head: string; stoppedAt: null; conflicts: [] }
  | { head: null; stoppedAt: string; conflicts: MergeConflict[] };

const MERGE_TIMEOUT_MS = 60_000;
const STAGES = { 1: 'base', 2: 'ours', 3: 'theirs' } as const;

/** Merges two commits, full hashes, without a work tree. Objects are written; no branch moves. */
export async function mergeTrees(repo: string, ours: string, theirs: string): Promise<MergedTree> {
  const { stdout } = await git(repo, ['merge-tree', '--write-tree', '-z', '--no-messages'], {
    name: 'merge-tree',
    revisions: [assertOid(ours), assertOid(theirs)],
    timeoutMs: MERGE_TIMEOUT_MS,
    // 1: conflicts.
    ok: [0, 1],
  });
  const [tree = '', ...rows] = stdout.toString().split('\0');
  const conflicts = new Map<string, MergeConflict>();
  for (const row of rows) {
    // `mode oid stage <tab> path`
    const [, mode, oid, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t([\s\S]+)$/.exec(row) ?? [];
    if (mode === undefined || oid === undefined || path === undefined) continue;
    const conflict = conflicts.get(path) ?? { path, base: null, ours: null, theirs: null };
    conflict[STAGES[Number(stage) as 1 | 2 | 3]] = { oid, mode };
    conflicts.set(path, conflict);
  }
  return { tree: assertOid(tree), conflicts: [...conflicts.values()] };
}

/**
 * Replays commits, oldest first, on top of `onto`, as `git rebase` and `git cherry-pick` do: authors and messages stay, the
 * committer is `by`. Stops at the first that conflicts and that `resolve` gives no tree for. No branch moves. A commit that
 * changes nothing there is left out. The side `ours` of a conflict is the head so far, `theirs` the commit.
 */
export async function replayCommits(
  repo: string,
  { commits, onto, by, resolve }: Replay,
): Promise<ReplayResult> {
  let head = assertOid(onto);
  for (const oid of commits) {
    const commit = await readCommit(repo, oid);
    const [parent] = commit.parents;
    if (parent === head) {
      head = oid;
      continue;
    }
    const headTree = await treeOf(repo, head);
    // The merge base of two commits is their common parent: git picks it where this one stands between them.
    const bridge =
      parent === undefined
        ? head
        : await commitTree(repo, {
            tree: headTree,
            parents: [parent],
            message: 'bridge',
            author: by,
            committer: by,
          });
    const merged = await mergeTrees(repo, bridge, oid);
    const { conflicts } = merged;
    const tree = conflicts.length === 0 ? merged.tree : await resolve?.(merged, oid);
    if (!tree) return { head: null, stoppedAt: oid, conflicts };
    if (tree === headTree) continue;
    const { author, message } = commit;
    head = await commitTree(repo, { tree, parents: [head], message, author, committer: by });
  }
  return { head, stoppedAt: null, conflicts: [] };
}

/** Commits from `base` to `head`, oldest first, without merges; at most `max`, else null. */
export async function listReplayable(
  repo: string,
  { base, head, max }: { base: string; head: string; max: number },
): Promise<string[] | null> {
  const args = ['rev-list', '--reverse', '--topo-order', '--no-merges'];
  const { stdout } = await git(repo, args, {
    name: 'rev-list',
    revisions: [assertOid(head), `^${assertOid(base)}`],
  });
  const oids = stdout.toString().split('\n').filter(Boolean);
  return oids.length > max ? null : oids;
}

/** The tree of a commit. */
export async function treeOf(repo: string, commit: string): Promise<string> {
  const options = { name: 'rev-parse', revisions: [`${assertOid(commit)}^{tree}`] };
  const { stdout } = await git(repo, ['rev-parse', '--verify', '--end-of-options'], options);
  return assertOid(stdout.toString().trim());
}

async function readCommit(repo: string, oid: string): Promise<ReplayedCommit> {
  const format = '--format=%T%x00%P%x00%an%x00%ae%x00%at%x00%B';
  const options = { name: 'log', revisions: [assertOid(oid)], paths: [] };
  const { stdout } = await git(
    repo,
    ['log', '-1', '--no-show-signature', '--encoding=UTF-8', format],
    options,
  );
  const [tree = '', parents = '', name = '', email = '', time = '', ...message] = stdout
    .toString()
    .split('\0');
  return {
    tree,
    parents: parents.split(' ').filter(Boolean),
    // git refuses to write a commit without a name.
    author: { name: name || email || 'Unknown', email, time: Number(time) || 0 },
    message: `${message.join('\0').trimEnd()}\n`,
  };
}
