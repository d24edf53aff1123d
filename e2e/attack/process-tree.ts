import { readdirSync, readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Resource usage of a process and its descendants, read from `/proc`. */
interface TreeUsage {
  pids: number[];
  /** Bytes of anonymous memory: shared and file-backed memory is not counted. */
  bytes: number;
}

/** Reads a process and all its descendants. Nothing where `/proc` is missing. */
export function readTree(root: number): TreeUsage {
  const children = new Map<number, number[]>();
  for (const pid of processIds()) {
    const parent = parentOf(pid);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const pids: number[] = [];
  const left = [root];
  while (left.length > 0) {
    const pid = left.pop()!;
    pids.push(pid);
    left.push(...(children.get(pid) ?? []));
  }
  return { pids, bytes: pids.reduce((sum, pid) => sum + anonymousBytes(pid), 0) };
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | null {
  const stat = readProc(pid, 'stat');
  // The name in parentheses may hold anything, also parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? null : Number(fields[1]);
}

function anonymousBytes(pid: number): number {
  const [, kilobytes = '0'] = /^RssAnon:\s+(\d+) kB/m.exec(readProc(pid, 'status')) ?? [];
  return Number(kilobytes) * 1024;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Bytes that a folder takes on disk, without PostgreSQL's log, which is kept ahead in files of one size. */
export async function diskUsage(folder: string): Promise<number> {
  let total = 0;
  const left = [folder];
  while (left.length > 0) {
    const current = left.pop()!;
    for (const entry of await readdir(current, { withFileTypes: true }).catch(() => [])) {
      const path = join(current, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'pg_wal') left.push(path);
      } else if (entry.isFile()) {
        total += await lstat(path).then(
          ({ blocks }) => blocks * 512,
          () => 0,
        );
      }
    }
  }
  return total;
}
