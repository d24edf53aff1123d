import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { connect } from '#db/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { MIGRATIONS } from '#db/migrate.ts';
import { restoreOldDatabase } from '#db/testing-restore.ts';
import { type Fault, seconds, slowest, trialsOf } from './fault.ts';
import { until } from './program.ts';

/** Tables that migrations change one after the other: a lock on one stops the migration there. */
const TABLES = ['branches', 'users', 'debug_sessions', 'chat_messages', 'projects'];

/** R20: kills a migration while it waits for a table, at different tables; the next one must finish. */
export const migrationFault: Fault = {
  id: 'R20',
  name: '`kill -9` during migration',
  target: 'the old schema stays whole; the next start completes it',
  async run(options) {
    const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-migration-'));
    const embedded = await startEmbedded({
      dataDir,
      log: pino({ level: 'silent' }),
      settings: { fsync: 'off' },
    });
    const times: number[] = [];
    let losses = 0;
    const trials = trialsOf(options, 20);
    try {
      for (let trial = 0; trial < trials; trial++) {
        const { db, pool, close } = connect(embedded.url);
        await restoreOldDatabase(db);
        const applied = async () =>
          (await pool.query('select count(*)::int as count from kysely_migration')).rows[0].count;
        const before = await applied();
        const blocker = await pool.connect();
        await blocker.query(`begin; lock table ${TABLES[trial % TABLES.length]} in access share mode`);
        const killed = migrate(embedded.url);
        const waits = "select 1 from pg_locks where not granted and locktype = 'relation'";
        await until(async () => (await pool.query(waits)).rowCount, 60_000, 'The migration did not wait');
        killed.kill('SIGKILL');
        await once(killed, 'exit');
        await blocker.query('rollback');
        blocker.release();
        const isWhole = (await applied()) === before;
        const started = performance.now();
        const [code] = await once(migrate(embedded.url), 'exit');
        times.push(performance.now() - started);
        if (!isWhole || code !== 0 || (await applied()) !== Object.keys(MIGRATIONS).length) losses += 1;
        await close();
        options.report(`R20: ${trial + 1} of ${trials}, ${losses} losses`);
      }
    } finally {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
    const figures = `completed ≤ ${seconds(slowest(times))} after the kill`;
    return { trials, losses, figures, isMet: losses === 0 };
  },
};

function migrate(url: string): ChildProcess {
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  return spawn(process.execPath, ['src/cli.ts', 'migrate'], { env, stdio: 'ignore' });
}
