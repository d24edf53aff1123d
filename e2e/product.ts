import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { copyCluster } from './cluster.ts';
import { guardSettings, keptFolder, sentinel } from './sentinels.ts';

/** The program as people start it, with a data folder of its own. */
export interface Product {
  url: string;
  dataDir: string;
  stop(): Promise<void>;
}

/** Set in every program; a key without its model is read and goes nowhere. */
const SECRETS = {
  SECRET_KEY: 'sentinel-of-the-secret-key-0815',
  MODEL_API_KEY: 'sentinel-of-the-model-key-0815',
  EMBEDDING_API_KEY: 'sentinel-of-the-embedding-key-0815',
};

/** The password of people who need no other. */
export const PASSWORD = sentinel('a quiet harbour at dawn');

/** Starts the program, logging all it can; repositories may be read from the loopback hosts named. */
export async function startProduct(options: {
  allowedHosts: string[];
  /** Further settings, as environment variables. */
  settings?: Record<string, string>;
  /** Also let it make its own database, as at the first start. */
  fromNothing?: boolean;
}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-product-'));
  if (!options.fromNothing) await copyCluster(dataDir);
  const settings = { ...SECRETS, ...options.settings };
  guardSettings(settings);
  const child = spawn(process.execPath, ['src/main.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      GIT_ALLOWED_PRIVATE_HOSTS: options.allowedHosts.join(','),
      LOG_LEVEL: 'trace',
      // The folder is searched whole after the run.
      DISK_RESERVE_MB: '1',
      ...settings,
    },
  });
  const gone = once(child, 'close');
  const url = await addressIn(child, keepOutput(child, dataDir));
  return {
    url,
    dataDir,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      await keepFolder(dataDir);
    },
  };
}

/**
 * Calls a program's API with the token, signed out when it is empty, and returns the reply. Throws with what the program
 * says when it refuses.
 */
export async function callApi(
  { url }: Pick<Product, 'url'>,
  [method, path]: [string, string],
  { token, body }: { token: string; body?: unknown },
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const reply = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reply.detail}`);
  return reply;
}

/** Collects what the program prints, in the folder that is searched later too; returns all of it so far. */
function keepOutput(child: ChildProcess, dataDir: string): () => string {
  const kept = keptFolder();
  const file = kept === null ? null : createWriteStream(join(kept, `${basename(dataDir)}.log`));
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      file?.write(text);
      output += text;
    });
  }
  return () => output;
}

/** Keeps the data folder for the search, but for the copies that PostgreSQL makes of itself. */
async function keepFolder(dataDir: string): Promise<void> {
  const kept = keptFolder();
  if (kept === null) return await rm(dataDir, { recursive: true, force: true });
  for (const copy of ['pg_wal', 'base/1', 'base/4'])
    await rm(join(dataDir, 'postgres', copy), { recursive: true, force: true });
  await rename(dataDir, join(kept, basename(dataDir)));
}

/** Waits for the one line that says where the program is. */
async function addressIn(child: ChildProcess, output: () => string): Promise<string> {
  const gone = once(child, 'close');
  while (child.exitCode === null) {
    const url = /ready at (http:\/\/\S+)/.exec(output())?.[1];
    if (url !== undefined) return url;
    await Promise.race([once(child.stdout!, 'data'), gone]);
  }
  throw new Error(`The program ended before it was ready:\n${output()}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}
