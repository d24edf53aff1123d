import { openBlobReader } from './blobs.ts';
import { findEntry } from './tree.ts';

const MAX_BYTES = 2_000_000;

/** Text of a file at a commit (a full hash); null where there is none, or it is larger than 2 MB. */
export async function readFileAt(repo: string, commit: string, path: string): Promise<string | null> {
  const entry = await findEntry(repo, commit, path);
  if (entry?.type !== 'blob') return null;
  const blobs = openBlobReader(repo);
  try {
    const blob = await blobs.read(entry.oid, MAX_BYTES);
    return blob && 'content' in blob ? blob.content.toString('utf8') : null;
  } finally {
    blobs.close();
  }
}
