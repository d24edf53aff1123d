import { type Impact, MAX_IMPACT_PATHS } from '#contract/impact.ts';
import { diffBetween } from '#git/diff.ts';
import { mergeBase } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { openProjectIndex } from '../project-data/storage.ts';

/** A description that is drafted does not wait longer for what it can do without. */
const TIMEOUT_MS = 3_000;

/** Finds what the commits of a branch may affect; null where it cannot be found in time. */
export async function findBranchImpact(
  deps: Deps,
  reader: { project: AccessibleProject; userId: string; signal: AbortSignal },
  head: string,
): Promise<Impact | null> {
  const { project, userId } = reader;
  const signal = AbortSignal.any([reader.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const index = await openProjectIndex(deps, project);
    if (!index) return null;
    const repo = await deps.projectFiles.repositories.open(project.id);
    const before = (await mergeBase(repo, index.revision, head)) ?? index.revision;
    const files = await diffBetween(repo, before, head, { context: 0, ignoreWhitespace: true, signal });
    const subject = { kind: 'branch' as const, name: head, files: files.slice(0, MAX_IMPACT_PATHS) };
    return await deps.pool.findImpact({ repo, shared: index.shared, subject }, { userId, signal });
  } catch {
    return null;
  }
}
