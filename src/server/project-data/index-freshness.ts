import type { IndexFreshness } from '#contract/common.ts';
import { countCommits } from '#git/count.ts';
import { readRefs } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import type { ProjectRow } from '../identity/access.ts';
import { projectStorage } from './storage.ts';

/**
 * Which commit answers about a project rest on now, and how far behind its branch that is: what was fetched but is not read
 * yet. `commit` is what the memory shows, where that is at hand.
 */
export async function getIndexFreshness(
  { config }: Pick<Deps, 'config'>,
  project: Pick<ProjectRow, 'id' | 'branch' | 'indexed_commit' | 'fetched_at'>,
  commit = project.indexed_commit ?? '',
): Promise<IndexFreshness> {
  const { repo } = projectStorage(config.dataDir, project.id);
  const ref = `refs/remotes/origin/${project.branch}`;
  const head = project.branch === null ? null : ((await readRefs(repo, [ref])).get(ref) ?? null);
  const behind =
    head === null || commit === '' ? null : await countCommits(repo, { from: head, not: commit });
  const fetched_at = project.fetched_at?.toISOString() ?? null;
  return { commit, branch: project.branch, behind, fetched_at };
}
