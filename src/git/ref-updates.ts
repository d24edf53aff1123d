import { removeStaleRefLocks } from './ref-locks.ts';
import { git, isRefName } from './run.ts';

/** Commits or tags by the whole names of their refs. */
export type Refs = Map<string, string>;

/** Lists the refs below some folders such as `refs/heads`, with what they name; tags are not followed. */
export async function listRefs(repo: string, folders: readonly string[]): Promise<Refs> {
  const { stdout } = await git(repo, ['for-each-ref', '--format=%(objectname) %(refname)', ...folders], {
    name: 'for-each-ref',
  });
  return parseRefs(stdout.toString());
}

/** Formats refs as lines of `<hash> <name>`. */
export function formatRefs(refs: Refs): string {
  return [...refs].map(([name, oid]) => `${oid} ${name}\n`).join('');
}

/** Parses lines of `<hash> <name>`; others are left out. */
export function parseRefs(text: string): Refs {
  const refs: Refs = new Map();
  for (const line of text.split('\n')) {
    const [, oid, name] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? [];
    if (oid !== undefined && name !== undefined && isRefName(name)) refs.set(name, oid);
  }
  return refs;
}

/**
 * Changes refs from one state to another; what both have in common stays. Refs whose object is missing are skipped. Each step
 * compares and swaps: false when a ref has moved meanwhile.
 */
export async function updateRefs(
  repo: string,
  { from, to, reflog = false }: { from: Refs; to: Refs; reflog?: boolean },
): Promise<boolean> {
  const removed = [...from].filter(([name]) => !to.has(name));
  const changed = [...to].filter(([name, oid]) => from.get(name) !== oid);
  const present = await filterPresent(repo, changed);
  await removeStaleRefLocks(repo, ['packed-refs', ...[...removed, ...present].map(([name]) => name)]);
  // A removed name may be the folder of a new one, which git refuses in one transaction.
  const steps = [
    removed.map(([name, oid]) => `delete ${name} ${oid}`),
    present.map(([name, oid]) => `update ${name} ${oid} ${from.get(name) ?? '0'.repeat(oid.length)}`),
  ];
  for (const lines of steps) {
    if (lines.length === 0) continue;
    const { exitCode } = await git(repo, ['update-ref', ...(reflog ? ['--create-reflog'] : []), '--stdin'], {
      name: 'update-ref',
      input: `${lines.join('\n')}\n`,
      ok: [0, 1, 128],
    });
    if (exitCode !== 0) return false;
  }
  return true;
}

async function filterPresent(repo: string, refs: [string, string][]): Promise<[string, string][]> {
  if (refs.length === 0) return [];
  const { stdout } = await git(repo, ['cat-file', '--batch-check=%(objectname)'], {
    name: 'cat-file',
    input: `${refs.map(([, oid]) => oid).join('\n')}\n`,
  });
  // `<hash>` or `<hash> missing`.
  const lines = stdout.toString().split('\n');
  return refs.filter(([, oid], index) => lines[index] === oid);
}
