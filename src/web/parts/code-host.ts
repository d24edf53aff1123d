/** Paths of a code host for an issue, a pull request, a commit and a file, and the fragment of lines. */
interface HostPaths {
  name: string;
  issue: string;
  pull: string;
  commit: string;
  file: string;
  lines: (from: number, to: number) => string;
}

const githubLines: HostPaths['lines'] = (from, to) => (from === to ? `L${from}` : `L${from}-L${to}`);

const HOSTS: Record<string, HostPaths> = {
  'github.com': {
    name: 'GitHub',
    issue: 'issues',
    pull: 'pull',
    commit: 'commit',
    file: 'blob',
    lines: githubLines,
  },
  'codeberg.org': {
    name: 'Codeberg',
    issue: 'issues',
    pull: 'pulls',
    commit: 'commit',
    file: 'src/commit',
    lines: githubLines,
  },
  'gitlab.com': {
    name: 'GitLab',
    issue: '-/issues',
    pull: '-/merge_requests',
    commit: '-/commit',
    file: '-/blob',
    lines: (from, to) => (from === to ? `L${from}` : `L${from}-${to}`),
  },
  'bitbucket.org': {
    name: 'Bitbucket',
    issue: 'issues',
    pull: 'pull-requests',
    commit: 'commits',
    file: 'src',
    lines: (from, to) => (from === to ? `lines-${from}` : `lines-${from}:${to}`),
  },
};

/** Hosts of one's own, whose names tell what they are; `github.com.example.org` tells nothing. */
const OWN_HOSTS: [RegExp, HostPaths][] = [
  [/^github\.(?!com(?:\.|$))/, HOSTS['github.com']!],
  [/^gitlab\.(?!com(?:\.|$))/, HOSTS['gitlab.com']!],
  [/^(?:gitea|forgejo|codeberg)\.(?!org(?:\.|$))/, { ...HOSTS['codeberg.org']!, name: 'Forgejo' }],
];

const SUBJECT_NUMBER = /\((?:#|!)(\d{1,7})\)\s*$/;
const MERGE_NUMBER = /^Merge (?:pull request|PR) #(\d{1,7})\b/i;
const TRAILER_NUMBER = /^(?:PR-URL|Pull-Request|See merge request):? \S*?[/#!](\d{1,7})\s*$/im;

/** Number of the pull request that a commit came from, as its message states it; null when it does not. */
export function pullRequestNumber(message: string): number | null {
  const subject = message.split('\n', 1)[0] ?? '';
  const match = SUBJECT_NUMBER.exec(subject) ?? MERGE_NUMBER.exec(subject) ?? TRAILER_NUMBER.exec(message);
  return match ? Number(match[1]) : null;
}

/** URL of a pull request on a known host; null for other repositories. */
export function pullRequestUrl(gitUrl: string, number: number): string | null {
  const page = repositoryPage(gitUrl);
  return page && `${page.url}/${page.paths.pull}/${number}`;
}

/** URL of an issue or pull request on a known host; null for other repositories. */
export function hostIssueUrl(
  gitUrl: string,
  { kind, number }: { kind: 'issue' | 'pull_request'; number: number },
): string | null {
  const page = repositoryPage(gitUrl);
  return page && `${page.url}/${kind === 'issue' ? page.paths.issue : page.paths.pull}/${number}`;
}

/** URL of a commit on a known host; null for other repositories. */
export function hostCommitUrl(gitUrl: string, hash: string): string | null {
  const page = repositoryPage(gitUrl);
  return page && `${page.url}/${page.paths.commit}/${hash}`;
}

/** Name of a known host; null for other repositories. */
export function codeHostName(gitUrl: string): string | null {
  return repositoryPage(gitUrl)?.paths.name ?? null;
}

interface FilePlace {
  path: string;
  /** Commit. */
  revision: string;
  from?: number;
  to?: number;
}

/** URL of a file on a known host, at its lines where they are given; null for other repositories. */
export function hostFileUrl(gitUrl: string, { path, revision, from, to }: FilePlace): string | null {
  const page = repositoryPage(gitUrl);
  if (!page) return null;
  const file = path.split('/').map(encodeURIComponent).join('/');
  const lines = from === undefined ? '' : `#${page.paths.lines(from, to ?? from)}`;
  return `${page.url}/${page.paths.file}/${revision}/${file}${lines}`;
}

/** Page of a repository that is cloned by `https://host/owner/name.git` or `git@host:owner/name.git`. */
function repositoryPage(gitUrl: string) {
  const ssh = /^(?:ssh:\/\/)?git@([^/:]+)[:/](.+)$/.exec(gitUrl);
  const parsed = ssh ? null : URL.parse(gitUrl);
  const host = ssh?.[1] ?? parsed?.host ?? '';
  const path = (ssh?.[2] ?? parsed?.pathname ?? '').replace(/^\/|\/$|\.git\/?$/g, '');
  const paths = HOSTS[host] ?? OWN_HOSTS.find(([pattern]) => pattern.test(host))?.[1];
  if (!paths || !/^[\w.-]+(?:\/[\w.-]+)+$/.test(path)) return null;
  return { url: `https://${host}/${path}`, paths };
}
