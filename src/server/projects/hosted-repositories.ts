import { z } from 'zod';
import type { HostedRepository, RepositoryHost } from '#contract/connect.ts';
import { AppError } from '#contract/errors.ts';
import type { Egress } from '#egress/proxy.ts';
import { requestJson } from '#egress/request-json.ts';

/** A list to read from a code host's API. */
interface RepositoryListRequest {
  host: RepositoryHost;
  /** Address of the host's own server; the public one when absent. */
  baseUrl: string | null;
  owner: string;
  token: string | null;
  page: number;
  signal: AbortSignal;
}

type Listed = Omit<HostedRepository, 'project_id'>;

const PAGE_SIZE = 50;
const DEFAULT_URLS: Record<RepositoryHost, string> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  gitea: 'https://gitea.com',
};

const text = z.string().max(2048);
const optionalText = z.string().nullish();
const githubRepository = z.object({
  name: text,
  full_name: text,
  description: optionalText,
  clone_url: text,
  private: z.boolean().default(false),
  archived: z.boolean().default(false),
  fork: z.boolean().default(false),
  pushed_at: optionalText,
  updated_at: optionalText,
});
const gitlabRepository = z.object({
  path: text,
  path_with_namespace: text,
  description: optionalText,
  http_url_to_repo: text,
  visibility: z.string().default('public'),
  archived: z.boolean().default(false),
  forked_from_project: z.unknown().optional(),
  last_activity_at: optionalText,
});

/** Reads one page of the repositories of an account, organization or group, last changed first. */
export async function listHostedRepositories(
  egress: Egress,
  request: RepositoryListRequest,
): Promise<{ repositories: Listed[]; has_more: boolean }> {
  const base = toBaseUrl(request);
  return request.host === 'gitlab'
    ? await listGitLab(egress, base, request)
    : await listGitHub(egress, base, request);
}

/** Address of the server without a slash at the end. Throws `invalid_input`. */
function toBaseUrl({ host, baseUrl }: RepositoryListRequest): string {
  const url = URL.parse(baseUrl || DEFAULT_URLS[host]);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isWeb || url.username || url.search || url.hash) {
    throw new AppError('invalid_input', 'host_url_format', { fields: { base_url: 'host_url_format' } });
  }
  return url.href.replace(/\/+$/, '');
}

/** GitHub and Gitea have one API: organizations first, then accounts, and with a token also one's own private repositories. */
async function listGitHub(egress: Egress, base: string, request: RepositoryListRequest) {
  const { host, owner, page, token } = request;
  const api =
    host === 'gitea'
      ? `${base}/api/v1`
      : base === DEFAULT_URLS.github
        ? 'https://api.github.com'
        : `${base}/api/v3`;
  const name = encodeURIComponent(owner);
  const size = host === 'gitea' ? `limit=${PAGE_SIZE}` : `per_page=${PAGE_SIZE}&sort=pushed`;
  const paths = [`/orgs/${name}/repos`, `/users/${name}/repos`];
  if (token !== null && (await isOwnAccount(egress, api, request))) {
    paths.unshift(host === 'gitea' ? '/user/repos' : '/user/repos?affiliation=owner');
  }
  for (const path of paths) {
    const url = `${api}${path}${path.includes('?') ? '&' : '?'}${size}&page=${page}`;
    const items = await getList(egress, url, request, githubRepository);
    if (items === null) continue;
    const repositories = items.map((item) => ({
      ...{ name: item.name, full_name: item.full_name, description: item.description ?? null },
      git_url: item.clone_url,
      ...{ private: item.private, archived: item.archived, fork: item.fork },
      pushed_at: item.pushed_at ?? item.updated_at ?? null,
    }));
    return { repositories, has_more: items.length === PAGE_SIZE };
  }
  throw ownerNotFound(request);
}

async function isOwnAccount(egress: Egress, api: string, request: RepositoryListRequest): Promise<boolean> {
  const { status, value } = await call(egress, `${api}/user`, request);
  if (status === 401) throw tokenRejected();
  const login = z.object({ login: z.string() }).safeParse(value).data?.login;
  return login?.toLowerCase() === request.owner.toLowerCase();
}

async function listGitLab(egress: Egress, base: string, request: RepositoryListRequest) {
  const { owner, page } = request;
  const name = encodeURIComponent(owner);
  const query = `per_page=${PAGE_SIZE}&page=${page}&order_by=last_activity_at`;
  const paths = [`/groups/${name}/projects?include_subgroups=true&`, `/users/${name}/projects?`];
  for (const path of paths) {
    const items = await getList(egress, `${base}/api/v4${path}${query}`, request, gitlabRepository);
    if (items === null) continue;
    const repositories = items.map((item) => ({
      ...{ name: item.path, full_name: item.path_with_namespace, description: item.description ?? null },
      git_url: item.http_url_to_repo,
      ...{ private: item.visibility !== 'public', archived: item.archived },
      fork: item.forked_from_project !== undefined && item.forked_from_project !== null,
      pushed_at: item.last_activity_at ?? null,
    }));
    return { repositories, has_more: items.length === PAGE_SIZE };
  }
  throw ownerNotFound(request);
}

/** Items of a list; null where the API knows no such owner. Items of another shape are left out. */
async function getList<T>(
  egress: Egress,
  url: string,
  request: RepositoryListRequest,
  schema: z.ZodType<T>,
): Promise<T[] | null> {
  const { status, headers, value } = await call(egress, url, request);
  if (status === 404) return null;
  if (status === 401) throw tokenRejected();
  if (status === 403 || status === 429) {
    const isLimited = status === 429 || headers['x-ratelimit-remaining'] === '0';
    throw new AppError('unavailable', isLimited ? 'host_rate_limited' : 'host_access_denied', {
      reason: isLimited ? 'rate_limited' : 'access_denied',
    });
  }
  if (status !== 200 || !Array.isArray(value)) {
    throw new AppError('unavailable', 'host_reply_unexpected', {
      params: { host: new URL(url).host, status },
      reason: 'unexpected_reply',
    });
  }
  return value.slice(0, PAGE_SIZE).flatMap((item) => schema.safeParse(item).data ?? []);
}

async function call(egress: Egress, url: string, { host, token, signal }: RepositoryListRequest) {
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'hindsight' };
  if (token)
    headers[host === 'gitlab' ? 'private-token' : 'authorization'] =
      host === 'gitlab' ? token : `token ${token}`;
  return await requestJson(egress, { url, headers, signal });
}

function ownerNotFound({ owner, token }: RepositoryListRequest): AppError {
  const key = token === null ? 'repository_owner_not_found' : 'repository_owner_not_found_with_token';
  return new AppError('not_found', key, { params: { owner }, fields: { owner: { key, params: { owner } } } });
}

function tokenRejected(): AppError {
  return new AppError('bad_request', 'host_token_rejected', {
    reason: 'token_rejected',
    fields: { token: 'host_token_rejected' },
  });
}
