import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#db/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { findPrograms } from '#db/postgres-programs.ts';
import { createOldCluster } from '#db/testing-old-postgres.ts';
import { upgradeDatabase } from './upgrade-database.ts';

/** An older PostgreSQL of Debian. Where it is not installed, the cluster moves between two of the same version. */
const OLD = '/usr/lib/postgresql/15/bin';
const hasOld = existsSync(join(OLD, 'initdb'));
const log = pino({ level: 'silent' });

test('the cluster of an older PostgreSQL is upgraded, and can be put back', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-upgrade-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const cluster = join(dataDir, 'postgres');
  if (hasOld) await createOldCluster(dataDir, OLD);
  const { version, postgres } = await findPrograms(cluster);
  const oldVersion = hasOld ? 15 : version;
  const programsFolder = hasOld ? OLD : dirname(postgres);
  const settings = { fsync: 'off' };

  const old = await startEmbedded({ dataDir, log, programsFolder, settings });
  const before = connect(old.url);
  await migrate(before.db);
  await before.pool.query("insert into settings (key, value) values ('kept', '7')");
  await before.pool.query(
    "insert into projects (id, name, git_url, status) values ('one', 'one', 'https://example.org/a', 'ready')",
  );
  await before.pool.query(
    "insert into project_files (project_id, path, files, bytes) values ('one', 'hunks', '[]', 0)",
  );
  await before.close();
  await old.stop();
  if (hasOld) {
    const refused = startEmbedded({ dataDir, log });
    await expect(refused).rejects.toMatchObject({ reason: 'postgres_other_version' });
    await expect(refused).rejects.toThrow('hindsight upgrade-database');
  }

  const upgraded = await upgradeDatabase({ dataDir, programsFolder, log });
  expect(upgraded.folder).toBe(`${cluster}-${oldVersion}`);
  expect(existsSync(upgraded.backup)).toBe(true);
  expect(Number(await readFile(join(cluster, 'PG_VERSION'), 'utf8'))).toBe(version);
  const rowsOf = async (options: { programsFolder?: string }) => {
    const embedded = await startEmbedded({ dataDir, log, settings, ...options });
    const { pool, close } = connect(embedded.url);
    try {
      const text = `select (select value from settings where key = 'kept') as kept,
        (select number from projects) as number, (select path from project_files) as path`;
      return (await pool.query(text)).rows;
    } finally {
      await close();
      await embedded.stop();
    }
  };
  expect(await rowsOf({})).toEqual([{ kept: 7, number: 1, path: 'hunks' }]);
  await rename(cluster, `${cluster}-new`);
  await rename(upgraded.folder, cluster);
  expect(await rowsOf({ programsFolder })).toEqual([{ kept: 7, number: 1, path: 'hunks' }]);
});
