import type { TypeProject } from '#diagnose/types/type-checker.ts';
import { isProgramPath } from '#diagnose/types/type-task.ts';
import { openBlobReader } from '#git/blobs.ts';
import { listTree } from '#git/tree.ts';
import { decodeFileText, detectEncoding } from './text-encoding.ts';

/** Files of one version that the type checker hears of, and characters of all their paths. */
const MAX_FILES = 50_000;
const MAX_PATHS_LENGTH = 4 * 2 ** 20;
/** Larger files are generated. */
const MAX_FILE_BYTES = 2 ** 20;
/** Bytes of the files that one step reads; the rest is taken for empty. */
const MAX_READ_BYTES = 24 * 2 ** 20;

/** Opens the files of a commit for the type checker. */
export function openTypeProject(repo: string, { id, commit }: { id: string; commit: string }): TypeProject {
  return {
    id,
    commit,
    async list(signal) {
      let length = 0;
      const files: [string, string][] = [];
      for await (const { path, oid, type, mode, size } of listTree(repo, commit, { signal })) {
        const isFile = type === 'blob' && mode !== '120000' && (size ?? 0) <= MAX_FILE_BYTES;
        if (path === null || !isFile || !isProgramPath(path)) continue;
        length += path.length;
        if (files.length === MAX_FILES || length > MAX_PATHS_LENGTH) return { files, isTruncated: true };
        files.push([path, oid]);
      }
      return { files, isTruncated: false };
    },
    async read(oids, signal) {
      const blobs = openBlobReader(repo, { signal });
      let left = MAX_READ_BYTES;
      try {
        return await Promise.all(
          oids.map(async (oid) => {
            const blob = await blobs.read(oid, MAX_FILE_BYTES);
            if (blob === null || 'tooLarge' in blob) return null;
            left -= blob.content.length;
            const encoding = left < 0 ? null : detectEncoding(blob.content);
            return encoding && decodeFileText(blob.content, encoding);
          }),
        );
      } finally {
        blobs.close();
      }
    },
  };
}
