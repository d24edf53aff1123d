import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { components, operations } from '@octokit/openapi-types';
import { z } from 'zod';

/** A code host that keeps the comments of one pull or merge request, and refuses requests that its API would refuse. */
interface TestReviewHost {
  url: string;
  comments: { id: number; body: string }[];
  /** Methods and paths of all requests. */
  calls: string[];
  close(): Promise<void>;
}

export const REVIEW_TOKEN = 'review-secret-only-tests-know';

/** Bodies as the hosts publish them: `issues/create-comment`, and notes of GitLab (at most 1,000,000 characters). */
type GithubBody = operations['issues/create-comment']['requestBody']['content']['application/json'];
const githubBody: z.ZodType<GithubBody> = z.strictObject({ body: z.string().min(1).max(65_536) });
const gitlabBody = z.strictObject({ body: z.string().min(1).max(1_000_000) });

/** Starts a host. `kind` decides paths, header of the credential, method of an update and fields of a reply. */
export async function startReviewHost(kind: 'github' | 'gitlab'): Promise<TestReviewHost> {
  const isGithub = kind === 'github';
  const list = isGithub
    ? /^\/api\/repos\/ada\/shop\/issues\/7\/comments$/
    : /^\/api\/projects\/42\/merge_requests\/7\/notes$/;
  const one = isGithub
    ? /^\/api\/repos\/ada\/shop\/issues\/comments\/(\d+)$/
    : /^\/api\/projects\/42\/merge_requests\/7\/notes\/(\d+)$/;
  const comments = Array.from({ length: 130 }, (_, index) => ({ id: index + 1, body: `Comment ${index}` }));
  const calls: string[] = [];
  const present = ({ id, body }: { id: number; body: string }) =>
    isGithub
      ? ({ id, body, html_url: `https://127.0.0.1/ada/shop/pull/7#issuecomment-${id}` } satisfies Partial<
          components['schemas']['issue-comment']
        >)
      : { id, body, system: false };

  const answer = (method: string, url: URL, text: string): [number, unknown] => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const size = Number(url.searchParams.get('per_page') ?? 30);
    if (size > 100) return [422, { message: 'per_page' }];
    if (method === 'GET' && list.test(url.pathname))
      return [200, comments.slice((page - 1) * size, page * size).map(present)];
    const parsed = (isGithub ? githubBody : gitlabBody).safeParse(JSON.parse(text || 'null'));
    if (!parsed.success) return [422, { message: parsed.error.message }];
    if (method === 'POST' && list.test(url.pathname)) {
      comments.push({ id: comments.length + 1, body: parsed.data.body });
      return [201, present(comments.at(-1)!)];
    }
    const [, id] = one.exec(url.pathname) ?? [];
    const known = comments.find((comment) => comment.id === Number(id));
    if (method !== (isGithub ? 'PATCH' : 'PUT') || !known) return [404, { message: 'Not Found' }];
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
