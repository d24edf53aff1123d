import { LRUCache } from 'lru-cache';
import { buildNameTable, type NameTable } from '#search/names/name-table.ts';
import type { Deps } from '../deps.ts';
import { openProjectIndex } from '../project-data/storage.ts';

const MAX_BYTES = 256 * 2 ** 20;

interface NamedProject {
  id: string;
  shard_generation: string | null;
}

/** Names of indexed projects in memory, collected when they are first asked for. */
interface NameTables {
  /** The names of a project; null while they are being collected, and for a project without an index. */
  get(project: NamedProject): NameTable | null;
  /** Resolves when the names that are being collected are there, or after a time. */
  settle(ms: number): Promise<void>;
  /** True while the names of the project are being collected. */
  isPreparing(project: NamedProject): boolean;
}

/** Creates the cache of one server. A new generation of an index is collected again. */
export function createNameTables(
  deps: Pick<Deps, 'config' | 'indexCache' | 'events' | 'projectFiles'>,
): NameTables {
  const tables = new LRUCache<string, NameTable>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => 1 + bytes,
  });
  const pending = new Map<string, Promise<void>>();
  // One after the other: opening an index takes memory.
  let last: Promise<void> = Promise.resolve();
  const keyOf = ({ id, shard_generation }: NamedProject) => `${id} ${shard_generation}`;

  const prepare = (project: NamedProject) => {
    const key = keyOf(project);
    if (pending.has(key) || project.shard_generation === null) return;
    last = last
      .then(async () => {
        const index = await openProjectIndex(deps, project);
        if (index) tables.set(key, await buildNameTable(index));
      })
      // The index is damaged and will be built again, or its project is gone.
      .catch(() => undefined)
      .finally(() => pending.delete(key));
    pending.set(key, last);
  };

  return {
    get: (project) => {
      const table = tables.get(keyOf(project)) ?? null;
      if (!table) prepare(project);
      return table;
    },
    isPreparing: (project) => pending.has(keyOf(project)),
    settle: async (ms) => {
      if (pending.size === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([Promise.all(pending.values()), timeout]);
      clearTimeout(timer);
    },
  };
}
