import { assertOid, gitStream } from './run.ts';

/** Contents of a path before and after a commit; null where it was not there or is no file. */
export interface BlobChange {
  path: string;
  oldBlob: string | null;
  blob: string | null;
}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 32 * 2 ** 20;
const ARGS = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--root'];

/**
 * Lists the contents that commits (full hashes) changed, of some paths or of all where none is given, in one git process;
 * merges change none. Commits after the first 32 MiB are absent.
 */
export async function readBlobChanges(
  repo: string,
  oids: readonly string[],
  { paths = [], signal }: { paths?: string[]; signal?: AbortSignal },
): Promise<Map<string, BlobChange[]>> {
  const input = `${oids.map(assertOid).join('\n')}\n`;
  const options = { name: 'diff-tree', input, paths, timeoutMs: TIMEOUT_MS, signal };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of gitStream(repo, ARGS, options)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) break;
  }
  return parseRaw(Buffer.concat(chunks).toString('utf8'));
}

/** commit = oid NUL (":" oldmode SP newmode SP oldblob SP newblob SP status NUL path NUL)* */
function parseRaw(output: string): Map<string, BlobChange[]> {
  const commits = new Map<string, BlobChange[]>();
  let changes: BlobChange[] = [];
  const parts = output.split('\0');
  for (let at = 0; at + 1 < parts.length; at++) {
    const part = parts[at]!;
    if (!part.startsWith(':')) {
      changes = [];
      commits.set(part.trim(), changes);
      continue;
    }
    const [oldMode = '', mode = '', oldBlob = '', blob = ''] = part.slice(1).split(' ');
    changes.push({ path: parts[++at]!, oldBlob: file(oldMode, oldBlob), blob: file(mode, blob) });
  }
  return commits;
}

function file(mode: string, blob: string): string | null {
  return mode.startsWith('100') ? blob : null;
}
