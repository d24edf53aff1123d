import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choosePostgresUser, giveFolder, PROGRAM_ENV } from './postgres-user.ts';

const PLACES = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];

/** The program, or null where it is not installed. */
export const PGBOUNCER = PLACES.find((path) => existsSync(path)) ?? null;

/** A pooler in front of a database. */
interface PgBouncer {
  url: string;
  close(): Promise<void>;
}

/** Starts PgBouncer in front of an embedded PostgreSQL, as the manual says, with few connections to it. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'transaction' | 'session',
  poolSize = 4,
): Promise<PgBouncer> {
  const { username, password, pathname, searchParams } = new URL(databaseUrl.replace('@/', '@localhost/'));
  const database = pathname.slice(1);
  const folder = await mkdtemp('/tmp/hindsight-pooler-');
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${username}" "${password}"\n`);
  const settings = [
    '[databases]',
    `${database} = host=${searchParams.get('host')} dbname=${database} user=${username} password=${password}`,
    '[pgbouncer]',
    ...['listen_addr =', `unix_socket_dir = ${folder}`, 'listen_port = 6432'],
    ...['auth_type = scram-sha-256', `auth_file = ${users}`, `pool_mode = ${mode}`],
    ...[`default_pool_size = ${poolSize}`, 'max_client_conn = 200'],
    'ignore_startup_parameters = statement_timeout',
  ];
  await writeFile(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  const user = choosePostgresUser(folder);
  for (const name of ['users.txt', 'pgbouncer.ini']) await chmod(join(folder, name), 0o644);
  await giveFolder(folder, user.uid);
  const [program = '', ...args] = [...user.become(), PGBOUNCER!, join(folder, 'pgbouncer.ini')];
  const child = spawn(program, args, { env: PROGRAM_ENV, stdio: 'ignore' });
  await untilListening(child, join(folder, '.s.PGSQL.6432'));
  return {
    url: `postgres://${username}:${password}@/${database}?host=${encodeURIComponent(folder)}&port=6432`,
    async close() {
      const closed = once(child, 'close');
      if (child.kill('SIGTERM')) await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(child: ChildProcess, path: string): Promise<void> {
  while (child.exitCode === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(path, () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`PgBouncer ended with ${child.exitCode}.`);
}
