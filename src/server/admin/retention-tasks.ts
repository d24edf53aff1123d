import { type RawBuilder, sql } from 'kysely';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';

const EVERY_MS = 3_600_000;
/** Rows of one statement, so that none locks for long. */
const CHUNK = 2_000;

interface ExpiredRows {
  table: string;
  /** Condition of rows that ended before a time. */
  where(before: RawBuilder<Date>): RawBuilder<unknown>;
  days: number;
}

/** Returns the job that deletes records whose retention has ended; null where they are kept forever. */
export function retentionJob({ db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>): JobDefinition | null {
  const days = config.retentionDays;
  if (!days) return null;
  const expired: ExpiredRows[] = [
    {
      table: 'sessions',
      where: (before) => sql`least(expires_at, coalesce(revoked_at, expires_at)) < ${before}`,
      days: days.sessions,
    },
    {
      table: 'notifications',
      where: (before) => sql`read_at is not null and created_at < ${before}`,
      days: days.notifications,
    },
    { table: 'audit_events', where: (before) => sql`created_at < ${before}`, days: days.audit },
    { table: 'egress_log', where: (before) => sql`at < ${before}`, days: days.outgoing },
  ];
  return {
    name: 'retention',
    concurrency: 1,
    retryLimit: 2,
    everyMs: EVERY_MS,
    singletonKey: () => 'all',
    async run(_data, { signal }) {
      for (const { table, where, days } of expired) {
        const before = sql<Date>`${new Date(now().getTime() - days * 86_400_000)}::timestamptz`;
        let deleted: bigint;
        do {
          signal.throwIfAborted();
          const { numAffectedRows } = await sql`
            delete from ${sql.table(table)} where ctid = any(array(
              select ctid from ${sql.table(table)} where ${where(before)} limit ${CHUNK}
            ))`.execute(db);
          deleted = numAffectedRows ?? 0n;
        } while (deleted === BigInt(CHUNK));
      }
    },
  };
}
