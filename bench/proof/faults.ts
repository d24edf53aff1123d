import { existsSync, readFileSync } from 'node:fs';

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
