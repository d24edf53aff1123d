import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The program as people start it, with a data folder of its own. */
export interface Product {
  url: string;
  dataDir: string;
  stop(): Promise<void>;
}

/** Starts the program; repositories may be read from the loopback hosts named. */
export async function startProduct(options: {
  allowedHosts: string[];
  /** Further settings, as environment variables. */
  settings?: Record<string, string>;
}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-product-'));
  const child = spawn(process.execPath, ['src/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      GIT_ALLOWED_PRIVATE_HOSTS: options.allowedHosts.join(','),
      LOG_LEVEL: 'warn',
      ...options.settings,
    },
  });
  const url = await addressLine(child);
  return {
    url,
    dataDir,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits for the one line that says where the program is. */
async function addressLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('The program ended before it was ready.');
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
