import { AppError } from '#contract/errors.ts';
import type { GitTreeEntry } from './tree.ts';

/** An entry of a tree object: `GitTreeEntry` without the size of its blob. */
export type TreeObjectEntry = Pick<GitTreeEntry, 'mode' | 'type' | 'oid' | 'raw'>;

/** Offsets of an entry in a tree object. */
interface EntryOffsets {
  start: number;
  space: number;
  nul: number;
}

const SPACE = 32;
const TYPE_OF_MODE = 0o170000;

/** Lists the entries of a tree object, whose hashes have `hashBytes` bytes. */
export function* listTreeObject(tree: Buffer, hashBytes: number): Generator<TreeObjectEntry> {
  for (const offsets of listOffsets(tree, hashBytes)) yield readEntry(tree, offsets, hashBytes);
}

/** Finds the entry of a name in a tree object. */
export function findInTreeObject(tree: Buffer, name: string, hashBytes: number): TreeObjectEntry | null {
  const wanted = Buffer.from(name);
  for (const offsets of listOffsets(tree, hashBytes)) {
    const { space, nul } = offsets;
    if (nul - space - 1 === wanted.length && tree.compare(wanted, 0, wanted.length, space + 1, nul) === 0)
      return readEntry(tree, offsets, hashBytes);
  }
  return null;
}

/**
 *   tree  = *entry
 *   entry = mode in octal SP name NUL hash
 *
 * Throws `unavailable` for any other content: a save would drop the entries behind it.
 */
function* listOffsets(tree: Buffer, hashBytes: number): Generator<EntryOffsets> {
  for (let start = 0; start < tree.length; ) {
    const space = tree.indexOf(SPACE, start);
    const nul = tree.indexOf(0, space);
    if (space === -1 || nul === -1 || nul + hashBytes >= tree.length)
      throw new AppError('unavailable', 'repository_corrupt', { reason: 'corrupt' });
    yield { start, space, nul };
    start = nul + 1 + hashBytes;
  }
}

function readEntry(tree: Buffer, { start, space, nul }: EntryOffsets, hashBytes: number): TreeObjectEntry {
  const mode = Number.parseInt(tree.toString('latin1', start, space), 8);
  const oid = tree.toString('hex', nul + 1, nul + 1 + hashBytes);
  // A copy: a slice would keep the whole tree alive.
  return { ...describeMode(mode), oid, raw: Buffer.from(tree.subarray(space + 1, nul)) };
}

/** Reads a mode as git does: old histories have others than it writes today. */
function describeMode(mode: number): Pick<GitTreeEntry, 'mode' | 'type'> {
  switch (mode & TYPE_OF_MODE) {
    case 0o100000:
      return { mode: mode & 0o100 ? '100755' : '100644', type: 'blob' };
    case 0o120000:
      return { mode: '120000', type: 'blob' };
    case 0o040000:
      return { mode: '040000', type: 'tree' };
    default:
      return { mode: '160000', type: 'commit' };
  }
}

/** Writes a tree object; the entries may have any order. */
export function formatTreeObject(entries: readonly Pick<TreeObjectEntry, 'mode' | 'oid' | 'raw'>[]): Buffer {
  const sorted = entries
    .map((entry) => ({ entry, key: sortKey(entry) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(
    sorted.flatMap(({ entry: { mode, oid, raw } }) => [
      // git writes the mode of a folder without its leading zero.
      Buffer.from(`${mode.replace(/^0+/, '')} `),
      raw,
      Buffer.from([0]),
      Buffer.from(oid, 'hex'),
    ]),
  );
}

/** git orders a folder as if its name ended with a slash. */
function sortKey({ mode, raw }: Pick<TreeObjectEntry, 'mode' | 'raw'>): Buffer {
  return mode === '040000' ? Buffer.concat([raw, Buffer.from('/')]) : raw;
}
