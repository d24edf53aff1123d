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

/** Lists the newest branches and tags of a repository. */
export async function readRefList(
  repo: string,
  index: RepositoryIndex,
  signal?: AbortSignal,
): Promise<UpstreamRef[]> {
  const cache = cachedRefs(index);
  const cached = cache.get('refs');
  if (cached) return cached;
  const refs = await listUpstreamRefs(repo, { max: MAX_REFS, signal });
  cache.set('refs', refs);
  return refs;
}

/** Returns the branches and tags at each commit. */
export function refsByCommit(refs: readonly UpstreamRef[]): (commit: string) => CommitRef[] {
  const byCommit = Map.groupBy(refs, ({ commit }) => commit);
  return (commit) =>
    (byCommit.get(commit) ?? []).slice(0, MAX_REFS_OF_COMMIT).map(({ name, kind }) => ({ name, kind }));
}
