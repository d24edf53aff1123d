import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { connect } from '#db/connect.ts';
import { PASSWORD_FILE, startEmbedded } from '#db/embedded.ts';
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
  const { db, close } = connect(embedded.url);
  await migrate(db);
  await close();
  await embedded.stop();
  await appendFile(
    join(dataDir, 'postgres', 'postgresql.auto.conf'),
    'fsync = off\nfull_page_writes = off\n',
  );
  process.env[FOLDER] = dataDir;
  return () => rm(dataDir, { recursive: true });
}

/** Puts a copy into a program's data folder, if there is one. */
export async function copyCluster(dataDir: string): Promise<void> {
  const folder = process.env[FOLDER];
  if (!folder) return;
  for (const name of ['postgres', PASSWORD_FILE])
    await cp(join(folder, name), join(dataDir, name), { recursive: true });
}
