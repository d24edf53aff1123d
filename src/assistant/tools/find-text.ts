import { type GrepMatch, type GrepOptions, grep } from '#git/grep.ts';
import { grepIndex, skippedTextPaths } from '#memory/index/grep-index.ts';
import { literalQuery } from '#memory/index/trigrams/trigram-query.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { ToolContext } from './tool.ts';

const LINE_FEED = 10;
const MAX_LINE_LENGTH = 1_000;
/** Files whose text is not stored; with more of them, git searches the whole revision. */
const MAX_UNSTORED = 200;

type TextContext = Pick<ToolContext, 'repo' | 'index' | 'signal'>;

/**
 * Lines of the indexed revision that contain one of some texts, in the order of paths: the first `maxMatches`, or as many as are found within
 * `timeoutMs`. Reads the stored texts, which takes a fraction of a git process; git searches only files without them.
 */
export async function findText(
  texts: string | readonly string[],
  { repo, index, signal }: TextContext,
  limits: Pick<GrepOptions, 'maxMatches' | 'timeoutMs'>,
): Promise<GrepMatch[]> {
  const { code } = index;
  const { maxMatches } = limits;
  const options = { ...limits, ...(signal && { signal }) };
  const all = [texts].flat();
  const pattern = { fixed: all };
  if (!code || !all.every((text) => /^[^\n\0]+$/.test(text)))
    return await grepIndex(repo, index, pattern, options);
  const found: GrepMatch[] = [];
  const unstored = [...skippedTextPaths(code)];
  const wanted = all.map((text) => Buffer.from(text));
  const deadline = performance.now() + limits.timeoutMs;
  for (const { file, path } of candidates(all, code)) {
    const isDone = found.length >= maxMatches || performance.now() > deadline;
    if (isDone || unstored.length > MAX_UNSTORED) break;
    await yieldIfDue(signal);
    const bytes = readStoredFile(code, file);
    if (bytes) addMatches(found, { path, bytes, wanted, maxMatches });
    else unstored.push(path);
  }
  if (unstored.length === 0) return found;
  if (unstored.length > MAX_UNSTORED) return await grepIndex(repo, index, pattern, options);
  const others = await grep(repo, index.revision, pattern, { ...options, paths: unstored });
  return [...found, ...others].sort(compareMatches).slice(0, maxMatches);
}

/** The bytes of a file, valid until the next read; null where they are not stored. */
export function readStoredFile(code: CodeTable, file: number): Buffer | null {
  const { first, count } = code.filePassages(file);
  return count === 0 ? null : code.passageBytes(first, count);
}

/** Files that may contain one of the texts, in the order of paths. */
function candidates(texts: string[], code: CodeTable): { file: number; path: string }[] {
  const files =
    code.candidateFiles(literalQuery(texts)) ?? Array.from({ length: code.fileCount }, (_, i) => i);
  return files
    .map((file) => ({ file, path: code.filePath(file) }))
    .sort((a, b) => comparePaths(a.path, b.path));
}

interface FileBytes {
  path: string;
  bytes: Buffer;
  wanted: readonly Buffer[];
  maxMatches: number;
}

function addMatches(found: GrepMatch[], { path, bytes, wanted, maxMatches }: FileBytes): void {
  let line = 1;
  let counted = 0;
  for (let at = indexOfAny(bytes, wanted, 0); at >= 0 && found.length < maxMatches; ) {
    for (let next = bytes.indexOf(LINE_FEED, counted); next >= 0 && next < at; ) {
      line++;
      counted = next + 1;
      next = bytes.indexOf(LINE_FEED, counted);
    }
    const lineFeed = bytes.indexOf(LINE_FEED, at);
    const end = lineFeed < 0 ? bytes.length : lineFeed;
    const text = bytes.toString('utf8', counted, Math.min(end, counted + 4 * MAX_LINE_LENGTH));
    found.push({ path, line, text: text.slice(0, MAX_LINE_LENGTH) });
    at = indexOfAny(bytes, wanted, end);
  }
}

/** First place of one of the texts; -1 when none follows. */
function indexOfAny(bytes: Buffer, wanted: readonly Buffer[], from: number): number {
  const places = wanted.map((text) => bytes.indexOf(text, from)).filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

function compareMatches(a: GrepMatch, b: GrepMatch): number {
  return comparePaths(a.path, b.path) || a.line - b.line;
}

function comparePaths(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
