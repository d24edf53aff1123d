import { assertOid, gitStream } from './run.ts';
import type { GitTreeEntry } from './tree.ts';

/** An entry that differs between two trees; `entry` is null where the later one lacks it. */
export interface ChangedEntry {
  path: string;
  entry: GitTreeEntry | null;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Entries that differ between the trees of two commits (full hashes), without sizes and renames, in git's order; null when there
 * are more than `max`, or one has a name that is not UTF-8.
 */
export async function listChangedEntries(
  repo: string,
  [before, after]: [before: string, after: string],
  { max, signal }: { max: number; signal?: AbortSignal },
): Promise<ChangedEntry[] | null> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
  const chunks: Buffer[] = [];
  let records = 0;
  const revisions = [assertOid(before), assertOid(after)];
  for await (const chunk of gitStream(repo, args, { name: 'diff-tree', revisions, signal })) {
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) records++;
    if (records > 2 * max) return null;
    chunks.push(chunk);
  }
  return parseChanges(Buffer.concat(chunks));
}

/** `":" oldmode SP mode SP oldoid SP oid SP status NUL path NUL`, one after the other. */
function parseChanges(output: Buffer): ChangedEntry[] | null {
  const changes: ChangedEntry[] = [];
  for (let start = 0, pathStart: number, end: number; start < output.length; start = end + 1) {
    pathStart = output.indexOf(0, start) + 1;
    end = output.indexOf(0, pathStart);
    const [, mode = '', , oid = '', status = ''] = output.toString('latin1', start, pathStart - 1).split(' ');
    const raw = output.subarray(pathStart, end);
    const path = decode(raw);
    if (path === null) return null;
    const type = mode === '160000' ? 'commit' : 'blob';
    changes.push({ path, entry: status === 'D' ? null : { mode, type, oid, size: null, path, raw } });
  }
  return changes;
}

function decode(name: Buffer): string | null {
  try {
    return UTF8.decode(name);
  } catch {
    return null;
  }
}
