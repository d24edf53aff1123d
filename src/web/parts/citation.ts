/** Location in the repository: lines of a file, or a commit. */
export type CitedLocation =
  | { kind: 'file'; path: string; from: number; to: number; commit: string | null }
  | { kind: 'commit'; hash: string };

const FILE_CITATION = /^([^\s:][^:\n]*):(\d{1,7})(?:-(\d{1,7}))?(?: @ ([0-9a-f]{7,64}))?$/;
// Seven to 64 hexadecimal digits with at least one decimal digit: `deadbee` could be a word.
const COMMIT_HASH = /^(?=[a-f]*\d)[0-9a-f]{7,64}$/;

/** Parses `path:line` or `path:line-line`, optionally with ` @ commit`, or a commit hash; null for other text. */
export function parseCitedLocation(text: string): CitedLocation | null {
  if (COMMIT_HASH.test(text)) return { kind: 'commit', hash: text };
  const match = FILE_CITATION.exec(text);
  if (!match) return null;
  const [, path = '', from = '', to, commit] = match;
  return { kind: 'file', path, from: Number(from), to: Number(to ?? from), commit: commit ?? null };
}

/** Label: `path:line`, `path:line-line`, or a seven-digit hash. */
export function citationLabel(citation: CitedLocation): string {
  if (citation.kind === 'commit') return citation.hash.slice(0, 7);
  const { path, from, to } = citation;
  return to > from ? `${path}:${from}-${to}` : `${path}:${from}`;
}

/** URL of a citation. */
export function citationUrl(projectId: string, citation: CitedLocation): string {
  return citation.kind === 'commit'
    ? commitUrl(projectId, citation.hash)
    : fileUrl(projectId, citation.path, citation);
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
