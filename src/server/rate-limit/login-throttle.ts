import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { consume, increment, rateLimited, subnetKey } from './rate-limiter.ts';

/**
 * Delay before the next sign-in attempt of an account, by consecutive failures:
 *
 *     1 … 5     none
 *     6 … 100   1, 2, 4, 8, 16, then 30 s after the previous attempt
 *     101 …     an hour after the previous attempt
 *
 * In addition, 10 failures within 15 minutes from one network lock the account for that network, and with more than 50
 * attempts within an hour from anywhere each is delayed by 30 s. An early attempt is refused and not counted. Unknown
 * accounts are throttled alike to prevent account enumeration.
 */
const FREE_ATTEMPTS = 5;
const MAX_DELAY_S = 30;
const LOCKOUT = { failures: 100, delayS: 3600 };
const RETENTION_S = 30 * 24 * 3600;

type ThrottleDeps = Pick<Deps, 'db' | 'now' | 'config'>;

/** Registers a sign-in attempt, which counts as failed until `clearFailures`. Throws `rate_limited`. */
export async function registerAttempt(deps: ThrottleDeps, account: string, ip: string): Promise<void> {
  const keys = throttleKeys(account, ip);
  const hourlyLimit = deps.config.limits.loginPerAccountHourly;
  const { uses } = await increment(deps, keys.hour, hourlyLimit.seconds);
  const minimumDelayS = uses > hourlyLimit.max ? MAX_DELAY_S : 0;
  if (!(await claimAttempt(deps, keys.row, minimumDelayS))) throw rateLimited(Math.max(minimumDelayS, 1));
  await consume(deps, keys.network, deps.config.limits.loginPerNetwork);
}

/** Clears the failures of an account after a correct password. */
export async function clearFailures({ db }: Pick<Deps, 'db'>, account: string, ip: string): Promise<void> {
  const { row, network } = throttleKeys(account, ip);
  await db.deleteFrom('rate_limits').where('key', 'in', [row, network]).execute();
}

/** Claims an attempt in one statement, which serializes concurrent attempts. */
async function claimAttempt({ db, now }: ThrottleDeps, key: string, minimumDelayS: number): Promise<boolean> {
  const time = now();
  const expiresAt = new Date(time.getTime() + RETENTION_S * 1000);
  const delay = sql`greatest(${minimumDelayS}::int, case
    when rate_limits.count >= ${LOCKOUT.failures}::int then ${LOCKOUT.delayS}::int
    when rate_limits.count < ${FREE_ATTEMPTS}::int then 0
    else least(${MAX_DELAY_S}::int, 2 ^ (rate_limits.count - ${FREE_ATTEMPTS}::int)) end)`;
  const row = await db
    .insertInto('rate_limits')
    .values({ key, count: 1, last_at: time, resets_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ count: sql`rate_limits.count + 1`, last_at: time, resets_at: expiresAt })
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
