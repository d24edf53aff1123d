import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A regression in a real history: one that a script put there, or one that happened. */
export interface ProofFault {
  id: string;
  /** `owner/name`. */
  repository: string;
  /** Full hashes: newest revision, last good one, and the commit that introduces the fault. */
  bad: string;
  good: string;
  culprit: string;
  command: string;
  /** The line that is changed in the culprit and in every later commit that has it; absent for a fault that happened. */
  seed?: { path: string; before: string; after: string };
  /** Files of the commit that fixed a fault that happened: its tests, which are added to every revision. */
  tests?: { commit: string; paths: string[] };
}

const FILE = new URL('faults.jsonl', import.meta.url);

/** Reads the faults of the benchmark. */
export function readFaults(): ProofFault[] {
  if (!existsSync(FILE)) return [];
  return readFileSync(FILE, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ProofFault);
}

/** Writes the tests of a fault to a folder, to be added to every checkout. */
export function writeTests(
  repo: string,
  { tests }: Pick<ProofFault, 'tests'>,
  folder: string,
): { path: string; from: string }[] {
  return (tests?.paths ?? []).map((path) => {
    const from = join(folder, path);
    mkdirSync(dirname(from), { recursive: true });
    writeFileSync(from, execFileSync('git', ['show', `${tests!.commit}:${path}`], { cwd: repo }));
    return { path, from };
  });
}
