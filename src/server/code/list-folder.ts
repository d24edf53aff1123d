import { type CommitLine, type FolderEntry, MAX_FOLDER_ENTRIES } from '#contract/code.ts';
import { AppError } from '#contract/errors.ts';
import { isoTime } from '#contract/iso-time.ts';
import { findEntry, type GitTreeEntry, listFolder } from '#git/tree.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CommitTable, RepositoryIndex } from '#memory/repository-index.ts';

interface FolderRequest {
  repo: string;
  index: RepositoryIndex;
  /** Full hash. */
  commit: string;
  /** Empty for the root. */
  path: string;
  signal: AbortSignal;
}

/** Lists a folder at a commit. The last commits of its entries are known at the indexed revision. Throws `not_found`. */
export async function listFolderWithCommits(
  request: FolderRequest,
): Promise<{ entries: FolderEntry[]; truncated: boolean }> {
  const { repo, index, commit, signal } = request;
  const path = request.path.replace(/^\/+|\/+$/g, '');
  const tree = path === '' ? commit : await findTree(repo, commit, path);
  const { entries, truncated } = await listFolder(repo, tree, { max: MAX_FOLDER_ENTRIES, signal });
  const newest = commit === index.revision ? newestCommits(index.commits) : null;
  const listed = entries.flatMap((entry) => {
    if (entry.path === null) return [];
    const full = path === '' ? entry.path : `${path}/${entry.path}`;
    const last = newest?.get(full);
    return [presentEntry(entry, last === undefined ? null : presentCommitLine(index.commits, last))];
  });
  return { entries: listed.toSorted(foldersFirst), truncated };
}

/** Presents an indexed commit beside code. */
export function presentCommitLine(commits: CommitTable, commit: number): CommitLine {
  return {
    hash: commits.oid(commit),
    subject: commits.subject(commit).slice(0, 300),
    author: commits.author(commit),
    timestamp: isoTime(commits.time(commit)),
  };
}

async function findTree(repo: string, commit: string, path: string): Promise<string> {
  const entry = await findEntry(repo, commit, path);
  if (entry?.type !== 'tree') throw new AppError('not_found', 'folder_not_found_at_commit');
  return entry.oid;
}

/** The newest commit that changed each path, or anything below it, by path. */
const newestCommits = memoizeByIdentity((commits: CommitTable) => {
  const newest = new Map<string, number>();
  for (let number = 0; number < commits.pathCount; number++) {
    const commit = commits.touching(number)[0];
    if (commit === undefined) continue;
    let path = commits.path(number);
    for (;;) {
      if (!(newest.get(path)! <= commit)) newest.set(path, commit);
      const slash = path.lastIndexOf('/');
      if (slash === -1) break;
      path = path.slice(0, slash);
    }
  }
  return newest;
});

function presentEntry({ path, type, mode, size }: GitTreeEntry, last: CommitLine | null): FolderEntry {
  const kind =
    mode === '120000' ? 'link' : ({ tree: 'folder', blob: 'file', commit: 'submodule' } as const)[type];
  return { name: path!, type: kind, size, last };
}

function foldersFirst(a: FolderEntry, b: FolderEntry): number {
  const order = Number(b.type === 'folder') - Number(a.type === 'folder');
  return order || (a.name < b.name ? -1 : 1);
}
