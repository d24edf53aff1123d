import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BEST, load, type OpenRival, type Rival, wordsOf } from './rival.ts';

interface Rows {
  limit(count: number): Rows;
  distanceType(type: 'dot'): Rows;
  toArray(): Promise<unknown[]>;
}
interface Table {
  createIndex(column: string, options: { config: unknown }): Promise<void>;
  query(): { fullTextSearch(query: string): Rows };
  vectorSearch(vector: Float32Array): Rows;
}
interface LanceDb {
  connect(folder: string): Promise<{
    createTable(name: string, rows: object[]): Promise<Table>;
    close(): void;
  }>;
  Index: { fts(): unknown };
}

/** LanceDB with its full-text index, in a folder of its own. */
export const openLanceDb: OpenRival = async (texts) => {
  const { table, close, lance } = await createTable(texts.map((text, id) => ({ id, text })));
  await table.createIndex('text', { config: lance.Index.fts() });
  return {
    search: (query) => table.query().fullTextSearch(wordsOf(query).join(' ')).limit(BEST).toArray(),
    close,
  };
};

/** LanceDB without an index over vectors: every one is compared. */
export async function openLanceVectors(
  vectors: Float32Array[],
): Promise<Omit<Rival, 'search'> & { nearest(vector: Float32Array): Promise<unknown> }> {
  const { table, close } = await createTable(
    vectors.map((vector, id) => ({ id, vector: Array.from(vector) })),
  );
  return {
    nearest: (vector) => table.vectorSearch(vector).distanceType('dot').limit(BEST).toArray(),
    close,
  };
}

async function createTable(rows: object[]) {
  const lance = await load<LanceDb>('@lancedb/lancedb');
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-lancedb-'));
  const db = await lance.connect(folder);
  const table = await db.createTable('rows', rows);
  const close = () => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { table, close, lance };
}
