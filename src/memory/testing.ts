import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { resolveCommit } from '#git/refs.ts';
import { buildCode } from './index/build-code.ts';
import { buildCommits } from './index/build-commits.ts';
import { buildIndex } from './index/build-index.ts';
import { openIndex, readGeneration } from './index/generation-reader.ts';
import type { RepositoryIndex } from './repository-index.ts';

/** Indexes a bare repository at `ref` for tests. Leaves nothing on disk. */
export async function indexRepository(repo: string, ref = 'HEAD'): Promise<RepositoryIndex> {
  const revision = await resolveCommit(repo, ref);
  if (revision === null) throw new AppError('not_found', 'commit_not_indexed', { params: { commit: ref } });
  const directory = await mkdtemp(join(tmpdir(), 'hindsight-memory-'));
  try {
    let generation = '';
    await buildIndex({
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
    return openIndex(await readGeneration(directory, generation));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Indexes several revisions, full hashes, as one superset named `generation` in `directory`, for tests and benchmarks. Open
 * it with `readGeneration` and read it through `snapshot.ts`.
 */
export async function buildSuperset(
  repo: string,
  revisions: readonly string[],
  directory: string,
  generation: string,
): Promise<void> {
  const folder = join(directory, generation);
  await mkdir(folder);
  const [revision = '', ...others] = revisions;
  const limits = { maxFileBytes: 2 ** 20, maxEntries: Number.POSITIVE_INFINITY };
  const listener = { onProgress: () => {}, signal: new AbortController().signal };
  const task = { repo, revision, others, limits, folder, previous: null };
  await buildCommits({ ...task, kind: 'commits' }, listener);
  await buildCode({ ...task, kind: 'code' }, listener);
}

/** Runs a program in a process of its own, and kills it with SIGKILL at its first output. */
export async function killAfterOutput(program: string): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}
