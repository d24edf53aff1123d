import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { connect, isDatabaseUnavailable } from './connect.ts';
import { testDatabase } from './testing.ts';

test.each([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Cannot use a pool after calling end on the pool',
])('"%s" is a word of the driver for a database that is away', async (text) => {
  expect(isDatabaseUnavailable(new Error(text))).toBe(true);
  const files = ['pg/lib/client.js', 'pg-pool/index.js'].map((file) => `node_modules/${file}`);
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  expect(sources.some((source) => source.includes(text))).toBe(true);
});

test('a file that is missing is not a database that is away', () => {
  const missing = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', syscall: 'open' });
  expect(isDatabaseUnavailable(missing)).toBe(false);
  const socket = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' });
  expect(isDatabaseUnavailable(socket)).toBe(true);
  expect(isDatabaseUnavailable(new AggregateError([socket]))).toBe(true);
});

test('every kind of connection failure is reported as an unavailable database', async () => {
  const { url, close } = await testDatabase();
  const { pool } = connect(url);
  const errors: unknown[] = [];
  const keep = (error: unknown) => void errors.push(error);
  const client = await pool.connect();
  const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
  const cut = client.query('select pg_sleep(60)').catch(keep);
  await pool.query('select pg_terminate_backend($1)', [pid]);
  await cut;
  await client.query('select 1').catch(keep);
  client.release(true);

  const other = new pg.Client({ connectionString: url });
  other.on('error', () => {});
  await other.connect();
  await other.end();
  await other.query('select 1').catch(keep);

  const slow = connect(url, { timeoutMs: 1_100 });
  await slow.pool.query('select pg_sleep(5)').catch(keep);
  await slow.close();
  await slow.pool.query('select 1').catch(keep);
  await pool.end();
  await close();
  expect(errors).toHaveLength(5);
  expect(errors.filter((error) => !isDatabaseUnavailable(error))).toEqual([]);
});
