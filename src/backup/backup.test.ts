import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createJobs } from '#db/job-queue.ts';
import { migrate } from '#db/migrate.ts';
import { testDatabase } from '#db/testing.ts';
import { OLD_ROWS, restoreOldDatabase } from '#db/testing-restore.ts';
import { git } from '#git/run.ts';
import { buildRepository } from '#git/testing.ts';
import { createFolderStore } from '#storage/folder-store.ts';
import { openBackupSource, openBackupTarget } from './backup-place.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const folder = await mkdtemp(join(tmpdir(), 'hindsight-backup-'));
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const OWNER = String(OLD_ROWS.users![0]!.id);
const FIRST = String(OLD_ROWS.projects![0]!.id);
const BRANCH = 'hindsight/ada';
const REMINDER = { name: 'reminder', concurrency: 1, retryLimit: 3, singletonKey: () => null };

async function openDatabase() {
  const database = await testDatabase();
  onTestFinished(database.close);
  return database;
}

async function emptyDatabase() {
  const database = await openDatabase();
  await database.pool.query('drop schema public cascade; create schema public');
  return database;
}

/** All rows by table but those that a backup leaves out. */
async function readRows(pool: pg.Pool): Promise<Record<string, unknown>> {
  const left = '^(kysely_.*|project_files|repositor.*)$';
  const { rows } = await pool.query(
    "select tablename from pg_tables where schemaname = 'public' and tablename !~ $1 order by 1",
    [left],
  );
  const found: Record<string, unknown> = {};
  for (const { tablename } of rows) {
    const text = `select to_jsonb(t) as row from public.${tablename} t order by to_jsonb(t)::text`;
    found[tablename] = (await pool.query(text)).rows;
  }
  return found;
}

const run = async (repo: string, args: string[], input = '') =>
  (await git(repo, args, { name: args[0]!, input })).stdout.toString().trim();

/** A commit of loose objects. */
async function commitLoosely(repo: string, parent: string, text: string): Promise<string> {
  const blob = await run(repo, ['hash-object', '-w', '--stdin'], text);
  const tree = await run(repo, ['mktree'], `100644 blob ${blob}\tsaved.txt\n`);
  const person = 'Ada <ada@example.org> 1700000000 +0000';
  const commit = `tree ${tree}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n\n${text}\n`;
  return await run(repo, ['hash-object', '-t', 'commit', '-w', '--stdin'], commit);
}

/** An upstream repository as an import leaves it, with packed objects, a tag and no branch of its own. */
async function buildUpstream(): Promise<string> {
  const built = await buildRepository(async (repo) => {
    for (let index = 0; index < 5; index++)
      await repo.commit({ files: { [`src/${index}.ts`]: `export const value = ${index};\n`.repeat(50) } });
    await repo.tag('v1');
  });
  onTestFinished(() => built.remove());
  const head = await built.head();
  await run(built.path, ['update-ref', 'refs/remotes/origin/main', head]);
  await run(built.path, ['symbolic-ref', 'HEAD', 'refs/remotes/origin/main']);
  await run(built.path, ['update-ref', '-d', 'refs/heads/main']);
  await run(built.path, ['repack', '-adq']);
  return built.path;
}

/** Ten projects; the branch of each stands one commit past the row of the database, as in a save that follows the snapshot. */
async function buildWorld(dataDir: string, { db, pool, url }: Awaited<ReturnType<typeof openDatabase>>) {
  await restoreOldDatabase(db);
  await migrate(db);
  const upstream = await buildUpstream();
  const projects = [FIRST, ...Array.from({ length: 9 }, (_, index) => `project-${index}`)];
  const heads = new Map<string, string>();
  await pool.query('delete from branches');
  for (const id of projects) {
    if (id !== FIRST)
      await pool.query(
        `insert into projects (id, name, git_url, status, description) values ($1, $1, 'https://example.org/a', 'ready', $2)`,
        [id, 'tab\t, newline\n, backslash \\ and ünïcode'],
      );
    const repo = join(dataDir, 'projects', id, 'repo.git');
    await cp(upstream, repo, { recursive: true });
    const parent = await run(repo, ['rev-parse', 'refs/remotes/origin/main']);
    const head = await commitLoosely(repo, parent, `saved in ${id}`);
    heads.set(id, head);
    await run(repo, ['update-ref', `refs/heads/${BRANCH}`, await commitLoosely(repo, head, 'later')]);
    await pool.query(
      'insert into branches (project_id, name, user_id, base, head) values ($1, $2, $3, $4, $5)',
      [id, BRANCH, OWNER, parent, head],
    );
  }
  await mkdir(join(dataDir, 'projects', FIRST, 'source-maps'));
  await writeFile(join(dataDir, 'projects', FIRST, 'source-maps/one.map.gz'), 'a map');
  const jobs = createJobs({ databaseUrl: url, log: pino({ level: 'silent' }) });
  jobs.define({ ...REMINDER, run: async () => {} });
  await jobs.start({ work: false });
  await jobs.send(REMINDER.name, { text: 'tab\t, quote " and backslash \\' }, { delayS: 3600 });
  await jobs.stop();
  return { projects, heads };
}

async function backUp(place: string, options: { databaseUrl: string; dataDir: string; secretKey?: string }) {
  const store = createFolderStore(join(folder, 'store'));
  const target = await openBackupTarget(place, store);
  const { secretKey = null, ...rest } = options;
  const summary = await createBackup({ ...rest, secretKey, program: 'test', sink: target });
  await target.finish();
  return { summary, open: () => openBackupSource(place, store) };
}

