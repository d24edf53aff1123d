import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Config } from '#config.ts';
import { MIGRATIONS } from '#db/migrate.ts';
import type { Database } from '#db/schema.ts';
import { isSealedByKnownKey } from '#secrets/box.ts';
import { loadSecretKeys } from '#secrets/keys.ts';
import { type Examination, type Finding, failure, ok, warning } from './check.ts';

/** Connections of one server: its pools, the queue and the notifier. */
const CONNECTIONS = 48;
const MAX_CLOCK_DIFFERENCE_MS = 5_000;
/** Older programs cannot be tested: the embedded one is newer. */
const MIN_POSTGRES = 15;
const MAX_EXAMINED_ROWS = 1000;

/** Examinations of an open database, and of what the secret key can read in it. */
export function dataChecks(config: Config, db: Kysely<Database>): Examination[] {
  return [
    { name: 'postgresql', run: () => checkVersion(db) },
    { name: 'migrations', run: () => checkMigrations(db) },
    { name: 'clock', run: () => checkClock(db) },
    { name: 'keys', run: () => checkKeys(config, db) },
    { name: 'repositories', run: () => checkRepositories(config, db) },
  ];
}

async function checkVersion(db: Kysely<Database>): Promise<Finding> {
  const { rows } = await sql<{ version: string; connections: number; fsync: string }>`
    select current_setting('server_version') as version, current_setting('max_connections')::int as connections,
           current_setting('fsync') as fsync`.execute(db);
  const { version, connections, fsync } = rows[0]!;
  const text = `PostgreSQL ${version}, ${connections} connections`;
  if (Number.parseInt(version, 10) < MIN_POSTGRES)
    return failure(text, `Upgrade it to PostgreSQL ${MIN_POSTGRES} or newer.`);
  if (fsync !== 'on')
    return failure(`${text}, fsync off`, 'Turn fsync on: a power failure destroys the database otherwise.');
  if (connections < CONNECTIONS)
    return warning(text, `Raise max_connections: each server uses up to ${CONNECTIONS}.`);
  return ok(text);
}

async function checkMigrations(db: Kysely<Database>): Promise<Finding> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  const newer = [...applied].find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (newer !== undefined)
    return failure(
      `A newer Hindsight has changed the database (${newer})`,
      'Start that version, or restore an older backup.',
    );
  const pending = Object.keys(MIGRATIONS).filter((name) => !applied.has(name));
  if (pending.length === 0) return ok(`${applied.size} migrations, up to date`);
  return warning(
    `${pending.length} migrations are pending`,
    'Make a backup, then run `hindsight migrate` or start the server.',
  );
}

/** Leases and expiry times are compared with both clocks. */
async function checkClock(db: Kysely<Database>): Promise<Finding> {
  const before = Date.now();
  const { rows } = await sql<{ now: Date; newest: Date | null }>`
    select clock_timestamp() as now, (select max(created_at) from audit_events) as newest`.execute(db);
  const { now, newest } = rows[0]!;
  const difference = Math.round(now.getTime() - (before + Date.now()) / 2);
  const advice = 'Synchronize the clocks by NTP, for example with systemd-timesyncd or chrony.';
  if (Math.abs(difference) > MAX_CLOCK_DIFFERENCE_MS)
    return failure(
      `The clock of the database differs by ${(difference / 1000).toFixed(1)} s from this machine’s`,
      advice,
    );
  if (newest !== null && newest.getTime() > Date.now() + MAX_CLOCK_DIFFERENCE_MS)
    return warning(
      `The database has entries from the future (${newest.toISOString()}): the clock was set back`,
      advice,
    );
  return ok('The clocks of the database and of this machine agree');
}

async function checkKeys(config: Config, db: Kysely<Database>): Promise<Finding> {
  const file = join(config.dataDir, 'secret-key');
  if (
    config.secretKey === null &&
    (await access(file).then(
      () => false,
      () => true,
    ))
  )
    return warning(
      `${file} is missing`,
      'Put the key of this installation there before the server starts; it makes a new one otherwise.',
    );
  const keys = loadSecretKeys(config);
  const credentials = await db.selectFrom('credentials').select('sealed').limit(MAX_EXAMINED_ROWS).execute();
  const totp = await db
    .selectFrom('users')
    .select('totp_secret')
    .where('totp_secret', 'is not', null)
    .limit(MAX_EXAMINED_ROWS)
    .execute();
  const unreadable =
    credentials.filter(({ sealed }) => !isSealedByKnownKey(keys, 'credentials', sealed)).length +
    totp.filter(({ totp_secret }) => !isSealedByKnownKey(keys, 'totp', totp_secret!)).length;
  const source = config.secretKey === null ? file : 'SECRET_KEY';
  if (unreadable === 0) return ok(`${source} opens what is encrypted`);
  return failure(
    `${unreadable} credentials or two-factor keys were encrypted with another key than ${source}`,
    'Restore the old key, or add it to SECRET_KEY after the new one: new,old.',
  );
}

async function checkRepositories({ dataDir, objectStore }: Config, db: Kysely<Database>): Promise<Finding> {
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('indexed_commit', 'is not', null)
    .execute();
  const missing = [];
  for (const { id, name } of projects) {
    const isThere = await access(join(dataDir, 'projects', id, 'repo.git')).then(
      () => true,
      () => false,
    );
    if (!isThere) missing.push(name);
  }
  if (missing.length === 0 || objectStore !== null)
    return ok(`${projects.length} indexed projects have their repository`);
  return failure(
    `${missing.length} projects lack their repository: ${missing.slice(0, 3).join(', ')}`,
    'Check that DATA_DIR is the folder of this database. A refresh clones upstream again; branches saved here are in a backup only.',
  );
}
