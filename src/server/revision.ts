import { AppError } from '#contract/errors.ts';
import { commitBefore, resolveCommit } from '#git/refs.ts';
import type { Memory } from '#memory/memory.ts';
import type { RevisionOptions } from '#memory/revisions.ts';
import type { Deps } from './deps.ts';

/**
 * What a task of the pool is told of a revision that somebody named: null for none, and for the memory's own. Throws
 * as `resolveRevision` does.
 */
export async function atRevision(
  { config }: Pick<Deps, 'config'>,
  { repo, memory, revision }: { repo: string; memory: Memory; revision: string | null | undefined },
): Promise<{ revision: string; limits: RevisionOptions['limits'] } | null> {
  if (!revision) return null;
  const commit = await resolveRevision(repo, memory.revision, revision);
  return commit === memory.revision ? null : { revision: commit, limits: config.git };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The full hash of the commit that a revision means: a hash, tag or branch, or the last commit of a day (UTC) on the
 * way to `head`. Throws `bad_request` in words when there is none.
 */
async function resolveRevision(repo: string, head: string, revision: string): Promise<string> {
  const end = DAY.test(revision) ? new Date(`${revision}T23:59:59Z`) : null;
  const isDay = end !== null && !Number.isNaN(end.getTime());
  const commit = isDay ? await commitBefore(repo, head, end) : await resolveCommit(repo, revision);
  if (commit !== null) return commit;
  throw new AppError(
    'bad_request',
    isDay
      ? `The project has no commit of ${revision} or before.`
      : 'The project has no commit, tag or branch of this name.',
    { reason: 'unknown_revision' },
  );
}
