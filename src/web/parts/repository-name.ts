/** `repository` of `https://host/owner/repository.git` and `git@host:owner/repository`; empty for other texts. */
export function repositoryName(gitUrl: string): string {
  const [, path = ''] =
    /^(?:[a-z]+:\/\/[^/]+\/|[\w.-]+@[\w.-]+:|file:\/\/\/)(.+)$/i.exec(gitUrl.trim()) ?? [];
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last.replace(/\.git$/, '').slice(0, 100);
}

/** The same text for spellings of one URL. */
export function normalizeGitUrl(gitUrl: string): string {
  return gitUrl
    .trim()
    .toLowerCase()
    .replace(/\/+$|\.git\/*$/g, '');
}
