import { AppError } from '#contract/errors.ts';
import { createSentence } from '#contract/sentence.ts';
import { isMessageKey } from '#locales/format-message.ts';
import type { Deps } from '../deps.ts';

/** Message about a project that is being indexed: about its files, or anything. */
type WaitingKey = 'files_being_read' | 'repository_being_read';

/**
 * Error for a project whose index, or a part of it, does not exist: `unavailable` while it is being built, `conflict` with the
 * reason where building it failed, since it then comes only when someone asks for it.
 */
export async function missingIndex(
  { db }: Pick<Deps, 'db'>,
  projectId: string,
  waiting: WaitingKey = 'repository_being_read',
): Promise<AppError> {
  const project = await db
    .selectFrom('projects')
    .select(['status', 'failure'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (project?.status !== 'failed') {
    return new AppError('unavailable', waiting, { reason: 'not_ready', retryAfter: 5 });
  }
  const { code, params, text } = project.failure ?? createSentence('errors.indexing_failed');
  return new AppError('conflict', 'index_failed', {
    // A failure that an older version has stored may have a key that no longer exists.
    params: { ...params, failure: isMessageKey(code) ? code : text },
    reason: 'index_failed',
  });
}
