/** Place on a code host, as far as its URL says it. */
export type HostPlace = {
  /** `host/owner/repository`, in lower case. */
  repository: string;
} & (
  | { kind: 'commit'; commit: string }
  | { kind: 'compare'; base: string; head: string }
  /** Reference and path in one, since a branch may contain slashes. */
  | { kind: 'file'; rest: string; view: 'blame' | 'history' | null; lines: string }
  | { kind: 'commits' }
  | { kind: 'root' }
);

const FILE_WORDS: Record<string, 'blame' | 'history' | null> = {
  blob: null,
  tree: null,
  src: null,
  raw: null,
  blame: 'blame',
  annotate: 'blame',
  commits: 'history',
};

/** Parses a URL of GitHub, GitLab, Bitbucket, Gitea or alike; null for other texts. */
export function parseHostUrl(text: string): HostPlace | null {
  // Routers join the two slashes of a scheme inside a path.
  const url = URL.parse(text.replace(/^(https?):\/+/, '$1://').replace(/^(?!https?:)/, 'https://'));
  if (!url?.hostname.includes('.')) return null;
  const [owner, name, ...rest] = url.pathname.split('/').filter(Boolean).map(decode);
  const separator = rest.indexOf('-');
  // GitLab: groups may be nested, and `-` ends the name of the project.
  const parts = separator === -1 ? rest : rest.slice(separator + 1);
  const groups = separator === -1 ? [] : rest.slice(0, separator);
  if (!owner || !name) return null;
  const repository = [url.hostname, owner, name, ...groups]
    .join('/')
    .toLowerCase()
    .replace(/\.git$/, '');
  const [word = '', ...tail] = parts;
  if (/^commits?$/.test(word) && tail.length === 1 && /^[0-9a-f]{7,64}$/.test(tail[0]!))
    return { repository, kind: 'commit', commit: tail[0]! };
  if (word === 'compare') {
    const [base, head] = tail.join('/').split(/\.{2,3}/);
    return base && head ? { repository, kind: 'compare', base, head } : { repository, kind: 'root' };
  }
  if (word === 'commits' && tail.length <= 1) return { repository, kind: 'commits' };
  if (word in FILE_WORDS && tail.length > 0) {
    const lines = /^#?(?:L|lines-)(\d+)(?:[-:]L?(\d+))?/.exec(url.hash);
    return {
      ...{ repository, kind: 'file', rest: tail.join('/'), view: FILE_WORDS[word]! },
      lines: lines ? `#L${lines[1]}${lines[2] ? `-L${lines[2]}` : ''}` : '',
    };
  }
  return { repository, kind: 'root' };
}

/** Decodes a part of a URL; one that is malformed stays as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `host/owner/repository` of a remote, in lower case. */
export function repositoryOf(remote: string): string {
  return remote
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]+@/, '')
    .replace(/^([^/:]+):(?:\d+\/)?/, '$1/')
    .replace(/\.git\/?$|\/$/, '')
    .toLowerCase();
}

/** Splits `feature/x/src/a.ts` at the longest known branch or tag, else behind its first part. */
export function splitRevision(rest: string, refs: readonly string[]): { revision: string; path: string } {
  const known = refs
    .filter((ref) => rest === ref || rest.startsWith(`${ref}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  const revision = known ?? rest.split('/')[0]!;
  return { revision, path: rest.slice(revision.length + 1) };
}
