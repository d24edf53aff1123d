import { openBlobReader } from '#git/blobs.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { type ChunkedFile, chunkFile } from '../chunk/passages.ts';
import type { BuildBudget } from '../limits.ts';
import { decodeText, maxIndexedBytes } from '../skip-rules.ts';
import type { IndexTask, IndexTaskListener } from './build-code.ts';
import { chunkingKey } from './chunking-key.ts';
import type { IndexedContents } from './indexed-contents.ts';
import type { CodeSegmentBuilder } from './segments/code-segment-builder.ts';

/** Files requested from git before the first is chunked: enough to keep both busy, few enough for memory. */
const READ_AHEAD_FILES = 24;

/** A file to index. */
export interface SourceFile {
  path: string;
  oid: string;
  size: number | null;
  /** `contentKey` of its content. */
  key: string;
}

/** Reads contents that are not contents yet into `builder`, and makes them contents; those beyond the budget as left out. */
export async function indexContents(
  builder: CodeSegmentBuilder,
  { repo, limits, budget }: Pick<IndexTask, 'repo' | 'limits'> & { budget: BuildBudget },
  fresh: readonly SourceFile[],
  contents: IndexedContents,
  { onProgress, signal, chunk = chunkFile }: IndexTaskListener & { chunk?: ChunkFile },
): Promise<void> {
  const blobs = openBlobReader(repo, { signal });
  const queue: ReturnType<typeof blobs.read>[] = [];
  try {
    let bytes = 0;
    for (let i = 0; i < fresh.length; i++) {
      if (bytes > budget.inputBytes || builder.allocatedBytes > budget.indexBytes) {
        for (const { key } of fresh.slice(i)) contents.skip(key, 'over_limit');
        break;
      }
      while (queue.length < READ_AHEAD_FILES && i + queue.length < fresh.length) {
        const { path, oid } = fresh[i + queue.length]!;
        queue.push(blobs.read(oid, maxIndexedBytes(path, limits)));
      }
      const content = await queue.shift()!;
      bytes += content !== null && 'content' in content ? content.content.length : 0;
      await indexContent(builder, fresh[i]!, content, contents, chunk);
      await yieldIfDue(signal);
      onProgress({ phase: 'passages', done: i + 1, total: fresh.length, unit: 'files' });
    }
  } finally {
    // Closing rejects reads that are no longer awaited.
    for (const read of queue) void read.catch(() => {});
    blobs.close();
  }
}

/** Chunks a file, at once or later. */
type ChunkFile = (path: string, text: string) => ChunkedFile | Promise<ChunkedFile>;

type Content = { content: Buffer } | { tooLarge: number } | null;

async function indexContent(
  builder: CodeSegmentBuilder,
  { path, oid, key }: SourceFile,
  read: Content,
  contents: IndexedContents,
  chunk: ChunkFile,
): Promise<void> {
  const kind = chunkingKey(path);
  // Null is a blob that the repository lacks, as in a partial clone: it may come, so nothing is kept of it.
  if (read === null || 'tooLarge' in read) return contents.skip(key, 'too_large');
  const text = decodeText(path, read.content);
  if ('reason' in text) {
    builder.skip(oid, kind, text.reason);
    return contents.skip(key, text.reason);
  }
  builder.add(oid, kind, text.text, await chunk(path, text.text), read.content);
  contents.add(key, builder.passageCount);
}
