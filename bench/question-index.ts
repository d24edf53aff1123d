import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildChangeIndex } from '../src/memory/changes/build-change-index.ts';
import { buildIndex } from '../src/memory/index/build-index.ts';
import { openIndex, readGeneration } from '../src/memory/index/generation-reader.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';

/** Opens the index and the folder of the change index of a repository; builds both unless `cache`, a folder, has them. */
export async function openQuestionIndex(
  repo: string,
  revision: string,
  { name, cache }: { name: string; cache: string | undefined },
): Promise<{ index: RepositoryIndex; hunks: string }> {
  const root = cache ?? (await mkdtemp(join(tmpdir(), 'hindsight-questions-')));
  const directory = join(root, `${name.replace('/', '+')}-${revision.slice(0, 12)}`);
  const [done, hunks, indexed] = ['generation', 'hunks', 'index'].map((part) => join(directory, part));
  if (!existsSync(done!)) {
    await mkdir(hunks!, { recursive: true });
    await mkdir(indexed!, { recursive: true });
    const signal = new AbortController().signal;
    let generation = '';
    await buildIndex({
      ...{ repo, revision, directory: indexed!, previous: null, signal },
      limits: { maxFileBytes: 2 ** 20, maxEntries: 2_000_000 },
      onProgress: () => {},
      onGeneration: async (built) => {
        generation = built.name;
      },
    });
    await buildChangeIndex({ repo, revision, directory: hunks! }, { onProgress: () => {}, signal });
    await writeFile(done!, generation);
  }
  const index = openIndex(await readGeneration(indexed!, await readFile(done!, 'utf8')));
  return { index, hunks: hunks! };
}
