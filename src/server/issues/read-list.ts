import type { IncomingHttpHeaders } from 'node:http';
import type { IssueListProgress } from '#db/issue-tables.ts';
import {
  type HostAccess,
  type HostReply,
  hostError,
  isRateLimited,
  requestHost,
  requireSuccess,
} from '../code-hosts/host-request.ts';
import type { Deps } from '../deps.ts';
import type { HostList } from './host-lists.ts';
import { type ParsedIssue, parseIssue } from './parse-issue.ts';

/** Bytes of one page. */
const MAX_PAGE_BYTES = 24 * 2 ** 20;
/** Pages of one list in one import, against hosts that never end. */
const MAX_PAGES = 20_000;
/** Seconds of a wait that the host asks for, and of one where it does not say. */
const [MAX_WAIT_S, DEFAULT_WAIT_S] = [3 * 3600, 120];

/** The host asks to wait. */
export class HostWait extends Error {
  override readonly name = 'HostWait';
  readonly seconds: number;

  constructor(seconds: number) {
    super(`The code host asks to wait ${seconds} s.`);
    this.seconds = seconds;
  }
}

/** Items of one page, and the place after it. */
interface ListPage {
  issues: ParsedIssue[];
  progress: IssueListProgress;
}

type HostDeps = Pick<Deps, 'db' | 'config' | 'egress' | 'now'>;

/**
 * Reads a list from where an import stopped, page by page; to be stored with the place after each page. Throws HostWait for a
 * rate limit, an AppError where the host does not answer as it should.
 */
export async function* readList(
  deps: HostDeps,
  access: HostAccess,
  list: HostList,
  { start, signal }: { start: IssueListProgress; signal: AbortSignal },
): AsyncGenerator<ListPage, void, undefined> {
  let progress = { ...start };
  for (let count = 0; count < MAX_PAGES && !progress.isDone; count++) {
    signal.throwIfAborted();
    const isFirst = progress.page === undefined;
    const since = (list.order === 'by time' ? progress.nextSince : undefined) ?? progress.since ?? null;
    const path = list.path({ since, page: progress.page ?? 1 });
    const etag = isFirst && progress.url === path ? progress.etag : undefined;
    const reply = await requestHost(deps, access, {
      ...{ method: 'GET' as const, path, maxBytes: MAX_PAGE_BYTES },
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
    });
    if (isRateLimited(reply)) throw new HostWait(secondsToWait(reply.headers, deps.now()));
    if (reply.status === 304) {
      progress = { ...progress, isDone: true };
      yield { issues: [], progress };
      return;
    }
    requireSuccess(access, reply);
    if (!Array.isArray(reply.body)) throw hostError(access, 'unavailable', 'code_host_unreadable');
    const page = readPage(list, reply, progress, deps.now());
    progress = { ...page.progress, ...(isFirst && etagOf(reply, path)) };
    yield { issues: page.issues, progress };
    // The last request of the allowance was answered; the next would be refused.
    if (!progress.isDone && isExhausted(reply.headers)) {
      throw new HostWait(secondsToWait(reply.headers, deps.now()));
    }
  }
}

function readPage(
  list: HostList,
  { headers, body }: HostReply,
  before: IssueListProgress,
  now: Date,
): ListPage {
  const items = (body as unknown[]).filter((item) => typeof item === 'object' && item !== null);
  const issues = items
    .filter((item) => list.includes?.(item as object) ?? true)
    .map((item) => parseIssue(item, list.kind))
    .filter((issue) => issue !== null);
  const hasMore = items.length > 0 && hasNextPage(headers);
  const isOld = (issue: ParsedIssue) =>
    before.since !== undefined && issue.updated_at !== null && issue.updated_at < before.since;
  const isDone = !hasMore || (list.endsBySince && issues.some(isOld));
  if (list.order === 'by page') {
    // What changes while the pages are read is asked for again by the next import.
    const nextSince = before.nextSince ?? startTime(headers, now);
    return { issues, progress: { ...before, nextSince, isDone, page: (before.page ?? 1) + 1 } };
  }
  const last = items.map((item) => parseIssue(item, list.kind)?.updated_at ?? '').at(-1) ?? '';
  const known = before.nextSince ?? before.since ?? '';
  // A whole page of one second is left by its number.
  const isStuck = last <= known;
  const nextSince = isStuck ? known || undefined : last;
  const page = isStuck ? (before.page ?? 1) + 1 : 1;
  return { issues, progress: { ...before, ...(nextSince && { nextSince }), isDone, page } };
}

/** Places to begin the next import from, once a list has been read to its end. */
export function completeProgress({ since, nextSince, url, etag }: IssueListProgress): IssueListProgress {
  const next = nextSince ?? since;
  return { ...(next && { since: next }), ...(url && etag && { url, etag }) };
}

function etagOf({ headers, status }: HostReply, url: string): Pick<IssueListProgress, 'url' | 'etag'> | null {
  const { etag } = headers;
  return status === 200 && etag && etag.length <= 300 ? { url, etag } : null;
}

/** True where the reply names a next page (RFC 8288). Only the fact is used, never the URL that the host sends. */
function hasNextPage({ link, ...headers }: IncomingHttpHeaders): boolean {
  if (headers['x-next-page'] !== undefined) return headers['x-next-page'] !== '';
  return typeof link === 'string' && /;\s*rel="?next"?/i.test(link);
}

/** Time of the host when it answered, a minute back against clocks that differ. */
function startTime({ date }: IncomingHttpHeaders, now: Date): string {
  const parsed = date ? Date.parse(date) : Number.NaN;
  const time = Number.isFinite(parsed) ? Math.min(parsed, now.getTime()) : now.getTime();
  return new Date(time - 60_000).toISOString();
}

function isExhausted(headers: IncomingHttpHeaders): boolean {
  return (headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']) === '0';
}

/** Seconds until the host accepts requests again: `Retry-After`, or the reset of its rate limit. */
function secondsToWait(headers: IncomingHttpHeaders, now: Date): number {
  const retryAfter = headers['retry-after'];
  const reset = headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'];
  const seconds =
    retryAfter !== undefined
      ? /^\d+$/.test(retryAfter)
        ? Number(retryAfter)
        : (Date.parse(retryAfter) - now.getTime()) / 1000
      : Number(reset) - now.getTime() / 1000;
  return Number.isFinite(seconds) ? Math.ceil(Math.min(Math.max(seconds, 1), MAX_WAIT_S)) : DEFAULT_WAIT_S;
}
