import { inject } from 'vitest';
import { connect } from './connect.ts';
import { newId } from './ids.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL cluster, with a migrated database to copy. */
    postgres: { url: string; template: string };
  }
}

/**
 * A fresh database with the whole schema, for one test file; `close` drops it. It is a copy of a migrated
 * template in the one cluster that `testing-setup.ts` starts for the run.
 */
export async function testDatabase(): Promise<ReturnType<typeof connect> & { url: string }> {
  const { url: clusterUrl, template } = inject('postgres');
  const name = `test_${newId().replaceAll('-', '')}`;
  await inCluster(clusterUrl, `create database ${name} template ${template}`);
  const url = clusterUrl.replace('/postgres?', `/${name}?`);
  const connection = connect(url);
  return {
    ...connection,
    url,
    close: async () => {
      await connection.close();
      await inCluster(clusterUrl, `drop database ${name} with (force)`);
    },
  };
}

async function inCluster(url: string, statement: string): Promise<void> {
  const { pool, close } = connect(url);
  try {
    await pool.query(statement);
  } finally {
    await close();
  }
}
