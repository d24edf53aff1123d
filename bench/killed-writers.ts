import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { connect } from '../src/db/connect.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { newId } from '../src/db/ids.ts';
import { migrate } from '../src/db/migrate.ts';
import { git } from '../src/git/run.ts';
import { buildRepository } from '../src/git/testing.ts';
import { openProjectFiles } from '../src/server/project-data/project-files.ts';
import { projectStorage } from '../src/server/project-data/storage.ts';
import { openObjectStore } from '../src/storage/open-store.ts';
import { startTestStore } from './test-store.ts';

/*
 * node bench/killed-writers.ts [kills] [minutes at most]
 *
 * Processes with folders of their own save to the branches of one repository, with one PostgreSQL and one S3 server, and each is
 * killed with SIGKILL at a random moment after its first save; every fourth one begins with an empty folder. Another process then
 * continues on the same branch. At the end an empty folder must get every save that was acknowledged. Writes
 * bench/results/killed-writers.md.
 */
const KILLS = Number(process.argv[2] ?? 100);
const MAX_MS = Number(process.argv[3] ?? 240) * 60_000;
const BRANCHES = 4;
const FOLDERS = 4;
const MAX_LIFE_MS = 1_500;
const RESULTS = join(import.meta.dirname, 'results/killed-writers.md');

const root = await mkdtemp(join(tmpdir(), 'hindsight-killed-'));
const embedded = await startEmbedded({ dataDir: join(root, 'database'), log: pino({ level: 'silent' }) });
const s3 = await startTestStore();
const { db, close } = connect(embedded.url);
const acknowledged = new Map<string, string[]>();
const began = performance.now();
let kills = 0;
let lostFolders = 0;

try {
  await migrate(db);
  const { projectId, userId } = await createProject();
  await Promise.all(Array.from({ length: BRANCHES }, (_, index) => killWriters(projectId, userId, index)));
  const seconds = Math.round((performance.now() - began) / 1000);
  const missing = await countMissing(projectId);
  const report = formatReport({ seconds, missing });
  console.log(report);
  await writeFile(RESULTS, report);
  if (missing > 0) process.exitCode = 1;
} finally {
  await close();
  await s3.close();
  await embedded.stop();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

/** Inserts a project whose repository lies in the first folder alone, and publishes it. */
async function createProject(): Promise<{ projectId: string; userId: string }> {
  const [projectId, userId] = [newId(), newId()];
  const source = await buildRepository(async (repo) => {
    for (let at = 1; at <= 50; at++)
      await repo.commit({ message: `Change ${at}`, files: { 'a.txt': `${at}\n` } });
  });
  const dataDir = join(root, 'data-0');
  const { repo } = projectStorage(dataDir, projectId);
  await mkdir(join(repo, '..'), { recursive: true });
  const config = { 'protocol.file.allow': 'always' };
  const env = { GIT_ALLOW_PROTOCOL: 'file' };
  await git(null, ['clone', '-q', '--bare', source.path, repo], { name: 'clone', config, env });
  const head = await source.head();
  await git(repo, ['update-ref', 'refs/remotes/origin/main', head], { name: 'update-ref' });
  await git(repo, ['update-ref', '-d', 'refs/heads/main'], { name: 'update-ref' });
  await git(repo, ['symbolic-ref', 'HEAD', 'refs/remotes/origin/main'], { name: 'symbolic-ref' });
  await source.remove();
  const account = {
    id: userId,
    username: 'ada',
    email: 'ada@example.org',
    password_hash: '-',
    role: 'user' as const,
  };
  await db.insertInto('users').values(account).execute();
  const project = {
    id: projectId,
    name: 'Words',
    git_url: 'https://example.org/words',
    indexed_commit: head,
    status: 'ready' as const,
  };
  await db.insertInto('projects').values(project).execute();
  await openFiles(dataDir).repositories.publish(projectId);
  return { projectId, userId };
}

function openFiles(dataDir: string) {
  return openProjectFiles({ db, dataDir, store: openObjectStore(s3.settings) });
}

/** Starts writers on a branch, one after the other, and kills each. */
async function killWriters(projectId: string, userId: string, index: number): Promise<void> {
  const branch = `topic/${index}`;
  acknowledged.set(branch, []);
  for (let run = 1; kills < KILLS && performance.now() - began < MAX_MS; run++) {
    const dataDir = join(root, `data-${index}-${run % FOLDERS}`);
    if (run % 4 === 0) {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
      lostFolders += 1;
    }
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, 'killed-writer.ts'),
        ...[embedded.url, dataDir, s3.settings.url, projectId, userId, branch, `${index}-${run}`],
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'hindsight-killed-cache') },
      },
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const closed = once(child, 'close');
    while (!output.includes('\n') && child.exitCode === null) await sleep(5);
    if (child.exitCode !== null) throw new Error('A writer ended.');
    await sleep(Math.random() * MAX_LIFE_MS);
    child.kill('SIGKILL');
    await closed;
    kills += 1;
    // A last line without its end was not read, hence not acknowledged.
    acknowledged.get(branch)!.push(...output.split('\n').slice(0, -1));
    if (kills % 10 === 0) console.error(`${kills} kills, ${countSaves()} saves`);
  }
}

function countSaves(): number {
  return [...acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
}

/** Acknowledged saves that an empty folder does not get. */
async function countMissing(projectId: string): Promise<number> {
  const repo = await openFiles(join(root, 'fresh')).repositories.open(projectId);
  await git(repo, ['rev-list', '--objects', '--quiet', '--all'], { name: 'rev-list' });
  let missing = 0;
  for (const [branch, paths] of acknowledged) {
    const args = ['ls-tree', '-r', '--name-only', `refs/heads/${branch}`];
    const { stdout } = await git(repo, args, { name: 'ls-tree' });
    const found = new Set(stdout.toString().split('\n'));
    missing += paths.filter((path) => !found.has(path)).length;
  }
  return missing;
}

function formatReport({ seconds, missing }: { seconds: number; missing: number }): string {
  return `# Processes that are killed while they save

\`node bench/killed-writers.ts\` · ${new Date().toISOString().slice(0, 10)} · ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}

| | |
|---|---|
| kills with SIGKILL at a random moment | ${kills} in ${seconds} s; ${lostFolders} writers began with an empty folder |
| saves acknowledged | ${countSaves()} on ${BRANCHES} branches |
| acknowledged saves that an empty folder lacks at the end | ${missing} |
| all objects that its refs reach | present |
`;
}
