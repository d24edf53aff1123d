import { LRUCache } from 'lru-cache';
import type { CommitRef } from '#contract/projects.ts';
import { listUpstreamRefs, type UpstreamRef } from '#git/refs.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

/** Branches and tags that are read of a repository. */
const MAX_REFS = 5_000;
/** Refs change with every fetch, and an index may be older than the last one. */
const MAX_AGE_MS = 30_000;
const MAX_REFS_OF_COMMIT = 20;

const cachedRefs = memoizeByIdentity(
  (_index: RepositoryIndex) => new LRUCache<'refs', UpstreamRef[]>({ max: 1, ttl: MAX_AGE_MS }),
);

/** Branches and tags that were read lately; undefined where none were. */
export function recentRefList(index: RepositoryIndex): UpstreamRef[] | undefined {
  return cachedRefs(index).get('refs');
}

/** Lists the newest branches and tags of a repository. */
export async function readRefList(
  repo: string,
  index: RepositoryIndex,
  signal?: AbortSignal,
): Promise<UpstreamRef[]> {
  const recent = recentRefList(index);
  if (recent) return recent;
  const refs = await listUpstreamRefs(repo, { max: MAX_REFS, signal });
  cachedRefs(index).set('refs', refs);
  return refs;
}

/** Returns the branches and tags at each commit. */
export function refsByCommit(refs: readonly UpstreamRef[]): (commit: string) => CommitRef[] {
  const byCommit = Map.groupBy(refs, ({ commit }) => commit);
  return (commit) =>
    (byCommit.get(commit) ?? []).slice(0, MAX_REFS_OF_COMMIT).map(({ name, kind }) => ({ name, kind }));
}
