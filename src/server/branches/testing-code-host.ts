import type { IncomingMessage, ServerResponse } from 'node:http';
import type { components } from '@octokit/openapi-types';
import { z } from 'zod';
import type { CodeHostKind } from '#contract/code-hosts.ts';
import published from './testing-host-operations.json' with { type: 'json' };

/** Request to the API of a code host. */
interface HostCall {
  method: string;
  path: string;
  body: Record<string, unknown> | null;
}

/** A code host that keeps pull requests in memory and refuses what its published description does not have. */
export interface TestCodeHost {
  readonly calls: HostCall[];
  readonly pulls: TestPull[];
  /** Checks of every commit. */
  checks: 'pending' | 'passed' | 'failed';
  /** Answers instead, once: silence where null. */
  next: { status: number; body?: string; headers?: Record<string, string> } | 'silence' | null;
  /** The part of `serveRepositories` that answers calls to the API. */
  answer(request: IncomingMessage, reply: ServerResponse): boolean;
}

interface TestPull {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
  state: 'open' | 'closed';
  merged: boolean;
  sha: string;
}

/** Part of a reply that GitHub publishes; Gitea's has the same fields. */
type Published<K extends keyof components['schemas']> = DeepPartial<components['schemas'][K]>;
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

interface Operation {
  method: string;
  path: string;
  query: Record<string, JsonSchema>;
  body?: JsonSchema;
}

export const HOST_TOKEN = 'hosttoken-only-tests-know';

const PREFIX: Record<CodeHostKind, string> = { github: '/api/v3', gitlab: '/api/v4', gitea: '/api/v1' };

/** Creates a code host. `headOf` gives the commit of a branch. */
export function createTestCodeHost(
  kind: CodeHostKind,
  headOf: (branch: string) => Promise<string>,
): TestCodeHost {
  const operations = published[kind].operations as unknown as Operation[];
  const host: TestCodeHost = {
    calls: [],
    pulls: [],
    checks: 'pending',
    next: null,
    answer(request, reply) {
      if (!request.url?.startsWith(`${PREFIX[kind]}/`)) return false;
      void respond(request, reply);
      return true;
    },
  };

  async function respond(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url!, 'https://host');
    const path = url.pathname.slice(PREFIX[kind].length);
    const text = Buffer.concat(chunks).toString();
    const body = text === '' ? null : JSON.parse(text);
    host.calls.push({ method: request.method!, path, body });
    const send = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    const planned = host.next;
    host.next = null;
    if (planned === 'silence') return;
    if (planned) {
      reply.writeHead(planned.status, planned.headers ?? {}).end(planned.body ?? '');
      return;
    }
    if (!isAuthorized(kind, request)) return void send(401, { message: 'Bad credentials' });
    const problem = findProblem(operations, { method: request.method!, path, body, query: url.searchParams });
    if (problem) return void send(422, { message: problem });
    const result = await act(request.method!, path, url.searchParams, body);
    send(result === null ? 404 : request.method === 'POST' ? 201 : 200, result ?? { message: 'Not Found' });
  }

  async function act(method: string, path: string, query: URLSearchParams, body: Record<string, string>) {
    if (path.includes('/commits/')) return commitChecks(kind, host.checks, path);
    if (method === 'POST') {
      const [head, base] = [body.head ?? body.source_branch!, body.base ?? body.target_branch!];
      const text = body.body ?? body.description ?? '';
      const number = host.pulls.length + 7;
      const sha = await headOf(head);
      host.pulls.push({
        number,
        title: body.title!,
        body: text,
        head,
        base,
        state: 'open',
        merged: false,
        sha,
      });
      return await present(host.pulls.at(-1)!);
    }
    const number = Number(/\/(\d+)$/.exec(path)?.[1]);
    if (number) {
      const pull = host.pulls.find((each) => each.number === number);
      return pull ? await present(pull) : null;
    }
    const wanted = query.get('head')?.split(':')[1] ?? query.get('source_branch');
    const open = host.pulls.filter(({ state, head }) => state === 'open' && (!wanted || head === wanted));
    return await Promise.all(open.map(present));
  }

  async function present(pull: TestPull) {
    const { number, title, state, merged, head, base, sha } = pull;
    const mergeCommit = merged ? await headOf(base) : null;
    if (kind === 'gitlab') {
      return {
        iid: number,
        web_url: `https://127.0.0.1/-/merge_requests/${number}`,
        title,
        state: merged ? 'merged' : state === 'open' ? 'opened' : 'closed',
        sha,
        merge_commit_sha: mergeCommit,
        head_pipeline: { status: { pending: 'running', passed: 'success', failed: 'failed' }[host.checks] },
      };
    }
    return {
      number,
      html_url: `https://127.0.0.1/pull/${number}`,
      title,
      state,
      merged,
      merged_at: merged ? '2026-01-01T00:00:00Z' : null,
      merge_commit_sha: mergeCommit,
      head: { ref: head, sha },
      base: { ref: base },
    } satisfies Published<'pull-request'>;
  }
  return host;
}

function commitChecks(kind: CodeHostKind, checks: TestCodeHost['checks'], path: string) {
  const conclusion = ({ pending: null, passed: 'success', failed: 'failure' } as const)[checks];
  if (path.endsWith('/check-runs')) {
    const status = checks === 'pending' ? 'in_progress' : 'completed';
    const run = { status, conclusion } satisfies Published<'check-run'>;
    return { total_count: 1, check_runs: [run] };
  }
  return { state: conclusion ?? 'pending', total_count: kind === 'gitea' ? 1 : 0 };
}

function isAuthorized(kind: CodeHostKind, { headers }: IncomingMessage): boolean {
  if (kind === 'gitlab') return headers['private-token'] === HOST_TOKEN;
  return headers.authorization === `${kind === 'gitea' ? 'token' : 'Bearer'} ${HOST_TOKEN}`;
}

/** Violation of the published API description; null for a valid request. */
function findProblem(
  operations: Operation[],
  request: { method: string; path: string; body: unknown; query: URLSearchParams },
): string | null {
  const operation = operations.find(
    ({ method, path }) =>
      method === request.method && new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(request.path),
  );
  if (!operation) return `No operation ${request.method} ${request.path}`;
  for (const [name, value] of request.query) {
    const schema = operation.query[name];
    if (!schema) return `No parameter ${name}`;
    const isInteger = (schema as { type?: string }).type === 'integer';
    if (!z.fromJSONSchema(schema).safeParse(isInteger ? Number(value) : value).success)
      return `Bad parameter ${name}`;
  }
  if ((operation.body === undefined) !== (request.body === null)) return 'Body';
  if (operation.body === undefined) return null;
  const parsed = z.fromJSONSchema(operation.body).safeParse(request.body);
  return parsed.success ? null : z.prettifyError(parsed.error);
}
