import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Memory } from '../memory.ts';
import { readShardFile, viewShardFile } from './format.ts';
import { openCode } from './open-code.ts';
import { openCommits } from './open-commits.ts';

/** Names of the files of a generation. `code` is there once the passages phase is through. */
export const COMMITS_FILE = 'commits';
export const CODE_FILE = 'code';

/** The buffers of an opened generation: all that another thread needs to read it. */
export interface SharedMemory {
  readonly generation: string;
  readonly commits: SharedArrayBuffer;
  readonly code: SharedArrayBuffer | null;
}

/** Reads a generation into shared memory. Throws `index_rebuilding` when it is missing, damaged or of another version. */
export async function readGeneration(directory: string, generation: string): Promise<SharedMemory> {
  const folder = join(directory, generation);
  const names = await readdir(folder).catch((): string[] => []);
  const commits = await readShardFile(join(folder, COMMITS_FILE), COMMITS_FILE);
  const code = names.includes(CODE_FILE) ? await readShardFile(join(folder, CODE_FILE), CODE_FILE) : null;
  return { generation, commits: commits.buffer, code: code?.buffer ?? null };
}

/** The tables over buffers that `readGeneration` made, in any thread. */
export function openMemory(shared: SharedMemory): Memory {
  const { generation, commits, code } = shared;
  const file = viewShardFile(commits);
  return {
    generation,
    revision: file.text('revision'),
    commits: openCommits(file),
    code: code && openCode(viewShardFile(code)),
    bytes: commits.byteLength + (code?.byteLength ?? 0),
    shared,
  };
}
