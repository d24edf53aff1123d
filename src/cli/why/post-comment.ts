import { AppError } from '#contract/errors.ts';
import { COMMENT_MARKER } from './format-markdown.ts';

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

/** Writes the comment of a pull or merge request: updates the one of an earlier run, else creates it; returns its URL. */
export async function postComment(target: ReviewTarget, body: string, signal: AbortSignal): Promise<string> {
  const list = commentsPath(target);
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

/** Path of the comment that an earlier run wrote; null for none. Only comments that begin with the marker count. */
async function findComment(target: ReviewTarget, list: string, signal: AbortSignal): Promise<string | null> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = `?per_page=${PAGE_SIZE}&page=${page}`;
    const comments = await callHost(target, 'GET', `${list}${query}`, null, signal);
    if (!Array.isArray(comments)) return null;
    for (const { id, body } of comments as { id?: unknown; body?: unknown }[]) {
      if (typeof id !== 'number' || typeof body !== 'string' || !body.startsWith(COMMENT_MARKER)) continue;
      return target.kind === 'github' ? list.replace(/\/\d+\/comments$/, `/comments/${id}`) : `${list}/${id}`;
    }
    if (comments.length < PAGE_SIZE) break;
  }
  return null;
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
