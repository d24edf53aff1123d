import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { connect } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

const TEMPLATE = 'hindsight_template';

/** Starts the one PostgreSQL of a test run and makes the template; returns what ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-test-'));
  const embedded = await startEmbedded({
    dataDir,
    log: pino({ level: 'silent' }),
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' },
    createDatabases: true,
  });
  const admin = connect(embedded.url);
  await admin.pool.query(`create database ${TEMPLATE}`);
  await admin.close();
  const template = connect(embedded.url.replace('/postgres?', `/${TEMPLATE}?`));
  await migrate(template.db);
  await template.close();
  project.provide('postgres', { url: embedded.url, template: TEMPLATE });
  return async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
