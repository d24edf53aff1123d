import { openBlobs } from '#git/blobs.ts';
import { findEntry } from '#git/tree.ts';
import type { Memory } from '#memory/memory.ts';

/** What an answer points at: lines of a file at a commit, or a commit. */
export type Citation =
  | { kind: 'lines'; path: string; from: number; to: number; commit: string }
  | { kind: 'commit'; hash: string };

/** `path:from[-to] @ commit`, and a commit's hash (with a digit: `defaced` is a word). */
const LINES = /^([^\s:][^:\n]*):(\d{1,7})(?:-(\d{1,7}))? @ ([0-9a-f]{7,64})$/;
const COMMIT = /^(?=[a-f]*\d)[0-9a-f]{7,64}$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const CODE_SPAN = /(?<!`)`([^`\n]+)`(?!`)/g;
const MAX_BYTES = 2_000_000;

/** Writes lines at a commit the way that `readCitation` reads them. */
export function citeLines(path: string, from: number, to: number, commit: string): string {
  return `\`${path}:${from}-${Math.max(from, to)} @ ${shortHash(commit)}\``;
}

/** Writes a commit as a citation. */
export function citeCommit(oid: string): string {
  return `\`${shortHash(oid)}\``;
}

/** Twelve digits: unique in every known repository, and short enough to read. */
export function shortHash(oid: string): string {
  return oid.slice(0, 12);
}

/** Reads the text of one code span; null when it is code. */
export function readCitation(text: string): Citation | null {
  if (COMMIT.test(text)) return { kind: 'commit', hash: text };
  const match = LINES.exec(text);
  if (!match) return null;
  const [, path, from, to, commit] = match;
  return { kind: 'lines', path: path!, from: Number(from), to: Number(to ?? from), commit: commit! };
}

/** All citations of a markdown text: code spans outside fenced code. */
export function readCitations(markdown: string): Citation[] {
  const found: Citation[] = [];
  eachSpan(markdown, (text) => {
    const citation = readCitation(text);
    if (citation) found.push(citation);
    return null;
  });
  return found;
}

/** Whether the commit is remembered and, for lines, the file has them there. */
export async function resolves(
  citation: Citation,
  { repo, memory }: { repo: string; memory: Memory },
): Promise<boolean> {
  const hash = citation.kind === 'commit' ? citation.hash : citation.commit;
  const commit = memory.commits.find(hash);
  if (commit < 0) return false;
  if (citation.kind === 'commit') return true;
  if (citation.from < 1 || citation.to < citation.from) return false;
  const oid = memory.commits.oid(commit);
  const known = oid === memory.revision ? (memory.code?.fileNumber(citation.path) ?? -1) : -1;
  if (memory.code && known >= 0) return citation.to <= memory.code.fileLines(known);
  return citation.to <= (await countLines(repo, oid, citation.path));
}

/**
 * The text with every citation that does not resolve struck out: it must not look like a source. `known` keeps what
 * was looked up, for a text that grows.
 */
export async function strikeUnresolved(
  markdown: string,
  deps: { repo: string; memory: Memory },
  known = new Map<string, boolean>(),
): Promise<string> {
  const texts = new Set<string>();
  eachSpan(markdown, (text) => {
    if (readCitation(text) && !known.has(text)) texts.add(text);
    return null;
  });
  const check = async (text: string) => known.set(text, await resolves(readCitation(text)!, deps));
  await Promise.all(Array.from(texts, check));
  return eachSpan(markdown, (text) => (known.get(text) === false ? `~~${text.replaceAll('~', '')}~~` : null));
}

/**
 * Passes on a text that arrives in pieces, line by line, with citations checked: none is ever shown as a source
 * before it has resolved.
 */
export async function* checkedLines(
  pieces: AsyncIterable<string>,
  deps: { repo: string; memory: Memory },
): AsyncGenerator<string, void, undefined> {
  const known = new Map<string, boolean>();
  let [whole, shown] = ['', ''];
  for await (const piece of pieces) {
    whole += piece;
    if (!piece.includes('\n')) continue;
    const checked = await strikeUnresolved(whole.slice(0, whole.lastIndexOf('\n') + 1), deps, known);
    yield checked.slice(shown.length);
    shown = checked;
  }
  const rest = (await strikeUnresolved(whole, deps, known)).slice(shown.length);
  if (rest !== '') yield rest;
}

/** Replaces code spans outside fences by what `replace` gives; null leaves a span as it is. */
function eachSpan(markdown: string, replace: (text: string) => string | null): string {
  let fence: string | null = null;
  const lines = markdown.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      return line;
    }
    return fence === null ? line.replace(CODE_SPAN, (span, text: string) => replace(text) ?? span) : line;
  });
  return lines.join('\n');
}

async function countLines(repo: string, oid: string, path: string): Promise<number> {
  const entry = await findEntry(repo, oid, path);
  if (entry?.type !== 'blob') return 0;
  const blobs = openBlobs(repo, {});
  try {
    const blob = await blobs.read(entry.oid, MAX_BYTES);
    if (!blob || !('content' in blob)) return 0;
    const text = blob.content;
    let lines = text.length > 0 && text.at(-1) !== 10 ? 1 : 0;
    for (const byte of text) if (byte === 10) lines++;
    return lines;
  } finally {
    blobs.close();
  }
}
