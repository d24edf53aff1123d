import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { components, operations } from '@octokit/openapi-types';
import { z } from 'zod';

interface ReviewComment {
  id: number;
  body: string;
  author: 'token' | 'stranger';
}

/** A code host that keeps the comments of one pull or merge request, and refuses requests that its API would refuse. */
interface TestReviewHost {
  url: string;
  comments: ReviewComment[];
  /** Methods and paths of all requests. */
  calls: string[];
  close(): Promise<void>;
}

export const REVIEW_TOKEN = 'review-secret-only-tests-know';

/** Bodies as the hosts publish them: `issues/create-comment`, and notes of GitLab (at most 1,000,000 characters). */
type GithubBody = operations['issues/create-comment']['requestBody']['content']['application/json'];
type GithubComment = Partial<components['schemas']['issue-comment']>;
const githubBody: z.ZodType<GithubBody> = z.strictObject({ body: z.string().min(1).max(65_536) });
const gitlabBody = z.strictObject({ body: z.string().min(1).max(1_000_000) });

/**
 * Starts a host. `kind` decides paths, header of the credential, method of an update and fields of a reply. With
 * `isWorkflow`, the token is one of GitHub Actions, which may not read its user.
 */
export async function startReviewHost(
  kind: 'github' | 'gitlab',
  { isWorkflow = false } = {},
): Promise<TestReviewHost> {
  const isGithub = kind === 'github';
  const list = isGithub
    ? /^\/api\/repos\/ada\/shop\/issues\/7\/comments$/
    : /^\/api\/projects\/42\/merge_requests\/7\/notes$/;
  const one = isGithub
    ? /^\/api\/repos\/ada\/shop\/issues\/comments\/(\d+)$/
    : /^\/api\/projects\/42\/merge_requests\/7\/notes\/(\d+)$/;
  const comments = Array.from({ length: 130 }, (_, index): ReviewComment => {
    return { id: index + 1, body: `Comment ${index}`, author: 'stranger' };
  });
  const accounts = {
    stranger: { id: 7, login: 'stranger', type: 'User' },
    token: isWorkflow
      ? { id: 41, login: 'github-actions[bot]', type: 'Bot' }
      : { id: 9, login: 'ada-ci', type: 'User' },
  };
  const calls: string[] = [];
  const present = ({ id, body, author }: ReviewComment) => {
    const html_url = `https://127.0.0.1/ada/shop/pull/7#issuecomment-${id}`;
    const user = accounts[author];
    return isGithub
      ? { ...({ id, body, html_url } satisfies GithubComment), user }
      : { id, body, system: false, author: { id: user.id, username: user.login } };
  };

  const answer = (method: string, url: URL, text: string): [number, unknown] => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const size = Number(url.searchParams.get('per_page') ?? 30);
    if (size > 100) return [422, { message: 'per_page' }];
    if (method === 'GET' && list.test(url.pathname))
      return [200, comments.slice((page - 1) * size, page * size).map(present)];
    if (method === 'GET' && url.pathname === '/api/user')
      return isWorkflow
        ? [403, { message: 'Resource not accessible by integration' }]
        : [200, { id: accounts.token.id }];
    const parsed = (isGithub ? githubBody : gitlabBody).safeParse(JSON.parse(text || 'null'));
    if (!parsed.success) return [422, { message: parsed.error.message }];
    if (method === 'POST' && list.test(url.pathname)) {
      comments.push({ id: comments.length + 1, body: parsed.data.body, author: 'token' });
      return [201, present(comments.at(-1)!)];
    }
    const [, id] = one.exec(url.pathname) ?? [];
    const known = comments.find((comment) => comment.id === Number(id));
    if (method !== (isGithub ? 'PATCH' : 'PUT') || !known) return [404, { message: 'Not Found' }];
    if (known.author !== 'token') return [403, { message: 'Forbidden' }];
    known.body = parsed.data.body;
    return [200, present(known)];
  };

  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url!, 'http://host');
    calls.push(`${request.method} ${url.pathname}`);
    const [status, body] = isAuthorized(kind, request)
      ? answer(request.method!, url, Buffer.concat(chunks).toString())
      : [401, { message: `Bad credentials: ${REVIEW_TOKEN}` }];
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    comments,
    calls,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function isAuthorized(kind: 'github' | 'gitlab', { headers }: IncomingMessage): boolean {
  if (kind === 'gitlab') return headers['private-token'] === REVIEW_TOKEN;
  // GitHub answers 403 to requests without a user agent.
  return headers.authorization === `Bearer ${REVIEW_TOKEN}` && Boolean(headers['user-agent']);
}
