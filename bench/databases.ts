import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { connect } from '../src/db/connect.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { createOldCluster, findOldPostgres } from '../src/db/testing-old-postgres.ts';
import { PGBOUNCER, startPgBouncer } from '../src/db/testing-pgbouncer.ts';
import { serveRepositories } from '../src/git/testing.ts';
import { generatedError, generatedPath, generatedQuery, generateRepository } from './generated-repository.ts';
import { envelope } from './intake-events.ts';
import { openSockets, setUpProject } from './load-people.ts';
import { closeAgents, sendJson } from './load-request.ts';
import { createReplica } from './replica.ts';

/*
 * node bench/databases.ts
 *
 * A journey through the program on each database that is supported: PostgreSQL 14, 15 and the embedded one, and through PgBouncer.
 * Programs of older versions are Debian's or those of `scripts/old-postgres.mjs`. Writes bench/results/databases.md.
 */
const SIZE = { files: 50, commits: 60 };
const FILE = 7;
const log = pino({ level: 'silent' });
const rows: { name: string; version: string; outcome: string }[] = [];

const upstream = await mkdtemp(join(tmpdir(), 'hindsight-databases-'));
await generateRepository(join(upstream, 'generated.git'), SIZE);
const gitServer = await serveRepositories(upstream);
try {
  for (const major of [14, 15, null]) {
    await onDatabase(
      major,
      async (url) => ({ DATABASE_URL: url }),
      `PostgreSQL ${major ?? 'of the package'}`,
    );
  }
  for (const mode of ['transaction', 'session'] as const) {
    const poolers: Awaited<ReturnType<typeof startPgBouncer>>[] = [];
    const pooled = async (url: string) => {
      const poolSize = mode === 'transaction' ? 4 : 40;
      const pooler = await startPgBouncer(url, mode, poolSize);
      poolers.push(pooler);
      return { DATABASE_URL: pooler.url, ...(mode === 'transaction' && { DATABASE_DIRECT_URL: url }) };
    };
    if (PGBOUNCER === null) rows.push({ name: `PgBouncer, ${mode}`, version: '', outcome: 'not installed' });
    else await onDatabase(null, pooled, `PgBouncer, ${mode} mode`);
    for (const pooler of poolers) await pooler.close();
  }
} finally {
  closeAgents();
  await gitServer.close();
  await rm(upstream, { recursive: true, force: true });
}
const cells = rows.map(({ name, version, outcome }) => `| ${name} | ${version} | ${outcome} |`);
const report = `# Databases

\`node bench/databases.ts\` · ${new Date().toISOString().slice(0, 10)}

Sign up, connect a repository, search, ask about an error and in a chat, save, read it back, report an error event and receive a
message by WebSocket, with the program in one process.

| database | version | journey |
|---|---|---|
${cells.join('\n')}
`;
console.log(report);
await writeFile(join(import.meta.dirname, 'results/databases.md'), report);
if (rows.some(({ outcome }) => outcome !== 'passed' && !outcome.startsWith('not '))) process.exitCode = 1;

async function onDatabase(
  major: number | null,
  settingsFor: (url: string) => Promise<Record<string, string>>,
  name: string,
): Promise<void> {
  const found = major === null ? null : findOldPostgres(major);
  if (major !== null && found === null)
    return void rows.push({ name, version: '', outcome: 'not installed' });
  const root = await mkdtemp(join(tmpdir(), 'hindsight-database-'));
  const folder = found === null ? null : await createOldCluster(root, found);
  const embedded = await startEmbedded({ dataDir: root, log, ...(folder && { programsFolder: folder }) });
  const settings = {
    SECRET_KEY: 'a secret key for this journey alone',
    GIT_ALLOWED_PRIVATE_HOSTS: gitServer.host,
    DISK_RESERVE_MB: '1',
    LOG_LEVEL: 'fatal',
    ...(await settingsFor(embedded.url)),
  };
  const replica = createReplica({ folder: join(root, 'data'), role: 'all', settings });
  try {
    const { pool, close } = connect(embedded.url);
    const { rows: found } = await pool.query(
      "select split_part(current_setting('server_version'), ' ', 1) as version",
    );
    await close();
    await replica.start();
    const outcome = await journey(replica.url).then(
      () => 'passed',
      (error: Error) => `failed: ${error.message.slice(0, 200)}`,
    );
    rows.push({ name, version: found[0].version, outcome });
  } finally {
    await replica.kill();
    await embedded.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function journey(server: string): Promise<void> {
  const { id, people, intake } = await setUpProject(server, `${gitServer.url}/generated.git`, 2);
  const { token } = people[0]!;
  const call = (method: string, path: string, body?: object | string) =>
    sendJson(`${server}/api${path}`, { method, token, body });
  const sockets = await openSockets(server, people, 2);
  const { passages } = await call(
    'GET',
    `/search?${new URLSearchParams({ project_id: id, q: generatedQuery(FILE) })}`,
  );
  if ((passages as unknown[]).length === 0) throw new Error('The search found nothing.');
  await call('POST', '/debug', { project_id: id, error_message: generatedError(FILE) });
  await call('POST', `/chat/projects/${id}/messages`, { message: `What does ${generatedPath(FILE)} do?` });
  const file = `/ide/projects/${id}/files/saved.txt`;
  await call('POST', file, { content: 'saved\n', branch: 'topic/one' });
  const { content } = await call('GET', `${file}?ref=${encodeURIComponent('topic/one')}`);
  if (content !== 'saved\n') throw new Error('The saved file is another one.');
  await sendJson(`${server}${intake}`, { method: 'POST', body: envelope(['0123456789abcdef'.repeat(2)]) });
  await call('POST', `/projects/${id}/refresh`);
  while (sockets.messages === 0) await sleep(50);
  sockets.close();
}
