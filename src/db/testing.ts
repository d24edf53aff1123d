import { setTimeout as delay } from 'node:timers/promises';
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
  const connection = connect(url, { prepares: true });
  return {
    ...connection,
    url,
    close: async () => {
      await connection.close();
      await dropDatabase(clusterUrl, name);
    },
  };
}

/** Drops the database; repeated while autovacuum works in it, which the server's role must not end. */
async function dropDatabase(clusterUrl: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inCluster(clusterUrl, `drop database ${name} with (force)`);
    } catch (error) {
      const isAutovacuum = (error as Error).message.includes('permission denied to terminate process');
      if (!isAutovacuum || attempt === 50) throw error;
      await delay(200);
    }
  }
}

async function inCluster(url: string, statement: string): Promise<void> {
  const { pool, close } = connect(url);
  try {
    await pool.query(statement);
  } finally {
    await close();
  }
}
