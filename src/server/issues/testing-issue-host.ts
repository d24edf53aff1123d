import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CodeHostKind } from '#contract/code-hosts.ts';

interface TestIssue {
  kind: 'issue' | 'pull_request';
  number: number;
  title: string;
  body?: string;
  state?: 'open' | 'closed' | 'merged';
  updated: string;
  branch?: string;
  mergeCommit?: string;
}

interface PlannedReply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** The lists of issues and pull requests of a code host, in memory: with pages, ETags and planned refusals. */
export interface TestIssueHost {
  readonly items: TestIssue[];
  /** Paths with queries, and statuses of the replies. */
  readonly calls: { url: string; status: number; token: string | null }[];
  /** Replies that are sent instead, by the number of the call from 1. */
  readonly planned: Map<number, PlannedReply>;
  /** Headers of every reply. */
  headers: Record<string, string>;
  /** Items of a page, at most, whatever is asked for. */
  maxPage: number;
  answer(request: IncomingMessage, reply: ServerResponse): boolean;
}

const PREFIX: Record<CodeHostKind, string> = { github: '/api/v3', gitlab: '/api/v4', gitea: '/api/v1' };

/** Parameters that each list knows; a real host ignores others, and so would a misspelled one be. */
const PARAMETERS: Record<CodeHostKind, string[]> = {
  github: ['state', 'sort', 'direction', 'since', 'per_page', 'page'],
  gitlab: ['scope', 'state', 'order_by', 'sort', 'updated_after', 'per_page', 'page'],
  gitea: ['state', 'type', 'sort', 'since', 'limit', 'page'],
};

/** Creates a code host for one repository. */
export function createTestIssueHost(kind: CodeHostKind, repository: string): TestIssueHost {
  const host: TestIssueHost = {
    ...{ items: [], calls: [], planned: new Map(), headers: {}, maxPage: 100 },
    answer(request, reply) {
      if (!request.url?.startsWith(`${PREFIX[kind]}/`)) return false;
      respond(request, reply);
      return true;
    },
  };

  function respond(request: IncomingMessage, reply: ServerResponse): void {
    const url = new URL(request.url!, 'https://host');
    const token = request.headers['private-token'] ?? request.headers.authorization ?? null;
    const send = (status: number, body: string, headers: Record<string, string> = {}) => {
      host.calls.push({
        url: request.url!.slice(PREFIX[kind].length),
        status,
        token: token as string | null,
      });
      reply.writeHead(status, { 'content-type': 'application/json', ...host.headers, ...headers }).end(body);
    };
    const planned = host.planned.get(host.calls.length + 1);
    if (planned) {
      send(planned.status, planned.body ?? '{}', planned.headers);
      return;
    }
    const list = url.pathname.slice(PREFIX[kind].length).split('/').at(-1)!;
    const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS[kind].includes(name));
    if (unknown || !isKnownPath(list, url.pathname)) {
      send(404, '{"message":"Not Found"}');
      return;
    }
    const found = select(list, url.searchParams);
    const [page, size] = pageOf(url.searchParams);
    const body = JSON.stringify(found.slice((page - 1) * size, page * size).map(present(list)));
    const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`;
    if (request.headers['if-none-match'] === etag) {
      send(304, '');
      return;
    }
    url.searchParams.set('page', String(page + 1));
    const hasNext = found.length > page * size;
    const link = { link: `<https://elsewhere.example${url.pathname}${url.search}>; rel="next"` };
    send(200, body, { etag, ...(hasNext && link) });
  }

  function isKnownPath(list: string, path: string): boolean {
    const base = kind === 'gitlab' ? `/projects/${encodeURIComponent(repository)}` : `/repos/${repository}`;
    return path === `${PREFIX[kind]}${base}/${list}` && ['issues', 'pulls', 'merge_requests'].includes(list);
  }

  function pageOf(query: URLSearchParams): [number, number] {
    const size = Number(query.get('per_page') ?? query.get('limit') ?? 30);
    return [Number(query.get('page') ?? 1), Math.min(size, host.maxPage)];
  }

  function select(list: string, query: URLSearchParams): TestIssue[] {
    const since = query.get('since') ?? query.get('updated_after');
    const all = host.items.filter((item) => {
      const isListed =
        list === 'issues' ? kind === 'github' || item.kind === 'issue' : item.kind === 'pull_request';
      return isListed && (since === null || Date.parse(item.updated) >= Date.parse(since));
    });
    const byTime = (a: TestIssue, b: TestIssue) => Date.parse(a.updated) - Date.parse(b.updated);
    const isAscending = (query.get('direction') ?? query.get('sort')) === 'asc';
    if (list === 'issues' && kind === 'gitea') return all.toSorted((a, b) => b.number - a.number);
    return isAscending ? all.toSorted(byTime) : all.toSorted((a, b) => byTime(b, a));
  }

  const present = (list: string) => (item: TestIssue) => {
    const { number, title, body = '', updated, state = 'open', mergeCommit = null } = item;
    const isMerged = state === 'merged';
    const times = { created_at: '2024-01-01T00:00:00Z', updated_at: updated };
    const closed_at = state === 'open' ? null : updated;
    if (kind === 'gitlab') {
      return {
        ...{
          iid: number,
          title,
          description: body,
          state: state === 'open' ? 'opened' : state,
          ...times,
          closed_at,
        },
        ...{ author: { username: 'ada' }, labels: ['bug'], web_url: 'https://host/x' },
        ...(list === 'merge_requests' && {
          source_branch: item.branch ?? 'x',
          merge_commit_sha: mergeCommit,
        }),
      };
    }
    return {
      ...{ number, title, body, state: state === 'open' ? 'open' : 'closed', ...times, closed_at },
      ...{ user: { login: 'ada' }, labels: [{ name: 'bug' }], html_url: 'https://host/x' },
      ...(list === 'pulls'
        ? {
            merged_at: isMerged ? updated : null,
            merge_commit_sha: mergeCommit,
            head: { ref: item.branch ?? 'x' },
            base: { ref: 'main' },
          }
        : item.kind === 'pull_request' && { pull_request: { merged_at: isMerged ? updated : null } }),
    };
  };
  return host;
}
