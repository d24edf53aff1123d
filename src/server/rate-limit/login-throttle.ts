import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { consume, count, networkKey, rateLimited } from './rate-limiter.ts';

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
const FREE = 5;
const LONGEST_DELAY_S = 30;
const HARD_STOP = { failures: 100, delayS: 3600 };
const MEMORY_S = 30 * 24 * 3600;

type Needs = Pick<Deps, 'db' | 'now' | 'config'>;

/** Takes one try at an account's password, counted as failed until `forgive`. Throws `rate_limited`. */
export async function takeTry(deps: Needs, account: string, ip: string): Promise<void> {
  const keys = keysOf(account, ip);
  const busy = deps.config.limits.loginPerAccountHourly;
  const { uses } = await count(deps, keys.hour, busy.seconds);
  const minimum = uses > busy.max ? LONGEST_DELAY_S : 0;
  if (!(await claimTurn(deps, keys.row, minimum))) throw rateLimited(Math.max(minimum, 1));
  await consume(deps, keys.network, deps.config.limits.loginPerNetwork);
}

/** The password was right: the failures before it are forgotten. */
export async function forgive({ db }: Pick<Deps, 'db'>, account: string, ip: string): Promise<void> {
  const { row, network } = keysOf(account, ip);
  await db.deleteFrom('rate_limits').where('key', 'in', [row, network]).execute();
}

/** One statement, so that tries sent at once take their turns one after the other. */
async function claimTurn({ db, now }: Needs, key: string, minimumS: number): Promise<boolean> {
  const time = now();
  const forgottenAt = new Date(time.getTime() + MEMORY_S * 1000);
  const delay = sql`greatest(${minimumS}::int, case
    when rate_limits.count >= ${HARD_STOP.failures}::int then ${HARD_STOP.delayS}::int
    when rate_limits.count < ${FREE}::int then 0
    else least(${LONGEST_DELAY_S}::int, 2 ^ (rate_limits.count - ${FREE}::int)) end)`;
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

function keysOf(account: string, ip: string) {
  const name = createHash('sha256').update(account.toLowerCase()).digest('base64url');
  return {
    row: `login:in-a-row:${name}`,
    hour: `login:hour:${name}`,
    network: `login:network:${name}:${networkKey(ip)}`,
  };
}
