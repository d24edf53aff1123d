import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { copyCluster } from './cluster.ts';
import { guardSettings, retainedOutputFolder, sentinel } from './sentinels.ts';
import { spawnProgram } from './spawn-program.ts';

/** The running program with its own data folder. */
export interface Product {
  url: string;
  dataDir: string;
  stop(): Promise<void>;
}

/** Set in every program; a key without its model is never sent. */
const SECRETS = {
  SECRET_KEY: 'sentinel-of-the-secret-key-0815',
  MODEL_API_KEY: 'sentinel-of-the-model-key-0815',
  EMBEDDING_API_KEY: 'sentinel-of-the-embedding-key-0815',
};

/** Default password of test users. */
export const PASSWORD = sentinel('a quiet harbour at dawn');

/** Starts the program with full logging; `allowedHosts` are loopback hosts of repositories. */
export async function startProduct(options: {
  allowedHosts: string[];
  /** Further settings, as environment variables. */
  settings?: Record<string, string>;
  /** Starts without a database, as at the first start. */
  fromNothing?: boolean;
  /** `start.mjs` for what users run: the bundle with its settings of memory. */
  program?: 'start.mjs';
}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-product-'));
  if (!options.fromNothing) await copyCluster(dataDir);
  const settings = { ...SECRETS, ...options.settings };
  guardSettings(settings);
  const log = createLog(dataDir);
  const child = spawnProgram(
    {
      PORT: '0',
      DATA_DIR: dataDir,
      GIT_ALLOWED_PRIVATE_HOSTS: options.allowedHosts.join(','),
      LOG_LEVEL: 'trace',
      // The whole folder is searched after the run.
      DISK_RESERVE_MB: '1',
      // Tests share their machine.
      MAX_EVENT_LOOP_DELAY_MS: '0',
      ...settings,
    },
    { onOutput: log.append, program: options.program },
  );
  const closed = once(child, 'close');
  const url = await waitForUrl(child, log.text);
  return {
    url,
    dataDir,
    async stop() {
      child.kill('SIGTERM');
      await closed;
      await retainFolder(dataDir);
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
  const isText = typeof body === 'string';
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': isText ? 'application/xml' : 'application/json' }),
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: isText ? body : JSON.stringify(body),
  });
  const reply = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reply.detail}`);
  return reply;
}

/** Collects the program's output, also in the folder that is searched later. */
function createLog(dataDir: string): { append(text: string): void; text(): string } {
  const folder = retainedOutputFolder();
  const file = folder === null ? null : createWriteStream(join(folder, `${basename(dataDir)}.log`));
  let output = '';
  return {
    append(text) {
      file?.write(text);
      output += text;
    },
    text: () => output,
  };
}

/** Moves the data folder to the searched folder, without PostgreSQL's copies of its own files. */
async function retainFolder(dataDir: string): Promise<void> {
  const kept = retainedOutputFolder();
  if (kept === null) return await rm(dataDir, { recursive: true, force: true });
  for (const copy of ['pg_wal', 'base/1', 'base/4'])
    await rm(join(dataDir, 'postgres', copy), { recursive: true, force: true });
  await rename(dataDir, join(kept, basename(dataDir)));
}

/** Waits for the line with the program's URL. */
async function waitForUrl(child: ChildProcess, output: () => string): Promise<string> {
  const closed = once(child, 'close');
  while (child.exitCode === null) {
    const url = /ready at (http:\/\/\S+)/.exec(output())?.[1];
    if (url !== undefined) return url;
    await Promise.race([once(child.stdout!, 'data'), closed]);
  }
  throw new Error(`The program ended before it was ready:\n${output()}`);
}