test('ten projects are restored equal', async () => {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  const source = await openDatabase();
  const { projects, heads } = await buildWorld(dataDir, source);
  const place = join(folder, 'ten.backup');
  const { summary, open } = await backUp(place, { databaseUrl: source.url, dataDir });
  expect(summary).toMatchObject({ projects: 10, jobs: 1, keys: false, missingBranches: [] });

  const target = await emptyDatabase();
  const into = await mkdtemp(join(folder, 'into-'));
  const openTarget = async () => target.url;
  const restored = await restoreBackup({ source: await open(), openDatabase: openTarget, folder: into });
  expect(restored).toMatchObject({ projects: 10, rows: summary.rows, jobs: 1 });
  expect(await readRows(target.pool)).toEqual(await readRows(source.pool));
  expect(await readdir(into)).toEqual(['projects']);
  expect(await readFile(join(into, 'projects', FIRST, 'source-maps/one.map.gz'), 'utf8')).toBe('a map');
  for (const id of projects) {
    const [before, after] = [dataDir, into].map((root) => join(root, 'projects', id, 'repo.git'));
    const refs = (repo: string) =>
      run(repo, ['for-each-ref', '--format=%(refname) %(objectname) %(*objectname)']);
    const later = await run(before!, ['rev-parse', `refs/heads/${BRANCH}`]);
    expect(await refs(after!)).toBe((await refs(before!)).replace(later, heads.get(id)!));
    expect(await run(after!, ['symbolic-ref', 'HEAD'])).toBe('refs/remotes/origin/main');
    expect(await run(after!, ['show', `refs/heads/${BRANCH}:saved.txt`])).toBe(`saved in ${id}`);
  }
  // HEAD refers to a branch of upstream, which only git's own check of refs finds strange.
  const fsck = await git(join(into, 'projects', FIRST, 'repo.git'), ['fsck', '--strict', '--no-dangling'], {
    name: 'fsck',
    ok: [0, 8],
  });
  const isAboutHead = (line: string) => /^(?:error: HEAD points to something strange|notice:)/.test(line);
  expect(
    `${fsck.stdout}${fsck.stderr}`.split('\n').filter((line) => line !== '' && !isAboutHead(line)),
  ).toEqual([]);

  const { rows: jobs } = await target.pool.query(
    "select data, retry_limit, start_after > now() + interval '50 minutes' as waits from pgboss.job where name = 'reminder'",
  );
  expect(jobs).toEqual([{ data: { text: 'tab\t, quote " and backslash \\' }, retry_limit: 3, waits: true }]);
  // The next project has the next number.
  const { rows } = await target.pool.query(
    "insert into projects (id, name, git_url, status) values ('next', 'next', 'https://example.org/b', 'ready') returning number",
  );
  expect(rows).toEqual([{ number: 11 }]);
});

test('a backup of an earlier schema in an object store is brought up to date', async () => {
  const source = await openDatabase();
  await restoreOldDatabase(source.db);
  const place = 'store:old';
  const dataDir = join(folder, 'nothing');
  const { open, summary } = await backUp(place, { databaseUrl: source.url, dataDir, secretKey: 'the key' });
  expect(summary.withoutRepository).toEqual([FIRST]);
  const target = await emptyDatabase();
  const into = await mkdtemp(join(folder, 'into-'));
  const restored = await restoreBackup({
    source: await open(),
    openDatabase: async () => target.url,
    folder: into,
  });
  expect(restored.header.migrations.at(-1)).toMatch(/^0016/);
  await migrate(source.db);
  const [before, after] = [await readRows(source.pool), await readRows(target.pool)];
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(after.debug_sessions).toEqual(before.debug_sessions);
  expect(after.users).toEqual(before.users);
  expect(await readFile(join(into, 'secret-key'), 'utf8')).toBe('the key');
});

test('a backup that is cut off, changed or no backup is refused, and no row of it stays', async () => {
  const source = await openDatabase();
  await restoreOldDatabase(source.db);
  const place = join(folder, 'damaged.backup');
  await backUp(place, { databaseUrl: source.url, dataDir: join(folder, 'nothing') });
  const whole = await readFile(place);
  const changed = Buffer.from(whole);
  const at = changed.indexOf('Fix KeyError for unknown articles');
  expect(at).toBeGreaterThan(0);
  changed[at] = changed[at]! ^ 1;
  for (const content of [whole.subarray(0, whole.length - 4096), changed, Buffer.from('not a backup')]) {
    const target = await emptyDatabase();
    const options = { openDatabase: async () => target.url, folder: await mkdtemp(join(folder, 'into-')) };
    const chunks = (async function* () {
      yield content;
    })();
    await expect(restoreBackup({ source: chunks, ...options })).rejects.toMatchObject({
      reason: 'backup_damaged',
    });
    const { rows } = await target.pool.query("select to_regclass('public.users') as users");
    if (rows[0].users !== null)
      expect((await target.pool.query('select count(*)::int as count from users')).rows[0].count).toBe(0);
  }
});

test('a database that is not empty is refused', async () => {
  const source = await openDatabase();
  const place = join(folder, 'empty.backup');
  const { open } = await backUp(place, { databaseUrl: source.url, dataDir: join(folder, 'nothing') });
  const options = { openDatabase: async () => source.url, folder: await mkdtemp(join(folder, 'into-')) };
  await expect(restoreBackup({ source: await open(), ...options })).rejects.toMatchObject({
    reason: 'not_empty',
  });
});
