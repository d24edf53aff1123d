import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/git/testing-remotes.ts';
import type { startS3 } from '../src/storage/testing.ts';

/** A process of the program with its own folder, which can be killed and started again. */
export interface Replica {
  folder: string;
  url: string;
  start(): Promise<void>;
  /** True while the process answers or works. */
  isUp(): boolean;
  /** Kills the process with SIGKILL; does nothing when it does not run. */
  kill(): Promise<void>;
}

/** Two servers and two workers, by the names of their folders. */
export const REPLICA_ROLES = [
  ['a', 'server'],
  ['b', 'server'],
  ['v', 'worker'],
  ['w', 'worker'],
] as const;

/** Settings that all replicas of one database and one object store share. */
export function replicaSettings({
  databaseUrl,
  store,
  gitHost,
}: {
  databaseUrl: string;
  store: Awaited<ReturnType<typeof startS3>>['settings'];
  gitHost: string;
}): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    OBJECT_STORE_URL: store.url,
    OBJECT_STORE_ACCESS_KEY: store.accessKey ?? '',
    OBJECT_STORE_SECRET_KEY: store.secretKey ?? '',
    SECRET_KEY: 'a secret key that all replicas share',
    GIT_ALLOWED_PRIVATE_HOSTS: gitHost,
    DISK_RESERVE_MB: '1',
    LOG_LEVEL: 'fatal',
  };
}

/** Creates a replica that is not started. */
export function createReplica({
  folder,
  role,
  settings,
}: {
  folder: string;
  role: 'server' | 'worker' | 'all';
  settings: Record<string, string>;
}): Replica {
  let child: ChildProcess | null = null;
  let isUp = false;
  const replica: Replica = {
    folder,
    url: '',
    async start() {
      const port = await freePort();
      replica.url = `http://127.0.0.1:${port}`;
      const started = spawn(process.execPath, ['src/main.ts'], {
        cwd: join(import.meta.dirname, '..'),
        env: {
          PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
          NODE_COMPILE_CACHE: join(tmpdir(), 'hindsight-replicas-cache'),
          ...{ PORT: String(port), DATA_DIR: folder, ROLE: role },
          ...settings,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = started;
      let output = '';
      started.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      while (!/Hindsight (?:is ready|works)/.test(output)) {
        if (started.exitCode !== null) throw new Error(`The process ended: ${output}`);
        await sleep(20);
      }
      isUp = true;
    },
    isUp: () => isUp,
    async kill() {
      isUp = false;
      const killed = child;
      if (killed === null) return;
      child = null;
      if (killed.exitCode !== null || killed.signalCode !== null) return;
      killed.kill('SIGKILL');
      await once(killed, 'close');
    },
  };
  return replica;
}
