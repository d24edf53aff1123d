import { DatabaseSync } from 'node:sqlite';
import { BEST, load } from './rival.ts';

/** sqlite-vec in memory: every vector is compared. Rejects when it is not installed. */
export async function openSqliteVec(vectors: Float32Array[]) {
  const { getLoadablePath } = await load<{ getLoadablePath(): string }>('sqlite-vec');
  const db = new DatabaseSync(':memory:', { allowExtension: true });
  db.loadExtension(getLoadablePath());
  db.exec(`create virtual table vectors using vec0(vector float[${vectors[0]!.length}])`);
  const insert = db.prepare('insert into vectors(rowid, vector) values (?, ?)');
  const bytes = (vector: Float32Array) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  db.exec('begin');
  for (const [index, vector] of vectors.entries()) insert.run(BigInt(index + 1), bytes(vector));
  db.exec('commit');
  const find = db.prepare(`select rowid from vectors where vector match ? and k = ${BEST}`);
  return { nearest: (vector: Float32Array) => find.all(bytes(vector)), close: () => db.close() };
}
