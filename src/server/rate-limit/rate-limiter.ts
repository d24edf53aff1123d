import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { HEALTH_PATHS } from '../http/health.ts';
import { isPageRoute } from '../http/matched-route.ts';
import type { RateLimit } from './default-limits.ts';

const HOUR_MS = 3_600_000;

type Needs = Pick<Deps, 'db' | 'now'>;

/** Counts one more use of `key`, for all replicas together, and returns how many there were in this window. */
export async function increment(
  deps: Needs,
  key: string,
  seconds: number,
): Promise<{ uses: number; resetsAt: Date }> {
  const now = deps.now();
  const ends = new Date(now.getTime() + seconds * 1000);
  const row = await deps.db
    .insertInto('rate_limits')
    .values({ key, count: 1, last_at: now, resets_at: ends })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when rate_limits.resets_at <= ${now} then 1 else rate_limits.count + 1 end`,
        resets_at: sql`case when rate_limits.resets_at <= ${now} then ${ends} else rate_limits.resets_at end`,
        last_at: now,
      }),
    )
    .returning(['count', 'resets_at'])
    .executeTakeFirstOrThrow();
  return { uses: row.count, resetsAt: row.resets_at };
}

/** Counts one more use of `key`. Throws `rate_limited` beyond the limit. */
export async function consume(deps: Needs, key: string, limit: RateLimit): Promise<void> {
  const { uses, resetsAt } = await increment(deps, key, limit.seconds);
  if (uses > limit.max) throw rateLimited((resetsAt.getTime() - deps.now().getTime()) / 1000);
}

/** The 429, with the same words for every reason. */
export function rateLimited(retryAfterS: number): AppError {
  return new AppError('rate_limited', 'Too many tries. Wait a little and try again.', {
    retryAfter: Math.max(1, retryAfterS),
  });
}

/** Questions that a model may answer; chats count with them. */
const ANSWERS = new Set([`${API_PREFIX}/debug`, `${API_PREFIX}/debug/rag`]);

type LimitDeps = Needs & Pick<Deps, 'config'>;

/**
 * On a server for strangers, limits the calls of one IP before anything else is looked at. Pages, files and health
 * checks are free; what is not found counts, wherever it was looked for.
 */
export function limitRequestsByIp(app: FastifyInstance, deps: LimitDeps): void {
  if (!deps.config.publicInstance) return;
  app.addHook('onRequest', async (request) => {
    const url = request.routeOptions.url ?? '';
    if (!isPageRoute(request) && !HEALTH_PATHS.includes(url)) await consumeIpLimit(deps, request);
  });
}

/** Counts a request against its IP, on a server for strangers. Throws as `spend` does. */
export async function consumeIpLimit(deps: LimitDeps, request: FastifyRequest): Promise<void> {
  const { publicInstance, limits } = deps.config;
  if (publicInstance) await consume(deps, `calls:${ipKey(request.ip)}`, limits.callsPerAddress);
}

/**
 * Counts a request against its caller, all sign-ins and keys together, and as an answer where its route may ask a
 * model; on a server for strangers. Throws as `spend` does.
 */
export async function consumeCallerLimit(
  deps: LimitDeps,
  request: FastifyRequest,
  userId: string,
): Promise<void> {
  await consumeUserLimit(deps, userId);
  if (countsAsAnswer(request)) await consumeAnswerLimit(deps, userId);
}

/** Whether a request costs as much as an answer: a search at another revision builds the index of that revision. */
function countsAsAnswer({ routeOptions: { url = '', method }, query }: FastifyRequest): boolean {
  const isRevisionSearch = url === `${API_PREFIX}/search` && Object.hasOwn(query as object, 'revision');
  return isRevisionSearch || (ANSWERS.has(url) && method === 'POST');
}

/** Counts one call of a user, on a server for strangers. Throws as `spend` does. */
export async function consumeUserLimit(deps: LimitDeps, userId: string): Promise<void> {
  const { publicInstance, limits } = deps.config;
  if (publicInstance) await consume(deps, `calls:user:${userId}`, limits.callsPerUser);
}

/** Counts an answer on a server for strangers, whose model costs its operator money. Throws as `spend` does. */
export async function consumeAnswerLimit(deps: Needs & Pick<Deps, 'config'>, userId: string): Promise<void> {
  const { publicInstance, limits } = deps.config;
  if (!publicInstance) return;
  await consume(deps, `chat:minute:${userId}`, limits.answersPerUser);
  await consume(deps, `chat:day:${userId}`, limits.answersPerUserDaily);
}

/** Removes counts that have ended, once an hour while the app runs. */
export function sweepExpiredLimits(app: FastifyInstance, { db, now }: Needs): void {
  const sweep = () =>
    db
      .deleteFrom('rate_limits')
      .where('resets_at', '<=', now())
      .execute()
      .catch((err) => app.log.warn({ err }, 'sweeping limits'));
  const timer = setInterval(() => void sweep(), HOUR_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Whom an address counts as: itself, or in IPv6 its /64, which one household owns whole. */
export function ipKey(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/, '');
  return isIPv6(plain) ? `${expandedPrefix(plain, 4)}/64` : plain;
}

/** The neighbourhood of an address: its /24, or in IPv6 its /64. */
export function subnetKey(ip: string): string {
  const key = ipKey(ip);
  return key.includes('/') ? key : `${key.split('.').slice(0, 3).join('.')}/24`;
}

/** The first groups of an IPv6 address, with `::` written out. */
function expandedPrefix(ip: string, wanted: number): string {
  const [head = '', tail] = ip.split('%', 1)[0]!.split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return groups
    .slice(0, wanted)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
