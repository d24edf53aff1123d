import { mkdir } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { connect } from '#db/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import type { Database } from '#db/schema.ts';
import { createLogger } from '#server/http/log.ts';

const TIMEOUT_MS = 3_600_000;

interface DatabaseConfig {
  databaseUrl: string | null;
  dataDir: string;
  logLevel: Parameters<typeof createLogger>[0]['level'];
}

/**
 * Migrates the database without starting the server, and runs further work on it; starts the embedded PostgreSQL for it, unless
 * a server has it running.
 */
export async function withMigratedDatabase(
  config: DatabaseConfig,
  work: (db: Kysely<Database>) => Promise<void> = async () => {},
): Promise<void> {
  const log = createLogger({ level: config.logLevel });
  const run = async (url: string) => {
    const { db, close } = connect(url, { timeoutMs: TIMEOUT_MS });
    await migrate(db)
      .then(() => work(db))
      .finally(close);
  };
  if (config.databaseUrl !== null) return await run(config.databaseUrl);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const embedded = await startEmbedded({ dataDir: config.dataDir, log, onLost: () => process.exit(3) });
  try {
    await run(embedded.url);
  } finally {
    await embedded.stop();
  }
}
