import { AppError } from '#contract/errors.ts';
import { type HostAccess, hostError, requestHost, requireSuccess } from '../code-hosts/host-request.ts';
import type { Deps } from '../deps.ts';
import { listIssuesWithDueComments, replaceComments, saveFailedAttempt } from './comment-queries.ts';
import { commentsPath } from './host-lists.ts';
import { type ParsedComment, parseComment } from './parse-comment.ts';
import type { ParsedIssue } from './parse-issue.ts';
import { hasNextPage, MAX_PAGE_BYTES, requireAllowance, requireNextAllowance } from './read-list.ts';

/** Issues whose comments one import reads one by one; the next import goes on. */
const MAX_REFRESHED = 2_000;
/** Pages of the comments of one issue. */
const MAX_PAGES = 10;
/** Issues in a row whose comments cannot be read, after which the host itself is at fault. */
const MAX_FAILURES_IN_A_ROW = 5;

type RefreshDeps = Pick<Deps, 'db' | 'config' | 'egress' | 'now'>;
type Issue = Pick<ParsedIssue, 'kind' | 'number'>;

/**
 * Reads the comments of issues one by one, where their host has no list of all or some were deleted. `lock` is called in the
 * transaction of each issue. An issue whose comments cannot be read is asked for again later, and the others are read. Throws
 * HostWait for a rate limit, and the error of the host where several issues in a row fail.
 */
export async function refreshComments(
  deps: RefreshDeps,
  access: HostAccess,
  { lock, signal }: { lock: (deps: Pick<Deps, 'db'>) => Promise<unknown>; signal: AbortSignal },
): Promise<void> {
  const { projectId, kind: host } = access;
  const due = await listIssuesWithDueComments(deps.db, {
    ...{ projectId, host, limit: MAX_REFRESHED },
    now: deps.now(),
  });
  let failuresInARow = 0;
  for (const issue of due) {
    signal.throwIfAborted();
    const result = await tryReadComments(deps, access, issue);
    await deps.db.transaction().execute(async (trx) => {
      await lock({ db: trx });
      if ('error' in result) await saveFailedAttempt(trx, projectId, { issue, now: deps.now() });
      else await replaceComments(trx, projectId, { issue, comments: result.comments });
    });
    failuresInARow = 'error' in result ? failuresInARow + 1 : 0;
    if ('error' in result && failuresInARow === MAX_FAILURES_IN_A_ROW) throw result.error;
  }
}

type ReadResult = { comments: ParsedComment[] | null } | { error: AppError };

/** Reads the comments of an issue, or returns the error that concerns this issue alone. */
async function tryReadComments(deps: RefreshDeps, access: HostAccess, issue: Issue): Promise<ReadResult> {
  try {
    return { comments: await readComments(deps, access, issue) };
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

/** Reads the comments of an issue; null where it was deleted, or has more than are read. */
async function readComments(
  deps: RefreshDeps,
  access: HostAccess,
  issue: Issue,
): Promise<ParsedComment[] | null> {
  const found: ParsedComment[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = commentsPath(access.kind, access.path, { issue, page });
    const reply = await requestHost(deps, access, { method: 'GET', path, maxBytes: MAX_PAGE_BYTES });
    requireAllowance(reply, deps.now());
    if (reply.status === 410) return null;
    requireSuccess(access, reply);
    if (!Array.isArray(reply.body)) throw hostError(access, 'unavailable', 'code_host_unreadable');
    const { kind, number } = issue;
    found.push(
      ...reply.body.map((item) => parseComment(item, { kind, number })).filter((comment) => comment !== null),
    );
    if (access.kind !== 'github' || !hasNextPage(reply.headers, reply.body.length)) return found;
    requireNextAllowance(reply, deps.now());
  }
  return null;
}
