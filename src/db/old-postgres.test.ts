import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { createJobs } from './job-queue.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import { createOldCluster, findOldPostgres } from './testing-old-postgres.ts';

const log = pino({ level: 'silent' });

describe.each([14, 15])('PostgreSQL %i', (major) => {
  const found = findOldPostgres(major);
  test.skipIf(found === null)('runs every migration, twice, and the job queue', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-old-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    const programsFolder = await createOldCluster(dataDir, found!);
    const { url, stop } = await startEmbedded({ dataDir, log, programsFolder, settings: { fsync: 'off' } });
    onTestFinished(stop);
    const { db, pool, close } = connect(url);
    onTestFinished(close);
    await migrate(db);
    await migrate(db);
    const { rows } = await pool.query('select current_setting($1) as version', ['server_version']);
    expect(rows[0].version).toMatch(new RegExp(`^${major}\\.`));
    const applied = await pool.query('select count(*)::int as count from kysely_migration');
    expect(applied.rows[0].count).toBe(Object.keys(MIGRATIONS).length);

    const jobs = createJobs({ databaseUrl: url, log });
    onTestFinished(jobs.stop);
    const ran = new Promise<void>((resolve) => {
      const run = async () => resolve();
      jobs.define({ name: 'one', concurrency: 1, retryLimit: 0, singletonKey: () => null, run });
    });
    await jobs.start();
    await jobs.send('one', {});
    await ran;
  });
});
