import type { CodeHostKind } from '#contract/code-hosts.ts';
import { parseRemote } from '#egress/remote-url.ts';

/** A repository at a code host. */
export interface HostRepository {
  /** With its port where that is not the protocol's own. */
  host: string;
  /** `https://host`, or as the repository URL has it. */
  origin: string;
  /** Without a slash at either end: `owner/name`, or deeper at GitLab. */
  path: string;
}

/** True for a repository that is reached by a connection; false for a folder of this machine and the bundled sample. */
export function isRemoteRepository(gitUrl: string): boolean {
  return /^(?:https?|ssh):\/\//.test(gitUrl);
}

/** The repository that a git URL means at its host; null for one that is not reached by a connection. */
export function parseHostRepository(gitUrl: string): HostRepository | null {
  if (!isRemoteRepository(gitUrl)) return null;
  const remote = parseRemote(gitUrl, { ssh: true });
  const url = new URL(remote.href);
  const isWeb = remote.protocol !== 'ssh:';
  const host = isWeb ? url.host : url.hostname;
  const path = url.pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return { host, origin: isWeb ? url.origin : `https://${host}`, path };
}

/** Kind and API of a code host by its name; null for a host that its name does not tell. */
export function detectCodeHost(gitUrl: string): { kind: CodeHostKind; api_url: string } | null {
  const repository = parseHostRepository(gitUrl);
  if (repository === null) return null;
  const { host, origin } = repository;
  const kind = HOST_KINDS.find(([pattern]) => pattern.test(host))?.[1];
  return kind ? { kind, api_url: defaultApiUrl(kind, host, origin) } : null;
}

const HOST_KINDS: [RegExp, CodeHostKind][] = [
  [/^(?:www\.)?github\.com$|^github\./, 'github'],
  [/^gitlab\.com$|^gitlab\./, 'gitlab'],
  [/^codeberg\.org$|^gitea\.com$|^(?:gitea|forgejo|codeberg)\./, 'gitea'],
];

/** API of a host, where its operator has not moved it. */
export function defaultApiUrl(kind: CodeHostKind, host: string, origin: string): string {
  if (kind === 'gitlab') return `${origin}/api/v4`;
  if (kind === 'gitea') return `${origin}/api/v1`;
  return /^(?:www\.)?github\.com$/.test(host) ? 'https://api.github.com' : `${origin}/api/v3`;
}

/** Page of an issue or pull request at its host. */
export function issuePageUrl(
  kind: CodeHostKind,
  { origin, path }: HostRepository,
  issue: { kind: 'issue' | 'pull_request'; number: number },
): string {
  const isPull = issue.kind === 'pull_request';
  if (kind === 'gitlab') return `${origin}/${path}/-/${isPull ? 'merge_requests' : 'issues'}/${issue.number}`;
  return `${origin}/${path}/${isPull ? (kind === 'gitea' ? 'pulls' : 'pull') : 'issues'}/${issue.number}`;
}

/** Page of the host on which a request is opened, filled in. */
export function newRequestUrl(
  kind: CodeHostKind,
  { origin, path }: HostRepository,
  request: { branch: string; target: string; title: string; body: string },
): string {
  const { branch, target, title } = request;
  // Longer URLs are refused by hosts.
  const body = request.body.slice(0, MAX_URL_BODY);
  const [from, into] = [encodeBranch(branch), encodeBranch(target)];
  if (kind === 'gitlab') {
    const query = new URLSearchParams({
      'merge_request[source_branch]': branch,
      'merge_request[target_branch]': target,
      'merge_request[title]': title,
      'merge_request[description]': body,
    });
    return `${origin}/${path}/-/merge_requests/new?${query}`;
  }
  const query = new URLSearchParams(kind === 'github' ? { expand: '1', title, body } : { title, body });
  return `${origin}/${path}/compare/${into}...${from}?${query}`;
}

const MAX_URL_BODY = 4000;

function encodeBranch(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

/** The first link in the words of a git server that leads to its own pages; null without one. */
export function findHostUrl(message: string, gitUrl: string): string | null {
  const hostname = parseHostRepository(gitUrl)?.host.replace(/:\d+$/, '');
  const links = message.match(/https?:\/\/[^\s"'<>]+/g) ?? [];
  return links.find((link) => URL.parse(link)?.hostname === hostname)?.slice(0, 2000) ?? null;
}
