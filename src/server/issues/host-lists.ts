import type { CodeHostKind } from '#contract/code-hosts.ts';
import type { IssueKind } from '#contract/issues.ts';

/** Items of one page: a page of the longest texts stays below the limit of a reply. */
const PAGE_SIZE = 50;

/**
 * One list of a code host's API.
 *
 * `by time`: oldest change first, and each request asks for what changed since the last item, so that nothing is missed while
 * items change. `by page`: items that change move to the front or join the list, which repeats items and misses none.
 */
export interface HostList {
  name: string;
  /** Kind of its items; of comments, each tells its own by its URL. */
  kind: IssueKind | 'comment';
  order: 'by time' | 'by page';
  /** True where the list cannot be narrowed to recent changes: it is read until an item is older. */
  endsBySince: boolean;
  /** Path and query below the API URL. */
  path(request: { since: string | null; page: number }): string;
  /** False for items that belong to another list. */
  includes?(item: object): boolean;
}

/** Lists of issues, pull requests and comments of a repository, in the order in which they are read. GitLab has none of comments. */
export function listsOfHost(kind: CodeHostKind, repository: string): HostList[] {
  if (kind === 'gitlab') return gitlabLists(repository);
  return kind === 'gitea' ? giteaLists(repository) : githubLists(repository);
}

function query(values: Record<string, string | number | null>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) search.set(name, String(value));
  return search.toString();
}

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/** https://docs.github.com/rest/issues/issues, comments, and pulls, whose items alone have branch and merge commit. */
function githubLists(repository: string): HostList[] {
  const base = `/repos/${encodePath(repository)}`;
  const paging = { state: 'all', sort: 'updated', per_page: PAGE_SIZE };
  return [
    {
      name: 'issues',
      kind: 'issue',
      order: 'by time',
      endsBySince: false,
      path: ({ since, page }) => `${base}/issues?${query({ ...paging, direction: 'asc', since, page })}`,
      includes: (item) => !('pull_request' in item && item.pull_request),
    },
    {
      name: 'pulls',
      kind: 'pull_request',
      order: 'by page',
      endsBySince: true,
      path: ({ page }) => `${base}/pulls?${query({ ...paging, direction: 'desc', page })}`,
    },
    {
      name: 'comments',
      kind: 'comment',
      order: 'by time',
      endsBySince: false,
      path: ({ since, page }) =>
        `${base}/issues/comments?${query({ sort: 'updated', direction: 'asc', since, per_page: PAGE_SIZE, page })}`,
    },
  ];
}

/** https://docs.gitlab.com/api/issues/ and merge_requests. */
function gitlabLists(repository: string): HostList[] {
  const base = `/projects/${encodeURIComponent(repository)}`;
  const list = (name: 'issues' | 'merge_requests', kind: IssueKind): HostList => ({
    ...{ name, kind },
    order: 'by time',
    endsBySince: false,
    path: ({ since, page }) =>
      `${base}/${name}?${query({ scope: 'all', state: 'all', order_by: 'updated_at', sort: 'asc', updated_after: since, per_page: PAGE_SIZE, page })}`,
  });
  return [list('issues', 'issue'), list('merge_requests', 'pull_request')];
}

/** https://gitea.com/api/swagger: issues and comments come in the order of their creation. */
function giteaLists(repository: string): HostList[] {
  const base = `/repos/${encodePath(repository)}`;
  return [
    {
      name: 'issues',
      kind: 'issue',
      order: 'by page',
      endsBySince: false,
      path: ({ since, page }) =>
        `${base}/issues?${query({ state: 'all', type: 'issues', since, limit: PAGE_SIZE, page })}`,
    },
    {
      name: 'pulls',
      kind: 'pull_request',
      order: 'by page',
      endsBySince: true,
      path: ({ page }) =>
        `${base}/pulls?${query({ state: 'all', sort: 'recentupdate', limit: PAGE_SIZE, page })}`,
    },
    {
      name: 'comments',
      kind: 'comment',
      order: 'by page',
      endsBySince: false,
      path: ({ since, page }) => `${base}/issues/comments?${query({ since, limit: PAGE_SIZE, page })}`,
    },
  ];
}

/** Comments of one issue, a page of the longest texts below the limit of a reply. */
const COMMENTS_PAGE_SIZE = 100;

/**
 * Path of the comments of one issue: the most recent ones of GitLab, whose first page is enough; all of Gitea, which has no pages;
 * the oldest first of GitHub.
 */
export function commentsPath(
  kind: CodeHostKind,
  repository: string,
  { issue, page }: { issue: { kind: IssueKind; number: number }; page: number },
): string {
  if (kind === 'gitlab') {
    const list = issue.kind === 'issue' ? 'issues' : 'merge_requests';
    const newest = { activity_filter: 'only_comments', order_by: 'created_at', sort: 'desc' };
    return `/projects/${encodeURIComponent(repository)}/${list}/${issue.number}/notes?${query({ ...newest, per_page: COMMENTS_PAGE_SIZE })}`;
  }
  const path = `/repos/${encodePath(repository)}/issues/${issue.number}/comments`;
  return kind === 'gitea' ? path : `${path}?${query({ per_page: COMMENTS_PAGE_SIZE, page })}`;
}
