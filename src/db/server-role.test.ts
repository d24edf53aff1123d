import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from './connect.ts';
import { PASSWORD_FILE, startEmbedded } from './embedded.ts';
import { createJobs } from './job-queue.ts';
import { migrate } from './migrate.ts';
import { findPrograms } from './postgres-programs.ts';

const log = pino({ level: 'silent' });

async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-role-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start(dataDir: string) {
  const embedded = await startEmbedded({ dataDir, log });
  onTestFinished(embedded.stop);
  return embedded;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const { pool, close } = connect(url);
  try {
    return (await pool.query(text)).rows;
  } finally {
    await close();
  }
}

/** Makes a cluster as the program did before it had a role of its own, and returns a URL for its superuser. */
async function startEarlierVersion(dataDir: string) {
  const cluster = join(dataDir, 'postgres');
  const programs = await findPrograms(cluster);
  await mkdir(cluster, { mode: 0o700 });
  const initdb = [...programs.prefix('KILL'), programs.initdb, '-D', cluster, '--no-sync'];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const [program = '', ...args] = [...initdb, ...locale, '--username=hindsight', '--auth=trust'];
  expect(spawnSync(program, args, { cwd: '/', stdio: 'ignore' }).status).toBe(0);
  const [postgres = '', ...flags] = [...programs.prefix('INT'), programs.postgres, '-D', cluster];
  const server = spawn(postgres, [...flags, '-c', 'listen_addresses=', '-k', dataDir], { stdio: 'ignore' });
  const ready = async () => (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).includes('ready');
  await expect.poll(() => ready().catch(() => false)).toBe(true);
  return {
    url: `postgres://hindsight@/postgres?host=${encodeURIComponent(dataDir)}`,
    stop: async () => {
      server.kill('SIGINT');
      await once(server, 'exit');
    },
  };
}

const TEST_JOB = { name: 'test', concurrency: 1, retryLimit: 1, singletonKey: () => null };

/** Stores rows as an earlier version did; returns those that must be there later. */
async function fill(url: string): Promise<void> {
  const { db, pool, close } = connect(url);
  await migrate(db);
  await pool.query(`insert into users (id, username, email, password_hash, role)
    values ('0190a0a0-0000-7000-8000-000000000001', 'ada', 'ada@example.org', 'x', 'user')`);
  await pool.query('create table counted (id serial primary key, kept text)');
  await pool.query("insert into counted (kept) values ('before')");
  await close();
  const jobs = createJobs({ databaseUrl: url, log });
  jobs.define({ ...TEST_JOB, run: async () => {} });
  await jobs.start({ work: false });
  await jobs.send('test', { number: 7 });
  await jobs.stop();
}

function passwordIn(url: string): string | undefined {
  return /:\/\/hindsight_server:([\w-]{43})@/.exec(url)?.[1];
}

const FOREIGN_OBJECTS = `
  select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname in ('public', 'pgboss') and pg_get_userbyid(c.relowner) <> current_user
  union all
  select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where n.nspname in ('public', 'pgboss') and pg_get_userbyid(p.proowner) <> current_user
  union all
  select t.oid::regtype::text from pg_type t join pg_namespace n on n.oid = t.typnamespace
   where n.nspname in ('public', 'pgboss') and pg_get_userbyid(t.typowner) <> current_user
  union all
  select nspname from pg_namespace where nspname = 'pgboss' and pg_get_userbyid(nspowner) <> current_user`;

async function expectLimitedRole(url: string): Promise<void> {
  const [role] = await query(url, 'select * from pg_roles where rolname = current_user');
  expect(role).toMatchObject({
    rolname: 'hindsight_server',
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    rolbypassrls: false,
  });
  const forbidden = [
    "copy (select 1) to program 'true'",
    "create table stolen (line text); copy stolen from program 'id'",
    "copy (select 1) to '/tmp/hindsight-written'",
    "select pg_read_file('postgresql.conf')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/passwd')",
    "alter system set fsync = 'off'",
    'alter role hindsight login',
    'set role hindsight',
    "create function f() returns int language c as 'libc', 'system'",
  ];
  for (const statement of forbidden) {
    await expect(query(url, statement), statement).rejects.toThrow(/permission denied|must be|untrusted/i);
  }
}

