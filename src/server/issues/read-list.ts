import type { IncomingHttpHeaders } from 'node:http';
import type { IssueKind } from '#contract/issues.ts';
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
import { type ParsedComment, parseComment } from './parse-comment.ts';
import { type Fields, isFields, toTime } from './parse-fields.ts';
import { type ParsedIssue, parseIssue } from './parse-issue.ts';

/** Bytes of one page. */
export const MAX_PAGE_BYTES = 24 * 2 ** 20;
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

/** Number of comments that an issue has at the host. */
export interface CommentCount {
  kind: IssueKind;
  number: number;
  count: number;
}

/** Items of one page, and the place after it. */
interface ListPage {
  issues: ParsedIssue[];
  comments: ParsedComment[];
  /** Of items that belong to another list, which does not have them. */
  counts: CommentCount[];
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
    requireAllowance(reply, deps.now());
    if (reply.status === 304) {
      progress = { ...progress, isDone: true };
      yield { issues: [], comments: [], counts: [], progress };
      return;
    }
    requireSuccess(access, reply);
    if (!Array.isArray(reply.body)) throw hostError(access, 'unavailable', 'code_host_unreadable');
    const page = readPage(list, reply, progress, deps.now());
    progress = { ...page.progress, ...(isFirst && etagOf(reply, path)) };
    yield { ...page, progress };
    // The last request of the allowance was answered; the next would be refused.
    if (!progress.isDone) requireNextAllowance(reply, deps.now());
  }
}

function readPage(
  list: HostList,
  { headers, body }: HostReply,
  before: IssueListProgress,
  now: Date,
): ListPage {
  const items = (body as unknown[]).filter((item) => isFields(item));
  const content = parseItems(list, items);
  const hasMore = items.length > 0 && hasNextPage(headers, items.length);
  const isOld = (issue: ParsedIssue) =>
    before.since !== undefined && issue.updated_at !== null && issue.updated_at < before.since;
  const isDone = !hasMore || (list.endsBySince && content.issues.some(isOld));
  if (list.order === 'by page') {
    // What changes while the pages are read is asked for again by the next import.
    const nextSince = before.nextSince ?? startTime(headers, now);
    return { ...content, progress: { ...before, nextSince, isDone, page: (before.page ?? 1) + 1 } };
  }
  const last = toTime(items.at(-1)?.updated_at) ?? '';
  const known = before.nextSince ?? before.since ?? '';
  // A whole page of one second is left by its number.
  const isStuck = last <= known;
  const nextSince = isStuck ? known || undefined : last;
  const page = isStuck ? (before.page ?? 1) + 1 : 1;
  return { ...content, progress: { ...before, ...(nextSince && { nextSince }), isDone, page } };
}

function parseItems({ kind, includes }: HostList, items: readonly Fields[]): Omit<ListPage, 'progress'> {
  if (kind === 'comment') {
    const comments = items.map((item) => parseComment(item)).filter((comment) => comment !== null);
    return { issues: [], comments, counts: [] };
  }
  const isIncluded = (item: Fields) => includes?.(item) ?? true;
  const parse = (item: Fields) => parseIssue(item, isIncluded(item) ? kind : 'pull_request');
  const parsed = items.map(parse).filter((issue) => issue !== null);
  const counts = parsed.flatMap(({ kind: itsKind, number, comment_count: count }) =>
    itsKind === kind || count === null ? [] : [{ kind: itsKind, number, count }],
  );
  return { issues: parsed.filter((issue) => issue.kind === kind), comments: [], counts };
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

/**
 * True where the reply names a next page (RFC 8288). Only the fact is used, never the URL that the host sends. Gitea counts comments
 * only: their pages end with an empty one.
 */
export function hasNextPage({ link, ...headers }: IncomingHttpHeaders, items: number): boolean {
  if (headers['x-next-page'] !== undefined) return headers['x-next-page'] !== '';
  if (link === undefined) return Number(headers['x-total-count'] ?? 0) > items;
  return typeof link === 'string' && /;\s*rel="?next"?/i.test(link);
}

/** Time of the host when it answered, a minute back against clocks that differ. */
function startTime({ date }: IncomingHttpHeaders, now: Date): string {
  const parsed = date ? Date.parse(date) : Number.NaN;
  const time = Number.isFinite(parsed) ? Math.min(parsed, now.getTime()) : now.getTime();
  return new Date(time - 60_000).toISOString();
}

/** Throws HostWait for a reply that refuses a request because of a rate limit. */
export function requireAllowance(reply: HostReply, now: Date): void {
  if (isRateLimited(reply)) throw new HostWait(secondsToWait(reply.headers, now));
}

/** Throws HostWait for a reply after which the next request would be refused. */
export function requireNextAllowance({ headers }: HostReply, now: Date): void {
  const remaining = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
  if (remaining === '0') throw new HostWait(secondsToWait(headers, now));
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
