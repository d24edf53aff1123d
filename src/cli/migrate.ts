import { mkdir } from 'node:fs/promises';
import { connect } from '#db/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { createLogger } from '#server/http/log.ts';

const MIGRATION_TIMEOUT_MS = 3_600_000;

/** Migrates the database without starting the server; starts the embedded PostgreSQL for it. */
export async function migrateOnly(config: {
  databaseUrl: string | null;
  dataDir: string;
  logLevel: Parameters<typeof createLogger>[0]['level'];
}): Promise<void> {
  const log = createLogger({ level: config.logLevel });
  if (config.databaseUrl !== null) return await migrateDatabase(config.databaseUrl);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const embedded = await startEmbedded({ dataDir: config.dataDir, log, onLost: () => process.exit(3) });
  try {
    await migrateDatabase(embedded.url);
  } finally {
    await embedded.stop();
  }
}

async function migrateDatabase(url: string): Promise<void> {
  const { db, close } = connect(url, { timeoutMs: MIGRATION_TIMEOUT_MS });
  await migrate(db).finally(close);
}
