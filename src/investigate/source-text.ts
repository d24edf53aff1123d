import { openBlobs } from '#git/blobs.ts';
import type { Memory } from '#memory/memory.ts';

const MAX_BYTES = 2_000_000;

/** Lines of files at the indexed revision, each file read once. */
export interface SourceText {
  /** Has git start at once, so that it is there when the first file is asked for. */
  begin(): void;
  /** Null when the file is absent or too large. */
  lines(path: string): Promise<string[] | null>;
  close(): void;
}

/** Opens the texts of one revision for the time of one investigation. */
export function openSourceText(repo: string, memory: Memory, signal?: AbortSignal): SourceText {
  const blobs = openBlobs(repo, { signal });
  const read = new Map<string, Promise<string[] | null>>();

  async function load(path: string): Promise<string[] | null> {
    const file = memory.code?.fileNumber(path) ?? -1;
    if (!memory.code || file < 0) return null;
    const blob = await blobs.read(memory.code.fileBlob(file), MAX_BYTES);
    if (!blob || !('content' in blob)) return null;
    return blob.content.toString('utf8').split('\n');
  }

  return {
    begin() {
      // The size of some file: what git makes of it is of no interest.
      if (memory.code && memory.code.fileCount > 0)
        void blobs.read(memory.code.fileBlob(0), 0).catch(() => null);
    },
    lines(path) {
      const known = read.get(path) ?? load(path);
      read.set(path, known);
      return known;
    },
    close: () => void blobs.close(),
  };
}