test('the program connects by password as a role without any right over the cluster', async () => {
  const dataDir = await makeDataDir();
  const { url } = await start(dataDir);
  await expectLimitedRole(url);
  expect((await stat(join(dataDir, PASSWORD_FILE))).mode & 0o777).toBe(0o600);
  const rules = await readFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8');
  expect(rules.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'local all hindsight_server scram-sha-256',
  ]);
  const sockets = new URLSearchParams(url.split('?')[1]).get('host')!;
  const others = ['hindsight', 'hindsight_server', 'postgres', 'nobody'];
  for (const user of others) {
    const client = new pg.Client({ host: sockets, user, password: 'guess', database: 'postgres' });
    await expect(client.connect(), user).rejects.toThrow(
      /password authentication failed|no pg_hba.conf entry/,
    );
  }
  const { db, close } = connect(url);
  await migrate(db).finally(close);
});

test('a cluster of an earlier version is taken over with everything in it', async () => {
  const dataDir = await makeDataDir();
  const earlier = await startEarlierVersion(dataDir);
  await fill(earlier.url);
  await earlier.stop();
  for (const round of ['first', 'second']) {
    const { url, stop } = await startEmbedded({ dataDir, log });
    try {
      expect(await query(url, 'select username from users'), round).toEqual([{ username: 'ada' }]);
      expect(await query(url, "select data from pgboss.job where name = 'test'")).toEqual([
        { data: { number: 7 } },
      ]);
      expect(await query(url, FOREIGN_OBJECTS)).toEqual([]);
      await query(url, `insert into counted (kept) values ('${round}')`);
      await query(url, 'alter table users add column added text; alter table users drop column added');
      await expectLimitedRole(url);
      const done: unknown[] = [];
      const jobs = createJobs({ databaseUrl: url, log });
      jobs.define({
        ...TEST_JOB,
        run: async (data) => {
          done.push(data);
        },
      });
      await jobs.start({ work: round === 'second' });
      if (round === 'second') await expect.poll(() => done).toEqual([{ number: 7 }]);
      await jobs.stop();
    } finally {
      await stop();
    }
  }
  const { url } = await start(dataDir);
  expect(await query(url, 'select id, kept from counted order by id')).toEqual([
    { id: 1, kept: 'before' },
    { id: 2, kept: 'first' },
    { id: 3, kept: 'second' },
  ]);
});

test('a set-up that was killed halfway is done again', async () => {
  const dataDir = await makeDataDir();
  const earlier = await startEarlierVersion(dataDir);
  await fill(earlier.url);
  await earlier.stop();
  const rules = join(dataDir, 'postgres', 'pg_hba.conf');
  const old = await readFile(rules);
  await (await startEmbedded({ dataDir, log })).stop();
  // The role is there, the rules are not: as if the power had failed between the two.
  await writeFile(rules, old);
  const { url } = await start(dataDir);
  expect(await query(url, 'select username from users')).toEqual([{ username: 'ada' }]);
  await expectLimitedRole(url);
});

test('a cluster that is restored without its password gets a new one', async () => {
  const dataDir = await makeDataDir();
  const first = await startEmbedded({ dataDir, log });
  await query(first.url, 'create table kept as select 7 as number');
  await first.stop();
  await rm(join(dataDir, PASSWORD_FILE));
  const { url } = await start(dataDir);
  expect(passwordIn(url)).not.toBe(passwordIn(first.url));
  expect(await query(url, 'select number from kept')).toEqual([{ number: 7 }]);
});

test('nothing follows a link that lies where the start writes', async () => {
  const dataDir = await makeDataDir();
  const victim = join(await makeDataDir(), 'victim');
  await appendFile(victim, 'as it was', { mode: 0o600 });
  await (await startEmbedded({ dataDir, log })).stop();
  const rules = join(dataDir, 'postgres', 'pg_hba.conf');
  for (const path of [rules, `${rules}.new`, `${join(dataDir, 'postgres')}.new`]) {
    await rm(path, { force: true });
    await symlink(victim, path);
  }
  const before = await stat(victim);
  const { url } = await start(dataDir);
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  const after = await stat(victim);
  expect([after.uid, after.mode, after.size]).toEqual([before.uid, before.mode, before.size]);
});
