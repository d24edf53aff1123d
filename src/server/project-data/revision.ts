import { AppError, type ErrorKey } from '#contract/errors.ts';
import { commitBefore } from '#git/refs.ts';
import { findRevision, type VisibleRevision } from '#git/revisions.ts';
import type { MessageParams } from '#locales/format-message.ts';
import type { RevisionOptions } from '#memory/index/index-revision.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { readFromGit } from './git-reads.ts';
import { openPartialIndex, projectStorage } from './storage.ts';

/** User and project of a revision lookup. */
export interface RevisionReader {
  project: Pick<AccessibleProject, 'id' | 'shard_generation' | 'working_branch'>;
  userId: string;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal;
}

/** Revision that a task answers at, other than that of the index. */
export interface TaskRevision {
  /** Full hash. */
  revision: string;
  /** True when only the reader's own branch reaches it: the answer must be shown to no other user. */
  isDraft: boolean;
  limits: RevisionOptions['limits'];
}

/**
 * Resolves a revision name for a task of the thread pool; null without a name, and for the revision of the index. Throws as
 * `resolveRevision` does.
 */
export async function resolveTaskRevision(
  deps: Deps,
  {
    index,
    revision,
    ...reader
  }: RevisionReader & { index: RepositoryIndex; revision: string | null | undefined },
): Promise<TaskRevision | null> {
  if (!revision) return null;
  const { commit, isDraft } = await resolveRevision(deps, { ...reader, name: revision });
  return commit === index.revision ? null : { revision: commit, isDraft, limits: deps.config.git };
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Resolves a revision name for a member of a project: a hash, an upstream tag or branch, their own branch, or the last commit
 * of a day (UTC) before the indexed head. Throws `not_found` with reason `revision_not_found`, also for drafts of others.
 */
export async function resolveRevision(
  deps: Deps,
  { name, ...reader }: RevisionReader & { name: string },
): Promise<VisibleRevision> {
  return await readFromGit(deps, reader, (signal) => findVisibleRevision(deps, { ...reader, name, signal }));
}

async function findVisibleRevision(
  deps: Deps,
  { project, userId, name, signal }: RevisionReader & { name: string; signal: AbortSignal },
): Promise<VisibleRevision> {
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const index = await openPartialIndex(deps, project);
  const end = ISO_DAY.test(name) ? new Date(`${name}T23:59:59Z`) : null;
  if (index && end && !Number.isNaN(end.getTime())) {
    const commit = await commitBefore(repo, index.revision, end);
    if (commit === null) throw unknownRevision('no_commit_by_date', { date: name });
    return { commit, isDraft: false };
  }
  const found = await findRevision(name, {
    repo,
    findIndexed: (hash) => {
      const number = index?.commits.find(hash) ?? -1;
      return number === -1 ? null : index!.commits.oid(number);
    },
    head: index?.revision ?? null,
    signal,
    ownBranches: await listOwnBranches(deps, { projectId: project.id, userId }),
  });
  if (found === null) throw unknownRevision('revision_not_found');
  return found;
}

function unknownRevision(key: ErrorKey, params: MessageParams = {}): AppError {
  return new AppError('not_found', key, { params, reason: 'revision_not_found' });
}

async function listOwnBranches(
  { db }: Pick<Deps, 'db'>,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('branches')
    .select('name')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ name }) => name);
}
