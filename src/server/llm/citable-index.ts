import { type LogCommit, log } from '#git/log.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

/** Commits that an answer can cite beyond the index; newest first. */
const MAX_COMMITS = 500;
const MAX_LOG_BYTES = 8 * 2 ** 20;

/**
 * The index with the commits that another revision adds to it, so that citations of them resolve. It has the code of neither:
 * cited lines are read from git.
 */
export async function createCitableIndex(
  repo: string,
  index: RepositoryIndex,
  { revision, signal }: { revision: string | null; signal: AbortSignal },
): Promise<RepositoryIndex> {
  const { commits } = index;
  if (revision === null || commits.find(revision) !== -1) return index;
  const added: Pick<LogCommit, 'oid' | 'message'>[] = [];
  const range = {
    from: revision,
    not: [index.revision],
    maxBytes: MAX_LOG_BYTES,
    findRenames: false,
    signal,
  };
  for await (const { oid, message } of log(repo, range)) {
    if (added.push({ oid, message }) >= MAX_COMMITS) break;
  }
  return {
    ...index,
    revision,
    code: null,
    commits: {
      ...commits,
      count: commits.count + added.length,
      oid: (commit) => added[commit - commits.count]?.oid ?? commits.oid(commit),
      message: (commit) => added[commit - commits.count]?.message ?? commits.message(commit),
      find(hash) {
        const at = added.findIndex(({ oid }) => oid.startsWith(hash));
        return at === -1 ? commits.find(hash) : commits.count + at;
      },
    },
  };
}
