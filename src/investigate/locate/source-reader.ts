import { AppError } from '#contract/errors.ts';
import { openBlobReader } from '#git/blobs.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';

const MAX_BYTES = 2 ** 22;

/** Reads the lines of files at the indexed revision, each file once. */
export interface SourceReader {
  /** Null when the file is absent or too large. */
  lines(path: string): Promise<string[] | null>;
  close(): void;
}

/** Opens a reader for one investigation, which reads from the index or else from git. */
export function openSourceReader(repo: string, index: RepositoryIndex, signal?: AbortSignal): SourceReader {
  const blobs = openBlobReader(repo, { signal });
  const cache = new Map<string, Promise<string[] | null>>();

  async function load(path: string): Promise<string[] | null> {
    if (signal?.aborted) throw new AppError('unavailable', 'reading_stopped', { reason: 'stopped' });
    const file = index.code?.fileNumber(path) ?? -1;
    if (!index.code || file < 0) return null;
    const indexed = linesFromPassages(index.code, file);
    if (indexed) return indexed;
    const blob = await blobs.read(index.code.fileBlob(file), MAX_BYTES);
    if (!blob || !('content' in blob)) return null;
    return blob.content.toString('utf8').split('\n');
  }

  return {
    lines(path) {
      const cached = cache.get(path) ?? load(path);
      cache.set(path, cached);
      return cached;
    },
    close: () => void blobs.close(),
  };
}

/** Splits the text of a file's passages, which follow one another, in one read; null where it is not stored as a whole. */
function linesFromPassages(code: CodeTable, file: number): string[] | null {
  const { first, count } = code.filePassages(file);
  const lines = count === 0 ? undefined : code.passageBytes(first, count)?.toString('utf8').split('\n');
  if (!lines) return null;
  const endsWithLine = lines.at(-1) === '';
  return lines.length - Number(endsWithLine) === code.fileLines(file) ? lines : null;
}
