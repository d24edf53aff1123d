import { AppError } from '#contract/errors.ts';
import { MAX_SHOWN_FILE_BYTES } from '#contract/projects.ts';
import { openBlobReader } from '#git/blobs.ts';
import { findEntry } from '#git/tree.ts';

const MAX_IMAGE_BYTES = 2 << 20;

/** Bytes that git inspects to classify a file as binary. */
const BINARY_PROBE_BYTES = 8_000;

/** Reads a text file at a commit. Throws `not_found`, `too_large` above 4 MiB, and `unsupported` for binary files. */
export async function readText(
  repo: string,
  { commit, path, signal }: { commit: string; path: string; signal: AbortSignal },
): Promise<{ text: string; size: number }> {
  const content = await readBlob(repo, { commit, path, maxBytes: MAX_SHOWN_FILE_BYTES, signal });
  if (content.subarray(0, BINARY_PROBE_BYTES).includes(0)) {
    throw new AppError('unsupported', 'file_binary_not_shown', { reason: 'binary' });
  }
  return { text: content.toString('utf8'), size: content.length };
}

/** First bytes of the image formats that browsers decode and that cannot hold a script. */
const SIGNATURES = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/webp', '52494646'],
] as const;

/** Reads an image at a commit; its type follows from its bytes. Throws `unsupported` for other files. */
export async function readImage(
  repo: string,
  { commit, path, signal }: { commit: string; path: string; signal: AbortSignal },
) {
  const content = await readBlob(repo, { commit, path, maxBytes: MAX_IMAGE_BYTES, signal });
  const start = content.subarray(0, 12).toString('hex');
  const type = SIGNATURES.find(([, signature]) => start.startsWith(signature))?.[0];
  const isOtherRiff = type === 'image/webp' && content.subarray(8, 12).toString('latin1') !== 'WEBP';
  if (type === undefined || isOtherRiff) throw new AppError('unsupported', 'image_not_shown');
  return { media_type: type, data: content.toString('base64'), size: content.length };
}

async function readBlob(
  repo: string,
  { commit, path, maxBytes, signal }: { commit: string; path: string; maxBytes: number; signal: AbortSignal },
): Promise<Buffer> {
  const entry = await findEntry(repo, commit, path);
  if (entry?.type === 'tree') throw new AppError('not_found', 'path_is_folder', { reason: 'is_folder' });
  if (entry?.type !== 'blob') throw new AppError('not_found', 'file_not_found_at_commit');
  const blobs = openBlobReader(repo, { signal });
  try {
    const blob = await blobs.read(entry.oid, maxBytes);
    if (blob === null) throw new AppError('not_found', 'file_not_found_at_commit');
    if ('tooLarge' in blob) throw new AppError('too_large', 'file_too_large_to_show');
    return blob.content;
  } finally {
    blobs.close();
  }
}
