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
  comments?: TestComment[];
}

interface TestComment {
  id: number;
  body: string;
  updated: string;
  /** Written by the host. */
  system?: boolean;
}

interface PlannedReply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** The lists of issues, pull requests and comments of a code host, in memory: with pages, ETags and planned refusals. */
export interface TestIssueHost {
  readonly items: TestIssue[];
  /** Paths with queries, and statuses of the replies. */
  readonly calls: { url: string; status: number; token: string | null }[];
  /** Replies that are sent instead, by the number of the call from 1. */
  readonly planned: Map<number, PlannedReply>;
  /** Replies to requests for the comments of one issue, by its number. */
  readonly commentReplies: Map<number, PlannedReply>;
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
  gitlab: ['scope', 'state', 'order_by', 'sort', 'updated_after', 'activity_filter', 'per_page', 'page'],
  gitea: ['state', 'type', 'sort', 'since', 'limit', 'page'],
};

/** Creates a code host for one repository. */
export function createTestIssueHost(kind: CodeHostKind, repository: string): TestIssueHost {
  const host: TestIssueHost = {
    ...{ items: [], calls: [], planned: new Map(), commentReplies: new Map(), headers: {}, maxPage: 100 },
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
    const [, issue] = /\/(\d+)\/(?:comments|notes)$/.exec(url.pathname) ?? [];
    const planned =
      host.planned.get(host.calls.length + 1) ?? (issue ? host.commentReplies.get(Number(issue)) : undefined);
    if (planned) {
      send(planned.status, planned.body ?? '{}', planned.headers);
      return;
    }
    const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS[kind].includes(name));
    const base = kind === 'gitlab' ? `/projects/${encodeURIComponent(repository)}` : `/repos/${repository}`;
    const found = unknown
      ? null
      : select(url.pathname.slice(PREFIX[kind].length + base.length + 1), url.searchParams);
    if (found === null || !url.pathname.startsWith(`${PREFIX[kind]}${base}/`)) {
      send(404, '{"message":"Not Found"}');
      return;
    }
    const [page, size] = pageOf(url);
    const body = JSON.stringify(found.slice((page - 1) * size, page * size));
    const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`;
    if (request.headers['if-none-match'] === etag) {
      send(304, '');
      return;
    }
    url.searchParams.set('page', String(page + 1));
    const hasNext = found.length > page * size;
    const link = { link: `<https://elsewhere.example${url.pathname}${url.search}>; rel="next"` };
    // Gitea has no links for comments.
    const isCounted = kind === 'gitea' && url.pathname.endsWith('/comments');
    const paging = isCounted ? { 'x-total-count': String(found.length) } : hasNext && link;
    send(200, body, { etag, ...paging });
  }

  function pageOf({ pathname, searchParams: query }: URL): [number, number] {
    // Gitea's comments of one issue have no pages.
    if (kind === 'gitea' && /\/\d+\/comments$/.test(pathname)) return [1, Number.POSITIVE_INFINITY];
    const size = Number(query.get('per_page') ?? query.get('limit') ?? 30);
    return [Number(query.get('page') ?? 1), Math.min(size, host.maxPage)];
  }

  const present = (items: readonly TestIssue[], query: URLSearchParams) =>
    selectComments(items, query).map((found) => presentComment(found, kind, repository));

  /** Items at a path below that of the repository; null where there is none. */
  function select(path: string, query: URLSearchParams): object[] | null {
    if (['issues', kind === 'gitlab' ? 'merge_requests' : 'pulls'].includes(path)) {
      return selectItems(path, query).map((item) => presentItem(item, kind, path));
    }
    if (path === 'issues/comments' && kind !== 'gitlab') return present(host.items, query);
    const [, list, number] = /^(issues|merge_requests)\/(\d+)\/(?:comments|notes)$/.exec(path) ?? [];
    const one = host.items.find(
      (item) =>
        item.number === Number(number) &&
        (kind !== 'gitlab' || (item.kind === 'issue') === (list === 'issues')),
    );
    return one && path.endsWith(kind === 'gitlab' ? 'notes' : 'comments') ? present([one], query) : null;
  }

  function selectItems(list: string, query: URLSearchParams): TestIssue[] {
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

  return host;
}

interface FoundComment {
  item: TestIssue;
  comment: TestComment;
}

function selectComments(items: readonly TestIssue[], query: URLSearchParams): FoundComment[] {
  const since = query.get('since');
  const found = items
    .flatMap((item) => (item.comments ?? []).map((comment) => ({ item, comment })))
    .filter(({ comment }) => since === null || Date.parse(comment.updated) >= Date.parse(since))
    .filter(({ comment }) => !comment.system || query.get('activity_filter') !== 'only_comments');
  const byTime = query.get('sort') === 'updated';
  const sorted = found.toSorted(({ comment: a }, { comment: b }) =>
    byTime ? Date.parse(a.updated) - Date.parse(b.updated) : a.id - b.id,
  );
  return query.get('sort') === 'desc' ? sorted.toReversed() : sorted;
}

function presentComment({ item, comment }: FoundComment, kind: CodeHostKind, repository: string): object {
  const { id, body, updated, system = false } = comment;
  const times = { created_at: '2024-01-01T00:00:00Z', updated_at: updated };
  if (kind === 'gitlab') return { id, body, system, author: { username: 'bea' }, ...times };
  const page = item.kind === 'issue' ? 'issues' : kind === 'gitea' ? 'pulls' : 'pull';
  const html_url = `https://host/${repository}/${page}/${item.number}#issuecomment-${id}`;
  return { id, body, user: { login: 'bea' }, html_url, ...times };
}

function presentItem(item: TestIssue, kind: CodeHostKind, list: string): object {
  const { number, title, body = '', updated, state = 'open', mergeCommit = null } = item;
  const isMerged = state === 'merged';
  const times = { created_at: '2024-01-01T00:00:00Z', updated_at: updated };
  const closed_at = state === 'open' ? null : updated;
  const comments = (item.comments ?? []).filter(({ system }) => !system).length;
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
      user_notes_count: comments,
      ...(list === 'merge_requests' && {
        source_branch: item.branch ?? 'x',
        merge_commit_sha: mergeCommit,
      }),
    };
  }
  return {
    ...{ number, title, body, state: state === 'open' ? 'open' : 'closed', ...times, closed_at },
    ...{ user: { login: 'ada' }, labels: [{ name: 'bug' }], html_url: 'https://host/x' },
    // GitHub counts the comments of pull requests in the list of issues alone.
    ...(!(kind === 'github' && list === 'pulls') && { comments }),
    ...(list === 'pulls'
      ? {
          merged_at: isMerged ? updated : null,
          merge_commit_sha: mergeCommit,
          head: { ref: item.branch ?? 'x' },
          base: { ref: 'main' },
        }
      : item.kind === 'pull_request' && { pull_request: { merged_at: isMerged ? updated : null } }),
  };
}
