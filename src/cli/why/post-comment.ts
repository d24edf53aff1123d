import { createHash } from 'node:crypto';
import { AppError } from '#contract/errors.ts';

/** Pull or merge request of a CI run, with the account that comments on it. */
export interface ReviewTarget {
  kind: 'github' | 'gitlab';
  /** Such as `https://api.github.com` or `https://gitlab.com/api/v4`. */
  apiUrl: string;
  /** `owner/name`, or the id or path of a GitLab project. */
  repository: string;
  number: number;
  token: string;
}

const PAGE_SIZE = 100;
/** Pages that are searched for the earlier comment. */
const MAX_PAGES = 10;
const REQUEST_TIMEOUT_MS = 20_000;

/** Author of comments: an id, or the account of GitHub's workflows, whose tokens may not ask who they are. */
type Author = { id: number } | { login: 'github-actions[bot]'; type: 'Bot' };
const WORKFLOW_AUTHOR = { login: 'github-actions[bot]', type: 'Bot' } as const;

/** Writes the comment of a pull or merge request: updates the one of an earlier run, else creates it; returns its URL. */
export async function postComment(target: ReviewTarget, text: string, signal: AbortSignal): Promise<string> {
  const list = commentsPath(target);
  const body = `${commentMarker(target)}\n${text}`;
  const earlier = await findComment(target, list, signal);
  const saved =
    earlier === null
      ? await callHost(target, 'POST', list, { body }, signal)
      : await callHost(target, target.kind === 'github' ? 'PATCH' : 'PUT', earlier, { body }, signal);
  const { html_url } = saved as { html_url?: unknown };
  return typeof html_url === 'string' ? html_url : `${target.repository} !${target.number}`;
}

function commentsPath({ kind, repository, number }: ReviewTarget): string {
  return kind === 'github'
    ? `/repos/${repository.split('/').map(encodeURIComponent).join('/')}/issues/${number}/comments`
    : `/projects/${encodeURIComponent(repository)}/merge_requests/${number}/notes`;
}

/** Hidden first line of a comment, which names the request that it was written for. */
export function commentMarker({ kind, repository, number }: Omit<ReviewTarget, 'token' | 'apiUrl'>): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([kind, repository, number]))
    .digest('hex');
  return `<!-- hindsight-why ${digest.slice(0, 16)} -->`;
}

/**
 * Path of the comment that an earlier run wrote; null for none. It begins with the marker and is of the credential's own
 * account: others can copy a marker.
 */
async function findComment(target: ReviewTarget, list: string, signal: AbortSignal): Promise<string | null> {
  const marker = commentMarker(target);
  let own: Author | null = null;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = `?per_page=${PAGE_SIZE}&page=${page}`;
    const comments = await callHost(target, 'GET', `${list}${query}`, null, signal);
    if (!Array.isArray(comments)) return null;
    for (const { id, body, user, author } of comments as Record<string, unknown>[]) {
      if (typeof id !== 'number' || typeof body !== 'string' || !body.startsWith(marker)) continue;
      own ??= await findOwnAuthor(target, signal);
      if (!isAuthor(user ?? author, own)) continue;
      return target.kind === 'github' ? list.replace(/\/\d+\/comments$/, `/comments/${id}`) : `${list}/${id}`;
    }
    if (comments.length < PAGE_SIZE) break;
  }
  return null;
}

/** The account of the credential. Tokens of GitHub Actions get no answer, and write as one known account. */
async function findOwnAuthor(target: ReviewTarget, signal: AbortSignal): Promise<Author> {
  try {
    const { id } = ((await callHost(target, 'GET', '/user', null, signal)) ?? {}) as { id?: unknown };
    if (typeof id === 'number') return { id };
  } catch (error) {
    const isRefused = error instanceof AppError && error.messageKey === 'comment_refused';
    if (target.kind !== 'github' || !isRefused) throw error;
  }
  return WORKFLOW_AUTHOR;
}

function isAuthor(account: unknown, own: Author): boolean {
  const { id, login, type } = (account ?? {}) as Record<string, unknown>;
  return 'id' in own ? id === own.id : login === own.login && type === own.type;
}

async function callHost(
  { kind, apiUrl, token }: ReviewTarget,
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { origin } = new URL(apiUrl);
  const response = await fetch(`${apiUrl.replace(/\/+$/, '')}${path}`, {
    method,
    headers: {
      accept: kind === 'github' ? 'application/vnd.github+json' : 'application/json',
      'user-agent': 'hindsight',
      ...(kind === 'github'
        ? { authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' }
        : { 'private-token': token }),
      ...(body !== null && { 'content-type': 'application/json' }),
    },
    body: body === null ? undefined : JSON.stringify(body),
    // A redirect would carry the token to another host.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  }).catch(() => {
    throw new AppError('unavailable', 'comment_host_unreachable', { params: { host: origin } });
  });
  if (!response.ok) {
    const key = [401, 403, 404].includes(response.status) ? 'comment_refused' : 'comment_failed';
    throw new AppError('unavailable', key, { params: { host: origin, status: response.status } });
  }
  return await response.json().catch(() => null);
}
