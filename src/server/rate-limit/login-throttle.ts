import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { consume, increment, rateLimited, subnetKey } from './rate-limiter.ts';

/**
 * How guessing one account's password is slowed, in tries that failed in a row:
 *
 *     1 … 5     free
 *     6 … 100   1, 2, 4, 8, 16, then 30 s after the try before
 *     101 …     an hour after the try before
 *
 * besides, 10 within 15 minutes from one network close the account to that network, and with more than 50 tries
 * within an hour from anywhere, each needs 30 s. A try that comes too early is refused unread and not counted.
 * Names without an account are counted alike, so that nothing tells them apart.
 */
const FREE_ATTEMPTS = 5;
const MAX_DELAY_S = 30;
const LOCKOUT = { failures: 100, delayS: 3600 };
const RETENTION_S = 30 * 24 * 3600;

type Needs = Pick<Deps, 'db' | 'now' | 'config'>;

/** Takes one try at an account's password, counted as failed until `forgive`. Throws `rate_limited`. */
export async function registerAttempt(deps: Needs, account: string, ip: string): Promise<void> {
  const keys = throttleKeys(account, ip);
  const busy = deps.config.limits.loginPerAccountHourly;
  const { uses } = await increment(deps, keys.hour, busy.seconds);
  const minimum = uses > busy.max ? MAX_DELAY_S : 0;
  if (!(await claimAttempt(deps, keys.row, minimum))) throw rateLimited(Math.max(minimum, 1));
  await consume(deps, keys.network, deps.config.limits.loginPerNetwork);
}

/** The password was right: the failures before it are forgotten. */
export async function clearFailures({ db }: Pick<Deps, 'db'>, account: string, ip: string): Promise<void> {
  const { row, network } = throttleKeys(account, ip);
  await db.deleteFrom('rate_limits').where('key', 'in', [row, network]).execute();
}

/** One statement, so that tries sent at once take their turns one after the other. */
async function claimAttempt({ db, now }: Needs, key: string, minimumS: number): Promise<boolean> {
  const time = now();
  const forgottenAt = new Date(time.getTime() + RETENTION_S * 1000);
  const delay = sql`greatest(${minimumS}::int, case
    when rate_limits.count >= ${LOCKOUT.failures}::int then ${LOCKOUT.delayS}::int
    when rate_limits.count < ${FREE_ATTEMPTS}::int then 0
    else least(${MAX_DELAY_S}::int, 2 ^ (rate_limits.count - ${FREE_ATTEMPTS}::int)) end)`;
  const row = await db
    .insertInto('rate_limits')
    .values({ key, count: 1, last_at: time, resets_at: forgottenAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ count: sql`rate_limits.count + 1`, last_at: time, resets_at: forgottenAt })
        .where(sql<boolean>`rate_limits.last_at + make_interval(secs => ${delay}) <= ${time}`),
    )
    .returning('count')
    .executeTakeFirst();
  return row !== undefined;
}

function throttleKeys(account: string, ip: string) {
  const name = createHash('sha256').update(account.toLowerCase()).digest('base64url');
  return {
    row: `login:in-a-row:${name}`,
    hour: `login:hour:${name}`,
    network: `login:network:${name}:${subnetKey(ip)}`,
  };
}
