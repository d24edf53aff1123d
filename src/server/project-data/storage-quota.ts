import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { repositoryBytes } from '#git/disk-size.ts';

/** Limits in mebibytes. */
export interface StorageQuota {
  /** Saved bytes per account across projects; 0 for no limit. */
  userMb: number;
  /** Repository size on disk, including saved changes. */
  repositoryMb: number;
}

const BYTES_PER_MB = 2 ** 20;
/** A repository that may be fetched meanwhile is measured again after this time. */
const MAX_SIZE_AGE_MS = 60_000;

/** Sizes of repositories as they were last measured, with an upper bound of what has been saved since. */
const knownSizes = new LRUCache<string, { bytes: number }>({ max: 1_000, ttl: MAX_SIZE_AGE_MS });

/**
 * Throws `too_large` unless the bytes fit. Takes a transaction-scoped lock per account, so that concurrent saves
 * are counted.
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
    if (Number(saved) + bytes > quota.userMb * BYTES_PER_MB) {
      throw new AppError('too_large', 'user_quota_reached', {
        params: { limit: quota.userMb },
        reason: 'user_quota_exceeded',
      });
    }
  }
  const limit = quota.repositoryMb * BYTES_PER_MB;
  if ((await estimateRepositoryBytes(repo, { bytes, limit })) > limit) {
    throw new AppError('too_large', 'repository_quota_reached', {
      params: { limit: quota.repositoryMb },
      reason: 'repository_quota_exceeded',
    });
  }
}

/** Size of a repository with new bytes; an estimate as long as it is below half of the limit. */
async function estimateRepositoryBytes(
  repo: string,
  { bytes, limit }: { bytes: number; limit: number },
): Promise<number> {
  const known = knownSizes.get(repo);
  if (known && known.bytes + bytes <= limit / 2) {
    known.bytes += bytes;
    return known.bytes;
  }
  const measured = (await repositoryBytes(repo)) + bytes;
  knownSizes.set(repo, { bytes: measured });
  return measured;
}
