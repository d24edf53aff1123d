/** Source of an answer: lines of a file, a commit, or an imported issue. */
export type CitedLocation =
  | { kind: 'file'; path: string; from: number; to: number; commit: string | null }
  | { kind: 'commit'; hash: string }
  | { kind: 'issue'; number: number; isRequest: boolean };

const FILE_CITATION = /^([^\s:][^:\n]*):(\d{1,7})(?:-(\d{1,7}))?(?: @ ([0-9a-f]{7,64}))?$/;
const ISSUE_NUMBER = /^([#!])([1-9]\d{0,8})$/;
// Seven to 64 hexadecimal digits with at least one decimal digit: `deadbee` could be a word.
const COMMIT_HASH = /^(?=[a-f]*\d)[0-9a-f]{7,64}$/;

/** Parses `path:line` or `path:line-line`, optionally with ` @ commit`, a commit hash or `#123`; null for other text. */
export function parseCitedLocation(text: string): CitedLocation | null {
  if (COMMIT_HASH.test(text)) return { kind: 'commit', hash: text };
  const issue = ISSUE_NUMBER.exec(text);
  if (issue) return { kind: 'issue', number: Number(issue[2]), isRequest: issue[1] === '!' };
  const match = FILE_CITATION.exec(text);
  if (!match) return null;
  const [, path = '', from = '', to, commit] = match;
  return { kind: 'file', path, from: Number(from), to: Number(to ?? from), commit: commit ?? null };
}

/** Label: `path:line`, `path:line-line`, a seven-digit hash, or `#123`. */
export function citationLabel(citation: CitedLocation): string {
  if (citation.kind === 'commit') return citation.hash.slice(0, 7);
  if (citation.kind === 'issue') return `${citation.isRequest ? '!' : '#'}${citation.number}`;
  const { path, from, to } = citation;
  return to > from ? `${path}:${from}-${to}` : `${path}:${from}`;
}

/** URL of a citation. */
export function citationUrl(projectId: string, citation: CitedLocation): string {
  if (citation.kind === 'commit') return commitUrl(projectId, citation.hash);
  if (citation.kind === 'file') return fileUrl(projectId, citation.path, citation);
  const { number, isRequest } = citation;
  return issueUrl(projectId, { number, ...(isRequest && { kind: 'pull_request' }) });
}

/** URL of an imported issue or pull request. */
export function issueUrl(
  projectId: string,
  { number, kind = 'issue' }: { number: number; kind?: 'issue' | 'pull_request' },
): string {
  return `/projects/${projectId}/issues/${number}${kind === 'pull_request' ? '?kind=pull_request' : ''}`;
}

/** URL of a commit. */
export function commitUrl(projectId: string, hash: string): string {
  return `/projects/${projectId}/commits/${hash}`;
}

/** URL of a file, optionally at a commit and with selected lines. */
export function fileUrl(
  projectId: string,
  path: string,
  at: { commit?: string | null; from?: number; to?: number } = {},
): string {
  const folders = path.split('/').map(encodeURIComponent).join('/');
  const query = at.commit ? `?ref=${encodeURIComponent(at.commit)}` : '';
  return `/projects/${projectId}/files/${folders}${query}${lineFragment(at.from, at.to)}`;
}

/** URL of a file in the editor, optionally at a revision and with selected lines. */
export function editorUrl(
  projectId: string,
  path: string,
  at: { ref?: string | null; from?: number | undefined; to?: number | undefined } = {},
): string {
  const ref = at.ref ? `&ref=${encodeURIComponent(at.ref)}` : '';
  return `/ide/${projectId}?file=${encodeURIComponent(path)}${ref}${lineFragment(at.from, at.to)}`;
}

/** `#L10-L20`, `#L10`, or nothing. */
function lineFragment(from?: number, to?: number): string {
  if (!from) return '';
  return to && to > from ? `#L${from}-L${to}` : `#L${from}`;
}

/** Parses a fragment such as `#L10-L20`; null for others. */
export function parseLineFragment(fragment: string): { from: number; to: number } | null {
  const match = /^#L(\d{1,7})(?:-L(\d{1,7}))?$/.exec(fragment);
  if (!match) return null;
  const one = Number(match[1]);
  const other = Number(match[2] ?? match[1]);
  return { from: Math.min(one, other), to: Math.max(one, other) };
}
