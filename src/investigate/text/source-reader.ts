import { AppError } from '#contract/errors.ts';
import { openBlobs } from '#git/blobs.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';

const MAX_BYTES = 2_000_000;

/** Lines of files at the indexed revision, each file read once. */
export interface SourceReader {
  /** Null when the file is absent or too large. */
  lines(path: string): Promise<string[] | null>;
  close(): void;
}

/** Opens the texts of one revision for the time of one investigation: those of the index, or git's. */
export function openSourceReader(repo: string, memory: RepositoryIndex, signal?: AbortSignal): SourceReader {
  const blobs = openBlobs(repo, { signal });
  const read = new Map<string, Promise<string[] | null>>();

  async function load(path: string): Promise<string[] | null> {
    if (signal?.aborted) throw new AppError('unavailable', 'Reading was stopped.', { reason: 'stopped' });
    const file = memory.code?.fileNumber(path) ?? -1;
    if (!memory.code || file < 0) return null;
    const remembered = linesFromPassages(memory.code, file);
    if (remembered) return remembered;
    const blob = await blobs.read(memory.code.fileBlob(file), MAX_BYTES);
    if (!blob || !('content' in blob)) return null;
    return blob.content.toString('utf8').split('\n');
  }

  return {
    lines(path) {
      const known = read.get(path) ?? load(path);
      read.set(path, known);
      return known;
    },
    close: () => void blobs.close(),
  };
}

/** The lines of a file put together from the texts of its passages; null where these are not all of it. */
function linesFromPassages(code: CodeTable, file: number): string[] | null {
  const { first, count } = code.filePassages(file);
  const lines: string[] = [];
  let endsWithLine = false;
  for (let passage = first; passage < first + count; passage++) {
    const { start, end } = code.passageLines(passage);
    const own = code.passageText(passage)?.split('\n') ?? [];
    endsWithLine = own.length === end - start + 2 && own.at(-1) === '';
    // Passages of one long line, or with others inside.
    if (start !== lines.length + 1 || own.length - Number(endsWithLine) !== end - start + 1) return null;
    for (const line of endsWithLine ? own.slice(0, -1) : own) lines.push(line);
  }
  if (lines.length === 0 || lines.length !== code.fileLines(file)) return null;
  return endsWithLine ? [...lines, ''] : lines;
}
