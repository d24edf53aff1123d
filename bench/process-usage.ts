import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Memory in bytes and processor time in milliseconds of a process and of those of the same program that it started. A page that
 * processes share, such as the program itself, counts once in the sum (PSS).
 */
interface ProcessUsage {
  bytes: number;
  processor: number;
}

/** `/proc` counts hundredths of a second. */
const MS_PER_TICK = 10;

/** Measures this process and the Node processes below it; `seen` remembers the processor time of those that have ended. */
export function measureProcesses(seen: Map<number, number>): ProcessUsage {
  let bytes = 0;
  for (const pid of nodeProcesses(process.pid)) {
    const [usage, memory] = [readUsage(pid), readProc(pid, 'smaps_rollup')];
    if (usage === null || memory === null) continue;
    seen.set(pid, usage);
    bytes += Number(/^Pss: +(\d+) kB$/m.exec(memory)?.[1] ?? 0) * 1024;
  }
  return { bytes, processor: [...seen.values()].reduce((sum, ms) => sum + ms, 0) };
}

function nodeProcesses(pid: number): number[] {
  const children = (readProc(pid, `task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);
  return [pid, ...children.filter(isNode).flatMap(nodeProcesses)];
}

function isNode(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === readlinkSync('/proc/self/exe');
  } catch {
    return false;
  }
}

function readUsage(pid: number): number | null {
  // The name, which may contain blanks, ends with the last bracket.
  const fields = readProc(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ');
  return fields ? (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK : null;
}

function readProc(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
