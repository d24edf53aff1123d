import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { repositoryBytes } from '#git/disk-size.ts';

/** In mebibytes. */
export interface StorageQuota {
  /** What one account may save in all projects; 0 for no limit. */
  userMb: number;
  /** What a repository may take on disk, with what is saved in it. */
  repositoryMb: number;
}

const MEBIBYTE = 2 ** 20;

/**
 * Throws `too_large` unless so many more bytes may be saved. The saves of one account wait here for each other until
 * their transactions end, so that none is counted late.
 */
export async function requireStorageQuota(
  transaction: Kysely<Database>,
  repo: string,
  { userId, bytes, quota }: { userId: string; bytes: number; quota: StorageQuota },
): Promise<void> {
  if (quota.userMb > 0) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`saved:${userId}`}, 0))`.execute(transaction);
    const { saved } = await transaction
      .selectFrom('branches')
      .select((select) => select.fn.sum<string | null>('saved_bytes').as('saved'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (Number(saved) + bytes > quota.userMb * MEBIBYTE) {
      const text = `You have saved as much as one account may on this server (${quota.userMb} MB). Delete a project with saved changes, or ask the administrator to raise USER_QUOTA_MB.`;
      throw new AppError('too_large', text, { reason: 'user_quota' });
    }
  }
  if ((await repositoryBytes(repo)) + bytes > quota.repositoryMb * MEBIBYTE) {
    const text = `The repository of this project has reached the ${quota.repositoryMb} MB that this server allows, with what was saved in it. The administrator can raise GIT_MAX_REPO_MB.`;
    throw new AppError('too_large', text, { reason: 'repository_quota' });
  }
}
