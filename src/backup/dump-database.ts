import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { ArchiveWriter, BackupHeader, BackupManifest } from './archive.ts';

/** The migrations are in the header of a backup. */
const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'];
/** Tables about an object store, whose objects are not part of a backup. */
const STORE_TABLES = ['project_files', 'repositories', 'repository_packs'];

/** Working branches as the snapshot has them. */
export interface BranchHead {
  project_id: string;
  name: string;
  head: string;
}

/** A transaction that sees one moment of the database. */
interface Snapshot {
  client: pg.Client;
  header: Pick<BackupHeader, 'postgres' | 'migrations' | 'tables'>;
  projects: string[];
  branches: BranchHead[];
}

/** Begins a snapshot, which ends with the connection or by `commit`. `withStore` includes the tables about an object store. */
export async function openSnapshot(
  client: pg.Client,
  { withStore = false }: { withStore?: boolean } = {},
): Promise<Snapshot> {
  await client.query('begin isolation level repeatable read, read only');
  const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await client.query<T>(text, values)).rows;
  const [server] = await rows<{ version: string }>("select current_setting('server_version') as version");
  const migrations = await rows<{ name: string }>('select name from kysely_migration order by name');
  const tables = await rows<{ name: string; columns: string[] }>(TABLES, [
    withStore ? MIGRATION_TABLES : [...MIGRATION_TABLES, ...STORE_TABLES],
  ]);
  const projects = await rows<{ id: string }>('select id from projects order by id');
  const branches = await rows<BranchHead>('select project_id, name, head from branches order by 1, 2');
  return {
    client,
    header: { postgres: server!.version, migrations: migrations.map((row) => row.name), tables },
    projects: projects.map(({ id }) => id),
    branches,
  };
}

/** Tables with their columns; generated ones are computed again. */
const TABLES = `
  select c.relname as name, json_agg(a.attname order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all ($1)
     and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   group by c.relname order by c.relname`;

/** Writes the rows of all tables, the sequences and the unfinished jobs. */
export async function dumpDatabase(
  { client, header }: Snapshot,
  archive: ArchiveWriter,
): Promise<Pick<BackupManifest, 'rows' | 'jobs'>> {
  const rows: Record<string, number> = {};
  for (const { name, columns } of header.tables) {
    const stream = client.query(copyTo(`copy ${tableWithColumns(client, name, columns)} to stdout`));
    await archive.addStream(`database/${name}`, stream);
    rows[name] = stream.rowCount;
  }
  const sequences = await client.query(SEQUENCES);
  await archive.add('sequences.json', sequences.rows);
  return { rows, jobs: await dumpJobs(client, archive) };
}

/** Sequences count on after a rollback as well, so their values are never lower than the snapshot's. */
const SEQUENCES = `
  select sequencename as name, last_value::text as value from pg_sequences
   where schemaname = 'public' and last_value is not null order by sequencename`;

/** Jobs that have not ended, with the seconds until they begin. Running ones run again: every job can run twice. */
async function dumpJobs(client: pg.Client, archive: ArchiveWriter): Promise<number> {
  const { rows: found } = await client.query("select to_regclass('pgboss.job') is not null as exists");
  if (!found[0].exists) return 0;
  const text = `copy (
    select json_build_object('name', name, 'data', data, 'key', singleton_key, 'group', group_id, 'priority', priority, 'retries', retry_limit,
                             'delay_s', greatest(0, ceil(extract(epoch from start_after - now()))))
      from pgboss.job where state < 'completed' and name !~ '^__pgboss|[.]dead$' order by created_on
    ) to stdout`;
  const stream = client.query(copyTo(text));
  await archive.addStream('jobs', stream);
  return stream.rowCount;
}

/** Name of a table with its columns, quoted. */
export function tableWithColumns(client: pg.Client, name: string, columns: readonly string[]): string {
  return `public.${client.escapeIdentifier(name)} (${columns.map((one) => client.escapeIdentifier(one)).join(', ')})`;
}
