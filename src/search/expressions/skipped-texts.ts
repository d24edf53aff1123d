import { openBlobReader } from '#git/blobs.ts';
import { findEntries } from '#git/tree.ts';
import { skippedTextPaths } from '#memory/index/grep-index.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';

/** A text file that the index skips. */
interface SkippedText {
  path: string;
  bytes: Buffer;
}

/** Bytes of an index's skipped files that are kept in memory; with more, git reads them for each search. */
const MAX_BYTES = 4 * 2 ** 20;
const MAX_FILES = 200;
/** Bytes of a file that git inspects to classify it as binary. */
const BINARY_PROBE_BYTES = 8000;

const loaded = new WeakMap<CodeTable, Promise<SkippedText[] | null>>();

/** Text files that an index skips, such as lock files, loaded once for each open index; null when they are too large. */
export async function loadSkippedTexts(
  repo: string,
  { code, revision }: Pick<RepositoryIndex, 'revision'> & { code: CodeTable },
): Promise<readonly SkippedText[] | null> {
  const known = loaded.get(code) ?? readSkippedTexts(repo, revision, code);
  loaded.set(code, known);
  try {
    return await known;
  } catch (error) {
    loaded.delete(code);
    throw error;
  }
}

async function readSkippedTexts(
  repo: string,
  revision: string,
  code: CodeTable,
): Promise<SkippedText[] | null> {
  const paths = skippedTextPaths(code);
  if (paths.length === 0) return [];
  if (paths.length > MAX_FILES) return null;
  const entries = await findEntries(repo, revision, paths);
  // Of one that the repository lacks, as in a partial clone, the size is unknown.
  if (!(entries.reduce((sum, { size }) => sum + (size ?? 0), 0) <= MAX_BYTES)) return null;
  const blobs = openBlobReader(repo);
  try {
    const texts: SkippedText[] = [];
    for (const { oid, path } of entries) {
      const read = await blobs.read(oid, MAX_BYTES);
      if (read === null || 'tooLarge' in read || path === null) return null;
      const isBinary = read.content.subarray(0, BINARY_PROBE_BYTES).includes(0);
      if (!isBinary) texts.push({ path, bytes: read.content });
    }
    return texts;
  } finally {
    blobs.close();
  }
}
