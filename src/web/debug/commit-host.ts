/** Paths of a code host for a pull request and a commit. */
const HOSTS: Record<string, { pull: string; commit: string }> = {
  'github.com': { pull: 'pull', commit: 'commit' },
  'codeberg.org': { pull: 'pulls', commit: 'commit' },
  'gitlab.com': { pull: '-/merge_requests', commit: '-/commit' },
  'bitbucket.org': { pull: 'pull-requests', commit: 'commits' },
};

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

/** URL of a commit on a known host; null for other repositories. */
export function hostCommitUrl(gitUrl: string, hash: string): string | null {
  const page = repositoryPage(gitUrl);
  return page && `${page.url}/${page.paths.commit}/${hash}`;
}

/** Page of a repository that is cloned by `https://host/owner/name.git` or `git@host:owner/name.git`. */
function repositoryPage(gitUrl: string) {
  const ssh = /^(?:ssh:\/\/)?git@([^/:]+)[:/](.+)$/.exec(gitUrl);
  const parsed = ssh ? null : URL.parse(gitUrl);
  const host = ssh?.[1] ?? parsed?.host ?? '';
  const path = (ssh?.[2] ?? parsed?.pathname ?? '').replace(/^\/|\/$|\.git\/?$/g, '');
  const paths = HOSTS[host];
  if (!paths || !/^[\w.-]+(?:\/[\w.-]+)+$/.test(path)) return null;
  return { url: `https://${host}/${path}`, paths };
}
