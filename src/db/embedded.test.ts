import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { connect, isDatabaseUnavailable } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { findPrograms } from './postgres-programs.ts';

// One folder for all tests, which follow each other: making a cluster is what takes long.
const folder = await mkdtemp(join(tmpdir(), 'hindsight-embedded-'));
const dataDir = join(folder, 'data');
const log = pino({ level: 'silent' });
afterAll(() => rm(folder, { recursive: true }));

async function start() {
  const embedded = await startEmbedded({ dataDir, log });
  onTestFinished(embedded.stop);
  return embedded;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const { pool, close } = connect(url);
  try {
    return (await pool.query(text)).rows;
  } finally {
    await close();
  }
}

async function postmaster(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('it serves over a socket that only its owner reaches, with UTF-8 and no port', async () => {
  const { url } = await start();
  const [row] = await query(
    url,
    `select pg_encoding_to_char(encoding) as encoding, datlocprovider, datlocale,
            current_setting('listen_addresses') as tcp, current_setting('fsync') as fsync, upper('é') as upper
       from pg_database where datname = current_database()`,
  );
  expect(row).toEqual({
    encoding: 'UTF8',
    datlocprovider: 'b',
    datlocale: 'C.UTF-8',
    tcp: '',
    fsync: 'on',
    upper: 'É',
  });
  const sockets = new URLSearchParams(url.split('?')[1]).get('host') ?? '';
  expect((await stat(sockets)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, 'postgres.lock'))).mode & 0o777).toBe(0o600);
});

test('a second start on the same folder is refused in words', async () => {
  const { url } = await start();
  await expect(startEmbedded({ dataDir, log })).rejects.toThrow(`already running on ${dataDir}/postgres`);
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('what was written is there after a stop', async () => {
  const first = await startEmbedded({ dataDir, log });
  await query(first.url, 'create table stopped as select 7 as number');
  await first.stop();
  const second = await start();
  expect(await query(second.url, 'select number from stopped')).toEqual([{ number: 7 }]);
});

test('after kill -9 of the program the next start works and nothing acknowledged is lost', async () => {
  const program = fork(join(import.meta.dirname, 'testing-server.ts'), [dataDir], { execArgv: [] });
  const [{ url }] = (await once(program, 'message')) as [{ url: string }];
  await query(url, 'create table killed as select 7 as number');
  program.kill('SIGKILL');
  await once(program, 'exit');
  const next = await start();
  expect(await query(next.url, 'select number from killed')).toEqual([{ number: 7 }]);
});

test('an orphan of this folder is stopped, not adopted', async () => {
  const first = await startEmbedded({ dataDir, log });
  await first.stop();
  const programs = await findPrograms(join(dataDir, 'postgres'));
  const prefix = programs.prefix('INT');
  // Without the wish to die with its parent.
  const [command = '', ...args] = [
    ...prefix.slice(0, Math.max(0, prefix.lastIndexOf('setpriv'))),
    programs.postgres,
  ];
  spawn(command, [...args, '-D', join(dataDir, 'postgres'), '-c', 'listen_addresses=', '-k', folder], {
    stdio: 'ignore',
    cwd: '/',
  });
  await expect.poll(() => postmaster().catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(0);
  const orphan = await postmaster();
  const { url } = await start();
  await expect.poll(() => isAlive(orphan)).toBe(false);
  expect(await postmaster()).not.toBe(orphan);
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a reused process ID is left alone', async () => {
  const first = await startEmbedded({ dataDir, log });
  await first.stop();
  const bystander = spawn('sleep', ['60']);
  onTestFinished(() => void bystander.kill());
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${bystander.pid}\n${dataDir}/postgres\n`);
  const { url } = await start();
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(bystander.signalCode).toBeNull();
});

test('a killed server is started again under the same address', async () => {
  const { url } = await start();
  const connection = connect(url);
  onTestFinished(connection.close);
  const killed = await postmaster();
  // Another process with this working directory, and a backend too busy to notice.
  const bystander = spawn('sleep', ['60'], { cwd: join(dataDir, 'postgres') });
  onTestFinished(() => void bystander.kill());
  const busy = connect(url);
  onTestFinished(busy.close);
  void busy.pool.query('do $$ begin loop end loop; end $$').catch(() => {});
  await expect
    .poll(async () => (await query(url, "select 1 from pg_stat_activity where query like 'do %'")).length)
    .toBe(1);
  process.kill(killed, 'SIGKILL');
  const errors: unknown[] = [];
  const ask = () =>
    connection.pool.query('select 1').then(
      () => true,
      (error) => errors.push(error) === 0,
    );
  await expect.poll(async () => (await ask()) && (await postmaster()), { timeout: 60_000 }).not.toBe(killed);
  await expect.poll(ask, { timeout: 60_000 }).toBe(true);
  expect(errors.filter((error) => !isDatabaseUnavailable(error))).toEqual([]);
  expect(bystander.signalCode).toBeNull();
});

test('a stop that comes while a killed server is being started again ends the new one', async () => {
  const embedded = await startEmbedded({ dataDir, log });
  const killed = await postmaster();
  process.kill(killed, 'SIGKILL');
  await expect
    .poll(() => postmaster().catch(() => killed), { timeout: 60_000, interval: 1 })
    .not.toBe(killed);
  await embedded.stop();
  await expect.poll(() => postmaster().catch(() => 0)).toBe(0);
});
