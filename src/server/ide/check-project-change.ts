import type { ChangeReview } from '#contract/change-check.ts';
import { mergeBase } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { requireIndex } from '../project-data/storage.ts';
import { resolveVersion } from './files.ts';

interface Reader {
  project: AccessibleProject;
  userId: string;
  signal: AbortSignal;
}

interface CheckedChange {
  ref: string | null;
  files: { path: string; content: string | null }[];
}

/** Checks texts that are not saved yet, or what a version changed since it left the indexed commit. */
export async function checkProjectChange(
  deps: Deps,
  reader: Reader,
  { ref, files }: CheckedChange,
): Promise<ChangeReview> {
  const { project, userId, signal } = reader;
  const repo = await deps.projectFiles.repositories.open(project.id);
  const { shared, revision } = await requireIndex(deps, project);
  const { commit } = await resolveVersion(deps, repo, { ...reader, ref });
  const isUnsaved = files.length > 0;
  const before = isUnsaved ? commit : ((await mergeBase(repo, revision, commit)) ?? revision);
  const self = await deps.db
    .selectFrom('users')
    .select(['email', 'username', 'full_name'])
    .where('id', '=', userId)
    .executeTakeFirst();
  const change = {
    ...{ repo, shared, before },
    after: isUnsaved ? null : commit,
    texts: files,
    self: Object.values(self ?? {}).filter((name) => name !== null),
    now: deps.now().getTime() / 1000,
  };
  return await deps.pool.reviewChange(change, { userId, signal });
}
