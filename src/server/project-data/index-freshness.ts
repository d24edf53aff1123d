import type { IndexFreshness } from '#contract/common.ts';
import { countCommits } from '#git/count-commits.ts';
import { readRefs } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';

/**
 * Returns the commit that answers about a project are based on, and the number of fetched commits that are not indexed yet.
 * `commit` is the revision of an open index.
 */
export async function getIndexFreshness(
  { projectFiles }: Pick<Deps, 'projectFiles'>,
  project: Pick<AccessibleProject, 'id' | 'branch' | 'indexed_commit' | 'fetched_at'>,
  commit = project.indexed_commit ?? '',
): Promise<IndexFreshness> {
  const repo = await projectFiles.repositories.open(project.id);
  const ref = `refs/remotes/origin/${project.branch}`;
  const head = project.branch === null ? null : ((await readRefs(repo, [ref])).get(ref) ?? null);
  const behind =
    head === null || commit === '' ? null : await countCommits(repo, { from: head, not: commit });
  const fetched_at = project.fetched_at?.toISOString() ?? null;
  return { commit, branch: project.branch, behind, fetched_at };
}
