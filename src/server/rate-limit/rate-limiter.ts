import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { ANSWER_RATE_LIMITS, type RateLimit } from '#contract/rate-limits.ts';
import type { Deps } from '../deps.ts';

const HOUR_MS = 3_600_000;

/** Increments the counter of `key` across replicas, and returns the uses in this window. */
export async function increment(
  deps: Pick<Deps, 'db' | 'now'>,
  key: string,
  seconds: number,
): Promise<{ uses: number; resetsAt: Date }> {
  const now = deps.now();
  const windowEnd = new Date(now.getTime() + seconds * 1000);
  const row = await deps.db
    .insertInto('rate_limits')
    .values({ key, count: 1, last_at: now, resets_at: windowEnd })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when rate_limits.resets_at <= ${now} then 1 else rate_limits.count + 1 end`,
        resets_at: sql`case when rate_limits.resets_at <= ${now} then ${windowEnd} else rate_limits.resets_at end`,
        last_at: now,
      }),
    )
    .returning(['count', 'resets_at'])
    .executeTakeFirstOrThrow();
  return { uses: row.count, resetsAt: row.resets_at };
}

/** Consumes one use of `key`. Throws `rate_limited` beyond the limit. */
export async function consume(deps: Pick<Deps, 'db' | 'now'>, key: string, limit: RateLimit): Promise<void> {
  const { uses, resetsAt } = await increment(deps, key, limit.seconds);
  if (uses > limit.max) throw rateLimited((resetsAt.getTime() - deps.now().getTime()) / 1000);
}

/** The 429 of every limit. */
export function rateLimited(retryAfterS: number): AppError {
  return new AppError('rate_limited', 'too_many_attempts', {
    retryAfter: Math.max(1, retryAfterS),
  });
}

type LimitDeps = Pick<Deps, 'db' | 'now' | 'config'>;

/** Counts a request of an IP on a public instance. Throws `rate_limited`. */
export async function consumeIpLimit(deps: LimitDeps, ip: string): Promise<void> {
  const { publicInstance, limits } = deps.config;
  if (publicInstance) await consume(deps, `calls:${ipKey(ip)}`, limits.callsPerIp);
}

/** Counts a call of a user on a public instance, over all sessions and API keys. Throws `rate_limited`. */
export async function consumeUserLimit(deps: LimitDeps, userId: string): Promise<void> {
  const { publicInstance, limits } = deps.config;
  if (publicInstance) await consume(deps, `calls:user:${userId}`, limits.callsPerUser);
}

/** Counts an answer of the language model, which the operator pays for, on a public instance. Throws `rate_limited`. */
export async function consumeAnswerLimit(deps: LimitDeps, userId: string): Promise<void> {
  const { publicInstance, limits } = deps.config;
  if (!publicInstance) return;
  for (const { bucket, limit } of ANSWER_RATE_LIMITS)
    await consume(deps, `${bucket}:${userId}`, limits[limit]);
}

/** Deletes expired counters once an hour while the app runs. */
export function sweepExpiredLimits(app: FastifyInstance, { db, now }: Pick<Deps, 'db' | 'now'>): void {
  const sweep = () =>
    db
      .deleteFrom('rate_limits')
      .where('resets_at', '<=', now())
      .execute()
      .catch((err) => app.log.warn({ err }, 'sweeping limits'));
  const timer = setInterval(() => void sweep(), HOUR_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Key of an IP in counters; an IPv6 address is counted as its /64, which belongs to one subscriber. */
export function ipKey(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/, '');
  return isIPv6(address) ? `${expandedPrefix(address, 4)}/64` : address;
}

/** Key of the subnet of an IP: its /24, or its /64 for IPv6. */
export function subnetKey(ip: string): string {
  const key = ipKey(ip);
  return key.includes('/') ? key : `${key.split('.').slice(0, 3).join('.')}/24`;
}

/** Returns the first groups of an IPv6 address with `::` expanded. */
function expandedPrefix(ip: string, count: number): string {
  const [head = '', tail] = ip.split('%', 1)[0]!.split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
