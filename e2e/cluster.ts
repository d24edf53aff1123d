import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { connect } from '#db/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';

/**
 * A database folder, made once a run, that programs begin with a copy of: making one takes seconds of which no journey tells
 * anything. This variable names it; pictures and recordings have none, and neither has a product that begins from nothing.
 */
const FOLDER = 'E2E_CLUSTER';

/** Before all journeys: makes it. Nothing in it has to outlive the machine. Returns what removes it. */
export async function setup(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-cluster-'));
  const embedded = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
  const { db, pool, close } = connect(embedded.url);
  await migrate(db);
  for (const setting of ['fsync', 'full_page_writes']) await pool.query(`alter system set ${setting} = off`);
  await close();
  await embedded.stop();
  process.env[FOLDER] = join(dataDir, 'postgres');
  return () => rm(dataDir, { recursive: true });
}

/** Puts a copy into a program's data folder, if there is one. */
export async function copyCluster(dataDir: string): Promise<void> {
  const folder = process.env[FOLDER];
  if (folder) await cp(folder, join(dataDir, 'postgres'), { recursive: true });
}
