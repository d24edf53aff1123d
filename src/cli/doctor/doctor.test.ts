import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#config.ts';
import { testDatabase } from '#db/testing.ts';
import { createBox } from '#secrets/box.ts';
import { loadSecretKeys } from '#secrets/keys.ts';
import { runExamination } from './check.ts';
import { dataChecks } from './data-checks.ts';
import { machineChecks } from './machine-checks.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-doctor-'));
const config = readConfig({ DATA_DIR: dataDir });

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function examine(name: string) {
  const found = [...machineChecks(config), ...dataChecks(config, database.db)].find(
    (one) => one.name === name,
  );
  return await runExamination(found!, '');
}

/** Runs the command as a process, whose settings are its environment. */
function runDoctor(env: Record<string, string>, args: string[] = []) {
  const cli = join(import.meta.dirname, '../../cli.ts');
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const options = { env: { PATH: path, ...env }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [cli, 'doctor', ...args], options);
}

test('an encrypted text of another key is a failure', async () => {
  const keys = loadSecretKeys(config);
  const store = async (secret: string[]) =>
    await sql`insert into users (id, email, username, role, totp_secret)
      values ('u', 'u@example.org', 'u', 'user', ${createBox(secret, 'totp').seal('x', 'u')})
      on conflict (id) do update set totp_secret = excluded.totp_secret`.execute(database.db);
  await store(keys);
  expect(await examine('keys')).toMatchObject({ state: 'ok' });
  await store(['a key that is not known here']);
  expect(await examine('keys')).toMatchObject({
    state: 'failure',
    advice: expect.stringContaining('new,old'),
  });
});

test('pending migrations are a warning, unknown ones a failure', async () => {
  expect(await examine('migrations')).toMatchObject({ state: 'ok' });
  await sql`delete from kysely_migration where name = '0001-first'`.execute(database.db);
  expect(await examine('migrations')).toMatchObject({ state: 'warning' });
  await sql`insert into kysely_migration (name, timestamp) values ('0001-first', ''), ('9999-later', '')`.execute(
    database.db,
  );
  expect(await examine('migrations')).toMatchObject({
    state: 'failure',
    text: expect.stringContaining('9999-later'),
  });
});

test('entries from the future show that the clock was set back', async () => {
  expect(await examine('clock')).toMatchObject({ state: 'ok' });
  await sql`insert into audit_events (id, event, detail, created_at)
    values ('e', 'login', '{}', now() + interval '1 hour')`.execute(database.db);
  expect(await examine('clock')).toMatchObject({ state: 'warning' });
});

test('a project without its repository is a failure', async () => {
  await sql`insert into projects (id, name, git_url, status, indexed_commit)
    values ('p', 'shop', 'https://example.org/shop', 'ready', 'abc')`.execute(database.db);
  expect(await examine('repositories')).toMatchObject({
    state: 'failure',
    text: expect.stringContaining('shop'),
  });
});

test('a data folder that others may read is a warning', async () => {
  expect(await examine('permissions')).toMatchObject({ state: 'ok' });
  await chmod(dataDir, 0o755);
  expect(await examine('permissions')).toMatchObject({
    state: 'warning',
    advice: `Run: chmod go-rwx ${dataDir}`,
  });
});

test('the exit code is 0 with warnings and 1 with a failure, and JSON has all findings', () => {
  const fresh = runDoctor({ DATA_DIR: join(dataDir, 'none'), PORT: '1' });
  expect(fresh.stdout).toContain('No mail server');
  expect(fresh.status, fresh.stdout + fresh.stderr).toBe(0);
  const env = { DATA_DIR: join(dataDir, 'none'), SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.org' };
  const failed = runDoctor(env, ['--json']);
  expect(failed.status).toBe(1);
  const { ok, checks } = JSON.parse(failed.stdout);
  expect(ok).toBe(false);
  expect(checks).toContainEqual(expect.objectContaining({ name: 'mail', state: 'failure' }));
  expect(checks.map(({ name }: { name: string }) => name)).toContain('sandbox');
});
