import { once } from 'node:events';
import pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { connect } from '#db/connect.ts';
import { restoreJobs, type StoredJob } from '#db/job-queue.ts';
import { MIGRATIONS, migrate } from '#db/migrate.ts';
import type { BackupHeader, BackupManifest } from './archive.ts';
import { tableWithColumns } from './dump-database.ts';
import { backupDamaged } from './tar.ts';

const TIMEOUT_MS = 24 * 3600_000;

const sequences = z.array(z.object({ name: z.string(), value: z.string().regex(/^\d+$/) }));
const storedJob = z.object({
  name: z.string().min(1).max(200),
  data: z.record(z.string(), z.unknown()).nullable(),
  key: z.string().nullable(),
  group: z.string().nullable(),
  priority: z.number().int(),
  retries: z.number().int().min(0),
  delay_s: z.number().min(0),
});

/** Rows of a backup on their way into an empty database. Nothing is visible before `finish`. */
export interface DatabaseLoad {
  /** Begins the rows of a table, or goes on with those of the same one. */
  beginTable(table: string): Promise<void>;
  /** Adds a part of the rows of the table that was begun. */
  addRows(chunk: Buffer): Promise<void>;
  setSequences(content: Buffer): Promise<void>;
  addJobs(chunk: Buffer): Promise<void>;
  /** Ends the last table and checks every reference; further rows are refused. */
  checkReferences(): Promise<void>;
  /** Compares the numbers of rows, commits, and brings the schema up to date. */
  finish(expected: Pick<BackupManifest, 'rows' | 'jobs'>): Promise<void>;
  close(): Promise<void>;
}

/** Creates the schema that a backup has in an empty database, and begins to load it. Throws `conflict` for one that is not empty. */
export async function beginLoad(url: string, header: BackupHeader): Promise<DatabaseLoad> {
  await createSchema(url, header);
  const client = new pg.Client({ connectionString: url, application_name: 'hindsight-restore' });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  const constraints = await dropForeignKeys(client);
  const names = header.tables.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  // Migrations create rows, such as settings.
  await client.query(`truncate ${names}`);
  return createLoad({ url, client, header, constraints });
}

async function createSchema(url: string, { migrations }: BackupHeader): Promise<void> {
  const unknown = migrations.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined)
    throw new AppError('conflict', 'backup_newer', {
      params: { migration: unknown },
      reason: 'newer_backup',
    });
  const { db, pool, close } = connect(url, { timeoutMs: TIMEOUT_MS });
  try {
    const { rows } = await pool.query(
      "select count(*)::int as count from pg_tables where schemaname in ('public', 'pgboss')",
    );
    if (rows[0].count > 0)
      throw new AppError('conflict', 'restore_database_not_empty', { reason: 'not_empty' });
    await migrate(db, Object.fromEntries(migrations.map((name) => [name, MIGRATIONS[name]!])));
  } finally {
    await close();
  }
}

interface TableReferences {
  table: string;
  names: string[];
  definitions: string[];
}

/** Drops the references between tables, so that these are loaded in any order. Adding them again checks every row. */
async function dropForeignKeys(client: pg.Client): Promise<TableReferences[]> {
  const { rows } = await client.query<TableReferences>(`
    select conrelid::regclass::text as table, json_agg(conname) as names, json_agg(pg_get_constraintdef(oid)) as definitions
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace group by 1 order by 1`);
  await client.query(
    alterTables(rows, ({ names }) => names.map((name) => `drop constraint ${client.escapeIdentifier(name)}`)),
  );
  return rows;
}

/** One statement for each table with all its changes. */
function alterTables(tables: TableReferences[], changes: (table: TableReferences) => string[]): string {
  return tables.map((table) => `alter table ${table.table} ${changes(table).join(', ')}`).join(';\n');
}

function createLoad(options: {
  url: string;
  client: pg.Client;
  header: BackupHeader;
  constraints: TableReferences[];
}): DatabaseLoad {
  const { url, client, header, constraints } = options;
  const columns = new Map(header.tables.map((table) => [table.name, table.columns]));
  const rows: Record<string, number> = {};
  const jobs: StoredJob[] = [];
  let jobText = '';
  let current: { table: string; stream: CopyStreamQuery } | null = null;
  const endTable = async () => {
    if (current === null) return;
    const { table, stream } = current;
    current = null;
    stream.end();
    await once(stream, 'finish');
    rows[table] = stream.rowCount;
  };
  return {
    async beginTable(table) {
      if (current?.table === table) return;
      await endTable();
      const names = columns.get(table);
      if (!names || table in rows) throw backupDamaged();
      const stream = client.query(copyFrom(`copy ${tableWithColumns(client, table, names)} from stdin`));
      // Told by the next write, or by the end.
      stream.on('error', () => {});
      current = { table, stream };
    },
    async addRows(chunk) {
      if (current === null) throw backupDamaged();
      await write(current.stream, chunk);
    },
    async setSequences(content) {
      await endTable();
      for (const { name, value } of sequences.parse(JSON.parse(content.toString())))
        await client.query('select setval($1::regclass, $2)', [
          `public.${client.escapeIdentifier(name)}`,
          value,
        ]);
    },
    async addJobs(chunk) {
      jobText += chunk.toString('latin1');
      const lines = jobText.split('\n');
      jobText = lines.pop()!;
      for (const line of lines) jobs.push(parseJob(line));
    },
    async checkReferences() {
      await endTable();
      const add = (name: string, definition: string) =>
        `add constraint ${client.escapeIdentifier(name)} ${definition}`;
      await client.query(
        alterTables(constraints, ({ names, definitions }) =>
          names.map((name, index) => add(name, definitions[index]!)),
        ),
      );
      await client.query('analyze');
    },
    async finish(expected) {
      const wrong = Object.keys(expected.rows).find((table) => rows[table] !== expected.rows[table]);
      if (wrong !== undefined || jobs.length !== expected.jobs) throw backupDamaged();
      await client.query('commit');
      await bringUpToDate(url);
      // Without jobs, the server creates the tables of the queue when it starts.
      if (jobs.length > 0) await restoreJobs(url, jobs);
    },
    close: async () => await client.end().catch(() => {}),
  };
}

/** Writes to a stream of rows; rejects with the error of PostgreSQL. */
async function write(stream: CopyStreamQuery, chunk: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.once('error', reject);
    stream.write(chunk, (error) => {
      stream.off('error', reject);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Parses a line of `copy`, in which backslashes are doubled. */
function parseJob(line: string): StoredJob {
  const text = Buffer.from(line, 'latin1').toString();
  return storedJob.parse(JSON.parse(text.replaceAll('\\\\', '\\')));
}

async function bringUpToDate(url: string): Promise<void> {
  const { db, close } = connect(url, { timeoutMs: TIMEOUT_MS });
  await migrate(db).finally(close);
}
