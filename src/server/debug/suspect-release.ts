import { isoTime } from '#contract/iso-time.ts';
import { findFirstRelease } from '#git/first-release.ts';
import { isAncestor } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import { type KnownRelease, listKnownReleases } from '../project-data/release-order.ts';

/** Tags of a long history take git seconds. */
const GIT_TIMEOUT_MS = 3_000;

interface SuspectRelease {
  name: string;
  timestamp: string;
}

/**
 * Finds the release since which a commit has been running: that of the first event of its error, unless it lacks the commit,
 * else the first tag with the commit. Null where neither is known, or git took too long.
 */
export async function findSuspectRelease(
  deps: Pick<Deps, 'db' | 'projectFiles'>,
  error: { project_id: string; fingerprint: string },
  commit: string,
  caller: AbortSignal,
): Promise<SuspectRelease | null> {
  const repo = await deps.projectFiles.repositories.open(error.project_id);
  const first = await findFirstEventRelease(deps, error);
  const hasCommit = first?.commit
    ? await isAncestor(repo, commit, first.commit, GIT_TIMEOUT_MS).catch(() => false)
    : null;
  if (first && hasCommit) return present(first);
  const signal = AbortSignal.any([caller, AbortSignal.timeout(GIT_TIMEOUT_MS)]);
  const tag = await findFirstRelease(repo, commit, signal).catch(() => null);
  if (tag) return { name: tag.name, timestamp: isoTime(tag.time) };
  // The error occurred in this release, whichever commit it was built from.
  return first && hasCommit === null ? present(first) : null;
}

function present({ version, time }: KnownRelease): SuspectRelease | null {
  return time && { name: version, timestamp: time.toISOString() };
}

async function findFirstEventRelease(
  deps: Pick<Deps, 'db' | 'projectFiles'>,
  { project_id, fingerprint }: { project_id: string; fingerprint: string },
): Promise<KnownRelease | null> {
  const row = await deps.db
    .selectFrom('debug_groups')
    .select('first_release')
    .where('project_id', '=', project_id)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  if (!row?.first_release) return null;
  const releases = await listKnownReleases(deps, project_id);
  return releases.find(({ version }) => version === row.first_release) ?? null;
}
