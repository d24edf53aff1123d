import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { resolveCommit } from '#git/refs.ts';
import { remember } from './ingest.ts';
import type { Memory } from './memory.ts';
import { openMemory, readGeneration } from './shard/open.ts';

/** For tests: remembers a bare repository at `ref` and opens the memory. Nothing stays on disk. */
export async function rememberRepository(repo: string, ref = 'HEAD'): Promise<Memory> {
  const revision = await resolveCommit(repo, ref);
  if (revision === null) throw new AppError('not_found', `No commit is called ${ref}.`);
  const directory = await mkdtemp(join(tmpdir(), 'hindsight-memory-'));
  try {
    let generation = '';
    await remember({
      repo,
      revision,
      directory,
      previous: null,
      limits: { maxFileBytes: 2 ** 20, maxEntries: 500_000 },
      onProgress: () => {},
      onGeneration: async ({ name }) => {
        generation = name;
      },
      signal: new AbortController().signal,
    });
    return openMemory(await readGeneration(directory, generation));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
