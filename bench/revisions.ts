import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listTree } from '../src/git/tree.ts';
import { openIndex, readGeneration } from '../src/memory/index/generation-reader.ts';
import { createSnapshot, type TreeFile } from '../src/memory/index/snapshot.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { entrySkipReason } from '../src/memory/skip-rules.ts';
import { buildSuperset } from '../src/memory/testing.ts';
import type { BenchOptions, Instance } from './options.ts';

const LIMITS = { maxFileBytes: 2 ** 20 };

/** An instance at its base commit. */
export interface Revisited {
  instance: Instance;
  /** Absolute path of the bare repository, which holds more than the base commit: read only what `index` contains. */
  repo: string;
  /** Index at `base_commit`: its tree, itself and its ancestors, nothing else. */
  index: RepositoryIndex;
}

/**
 * Yields every instance with the index as of its base commit, by repository. A repository is indexed once for all its
 * base commits and stored in `cache` for later runs; delete that folder after a change to how files
 * are chunked or indexed. Progress goes to stderr.
 */
export async function* revisit(
  { instances, repository }: Pick<BenchOptions, 'instances' | 'repository'>,
  cache = join(tmpdir(), 'hindsight-bench'),
): AsyncGenerator<Revisited> {
  mkdirSync(cache, { recursive: true });
  for (const [name, repoInstances] of Map.groupBy(instances, ({ repo }) => repo)) {
    const repo = repository(name);
    const superset = await indexRevisions(
      cache,
      name,
      repo,
      repoInstances.map(({ base_commit }) => base_commit),
    );
    for (const instance of repoInstances) {
      const files = await filesAt(repo, instance.base_commit);
      yield { instance, repo, index: createSnapshot(superset, instance.base_commit, files).snapshot };
    }
  }
}

async function indexRevisions(
  cache: string,
  name: string,
  repo: string,
  bases: string[],
): Promise<RepositoryIndex> {
  const revisions = [...new Set(bases)].sort();
  const prefix = `${name.replace('/', '+')}-`;
  for (const generation of readdirSync(cache).filter((entry) => entry.startsWith(prefix))) {
    const list = join(cache, generation, 'revisions');
    if (!existsSync(list)) continue;
    const known = new Set(readFileSync(list, 'utf8').split('\n'));
    if (!revisions.every((revision) => known.has(revision))) continue;
    const index = await readGeneration(cache, generation).then(openIndex, () => null);
    if (index) return index;
  }
  const generation = `${prefix}${createHash('sha1').update(revisions.join()).digest('hex').slice(0, 12)}`;
  console.error(`Reading ${name} at ${revisions.length} commits`);
  const unfinished = `.${process.pid}-${generation}`;
  await buildSuperset(repo, revisions, cache, unfinished);
  writeFileSync(join(cache, unfinished, 'revisions'), revisions.join('\n'));
  rmSync(join(cache, generation), { recursive: true, force: true });
  renameSync(join(cache, unfinished), join(cache, generation));
  return openIndex(await readGeneration(cache, generation));
}

/** Files of a commit's tree that an index of it would hold, as far as the tree tells. */
async function filesAt(repo: string, commit: string): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  for await (const entry of listTree(repo, commit)) {
    if (entry.type === 'blob' && entrySkipReason(entry, LIMITS) === null)
      files.push({ path: entry.path!, oid: entry.oid });
  }
  return files;
}
