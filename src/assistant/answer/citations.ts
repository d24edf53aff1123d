import { openBlobReader } from '#git/blobs.ts';
import { findEntry } from '#git/tree.ts';
import type { CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import { type CodeSpan, hasTable, readLines, readSpans, replaceRanges } from './code-spans.ts';
import type { CitableIssues } from './issue-record.ts';

/** Source that an answer names: lines of a file at a commit, a commit, or an imported issue. */
export type Citation =
  | { kind: 'lines'; path: string; from: number; to: number; commit: string }
  | { kind: 'commit'; hash: string }
  | { kind: 'issue'; number: number };

/** The repository that citations are resolved in; without issues, their numbers are plain text. */
interface CitationSource {
  repo: string;
  index: RepositoryIndex;
  citableIssues?: CitableIssues | undefined;
}

/** `path:from[-to] @ commit`, a commit's hash (with a digit: `defaced` is a word), and `#123`. */
const LINES = /^([^\s:][^:\n]*):(\d{1,7})(?:-(\d{1,7}))? @ ([0-9a-f]{7,64})$/;
const COMMIT = /^(?=[a-f]*\d)[0-9a-f]{7,64}$/;
const ISSUE = /^[#!]([1-9]\d{0,8})$/;
const MAX_BLOB_BYTES = 2_000_000;
/** Bytes of cited lines that are compared with what is quoted of them. */
const MAX_CITED_BYTES = 256 * 1024;

type CommitLookup = Pick<CommitTable, 'find'>;

/** Formats lines at a commit as `parseCitation` reads them. */
export function citeLines(
  { path, from, to, commit }: { path: string; from: number; to: number; commit: string },
  commits: CommitLookup,
): string {
  return `\`${path}:${from}-${Math.max(from, to)} @ ${abbreviateHash(commit, commits)}\``;
}

/** Formats a file of the indexed code as a citation of its first line; a file that is gone, as code. */
export function citeFile(path: string, { code, commits, revision }: RepositoryIndex): string {
  if (code === null || code.fileNumber(path) < 0) return `\`${path}\``;
  return citeLines({ path, from: 1, to: 1, commit: revision }, commits);
}

/** Formats a commit as a citation. */
export function citeCommit(oid: string, commits: CommitLookup): string {
  return `\`${abbreviateHash(oid, commits)}\``;
}

const HASH_LENGTH = 7;

/** First seven characters of a hash, and more only where it would be ambiguous or read as a word. */
export function abbreviateHash(oid: string, commits: CommitLookup): string {
  const isIndexed = commits.find(oid) >= 0;
  for (let length = HASH_LENGTH; length < oid.length; length++) {
    const short = oid.slice(0, length);
    if (COMMIT.test(short) && (!isIndexed || commits.find(short) >= 0)) return short;
  }
  return oid;
}

/** Parses the text of one code span; null when it is code. */
export function parseCitation(text: string): Citation | null {
  if (COMMIT.test(text)) return { kind: 'commit', hash: text };
  const issue = ISSUE.exec(text);
  if (issue) return { kind: 'issue', number: Number(issue[1]) };
  const match = LINES.exec(text);
  if (!match) return null;
  const [, path, from, to, commit] = match;
  return { kind: 'lines', path: path!, from: Number(from), to: Number(to ?? from), commit: commit! };
}

/** Citations of a markdown text: code spans outside fenced code. */
export function parseCitations(markdown: string): Citation[] {
  return codeSpans(markdown)
    .map(({ text }) => parseCitation(text))
    .filter((citation) => citation !== null);
}

/** True when the commit is indexed and, for lines, the file has these lines there; for an issue, when it is imported. */
export async function isResolvable(
  citation: Citation,
  { repo, index, citableIssues }: CitationSource,
): Promise<boolean> {
  if (citation.kind === 'issue')
    return !citableIssues || (await citableIssues.read(citation.number)) !== null;
  const hash = citation.kind === 'commit' ? citation.hash : citation.commit;
  const commit = index.commits.find(hash);
  if (commit < 0) return false;
  if (citation.kind === 'commit') return true;
  if (citation.from < 1 || citation.to < citation.from) return false;
  const oid = index.commits.oid(commit);
  const known = oid === index.revision ? (index.code?.fileNumber(citation.path) ?? -1) : -1;
  if (index.code && known >= 0) return citation.to <= index.code.fileLines(known);
  return citation.to <= (await countLines(repo, oid, citation.path));
}

/** Strikes out every citation that does not resolve, so that it does not look like a source. */
export async function strikeUnresolvedCitations(markdown: string, deps: CitationSource): Promise<string> {
  const cited = codeSpans(markdown).filter(({ text }) => parseCitation(text));
  const known = new Map<string, boolean>();
  await Promise.all(
    [...new Set(cited.map(({ text }) => text))].map(async (text) => {
      known.set(text, await isResolvable(parseCitation(text)!, deps));
    }),
  );
  const struck = cited.filter(({ text }) => !known.get(text));
  return replaceRanges(
    markdown,
    struck.map((span) => ({ ...span, by: strikeThrough(span.text) })),
  );
}

/** Text as struck-out markdown; marks inside it that would end the strike are removed. */
export function strikeThrough(text: string): string {
  return `~~${text.replace(/[~`]/g, '')}~~`;
}

function codeSpans(markdown: string): CodeSpan[] {
  const cells = hasTable(markdown.split('\n'));
  return readLines(markdown).flatMap((line) =>
    line.kind === 'code' ? [] : readSpans(line, cells && line.text.includes('|')).spans,
  );
}

/** Text of the cited lines or issue, or message of the cited commit; null for a citation that does not resolve. */
export async function readCitedText(
  citation: Citation,
  { repo, index, citableIssues }: CitationSource,
): Promise<string | null> {
  if (citation.kind === 'issue') return (await citableIssues?.read(citation.number)) ?? null;
  const commit = index.commits.find(citation.kind === 'commit' ? citation.hash : citation.commit);
  if (commit < 0) return null;
  if (citation.kind === 'commit') return index.commits.message(commit);
  const text = await readBlob(repo, index.commits.oid(commit), citation.path);
  return text && sliceLines(text, citation.from, citation.to);
}

/** At most `MAX_CITED_BYTES` bytes of these lines. */
function sliceLines(text: Buffer, from: number, to: number): string {
  let line = 1;
  let start = from === 1 ? 0 : text.length;
  let end = text.length;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== 10) continue;
    if (line === to) {
      end = at;
      break;
    }
    line += 1;
    if (line === from) start = at + 1;
  }
  return text.toString('utf8', start, Math.min(end, start + MAX_CITED_BYTES));
}

async function countLines(repo: string, oid: string, path: string): Promise<number> {
  const text = await readBlob(repo, oid, path);
  if (!text) return 0;
  let lines = text.length > 0 && text.at(-1) !== 10 ? 1 : 0;
  for (const byte of text) if (byte === 10) lines++;
  return lines;
}

async function readBlob(repo: string, oid: string, path: string): Promise<Buffer | null> {
  const entry = await findEntry(repo, oid, path);
  if (entry?.type !== 'blob') return null;
  const blobs = openBlobReader(repo, {});
  try {
    const blob = await blobs.read(entry.oid, MAX_BLOB_BYTES);
    return blob && 'content' in blob ? blob.content : null;
  } finally {
    blobs.close();
  }
}
