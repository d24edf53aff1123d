import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { connect } from '#db/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { MIGRATIONS } from '#db/migrate.ts';
import { freePort } from '#git/testing-remotes.ts';
import { signUp } from '../../bench/editor-server.ts';
import type { Fault } from './fault.ts';
import { until } from './program.ts';

/** Version from which servers are replaced one by one. Earlier ones stop first: migration 0024 renames columns that they read. */
const OLD_VERSION = '1b1feefb';
const SERVE_MS = 3_000;

/** U1: a server of an earlier version goes on serving while the database is migrated to this one. */
export const oldReplicaFault: Fault = {
  id: 'U1',
  name: 'old server during migrations',
  target: 'serves on without an error',
  async run({ report }) {
    const folder = await mkdtemp(join(tmpdir(), 'hindsight-old-'));
    const log = pino({ level: 'silent' });
    const embedded = await startEmbedded({ dataDir: join(folder, 'database'), log });
    const statuses = new Map<number, number>();
    let pending = 0;
    let child: ReturnType<typeof spawn> | null = null;
    try {
      const checkout = await checkOutOld(folder);
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const env = {
        PATH: process.env.PATH,
        DATABASE_URL: embedded.url,
        DATA_DIR: join(folder, 'data'),
        PORT: String(port),
      };
      child = spawn(process.execPath, ['src/main.ts'], {
        cwd: checkout,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      await until(
        async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok,
        120_000,
        'The old server was not ready',
      );
      const ada = await signUp(url);
      let isOver = false;
      const serve = async () => {
        for (let turn = 0; !isOver; turn++) {
          const calls = [
            () => ada.call('GET', '/projects'),
            () => ada.call('PUT', '/auth/me', { full_name: String(turn) }),
            () => ada.call('GET', '/auth/me'),
            () => ada.call('GET', '/notifications'),
            () => ada.call('POST', '/keys', { name: `key ${turn}`, scope: 'read' }),
            () => ada.call('GET', '/debug/sessions'),
          ];
          const { status } = await calls[turn % calls.length]!();
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          await sleep(20);
        }
      };
      const serving = serve();
      const { pool, close } = connect(embedded.url);
      const applied = (await pool.query('select count(*)::int as count from kysely_migration')).rows[0].count;
      await close();
      pending = Object.keys(MIGRATIONS).length - applied;
      const migration = spawn(process.execPath, ['src/cli.ts', 'migrate'], { env, stdio: 'ignore' });
      const [code] = await once(migration, 'exit');
      if (code !== 0) throw new Error(`The migration ended with code ${code}.`);
      await sleep(SERVE_MS);
      isOver = true;
      await serving;
    } finally {
      if (child !== null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      await embedded.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
    const seen = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
    report(`U1: ${seen}`);
    const losses = [...statuses].reduce(
      (sum, [status, count]) => sum + (status >= 500 || status === 0 ? count : 0),
      0,
    );
    return {
      trials: pending,
      losses,
      figures: `${pending} migrations from ${OLD_VERSION}; replies ${seen}`,
      isMet: losses === 0,
    };
  },
};

/** The files of the old version, with the packages of this one. */
async function checkOutOld(folder: string): Promise<string> {
  const checkout = join(folder, 'old');
  await mkdir(checkout);
  const archive = execFileSync('git', ['archive', OLD_VERSION, 'src', 'package.json', 'scripts'], {
    maxBuffer: 2 ** 30,
  });
  execFileSync('tar', ['x', '-C', checkout], { input: archive });
  await symlink(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'));
  return checkout;
}
