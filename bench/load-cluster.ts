import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startEmbedded } from '../src/db/embedded.ts';
import { serveRepositories } from '../src/git/testing.ts';
import { startS3 } from '../src/storage/testing.ts';
import { type GeneratedSize, generateRepository } from './generated-repository.ts';
import { createReplica, type Replica, replicaSettings } from './replica.ts';

/** PostgreSQL, an S3 server, a git server, one worker, and servers that are added. */
export interface Cluster {
  /** Folder of everything. */
  root: string;
  cloneUrl: string;
  worker: Replica;
  servers: Replica[];
  addServer(): Promise<void>;
  close(): Promise<void>;
}

/** A public instance would limit each person; a load test is about the machine. */
const NO_LIMIT = '1000000/60';

/** Starts everything but the servers, with a generated repository to connect. */
export async function startCluster(size: GeneratedSize): Promise<Cluster> {
  const root = await mkdtemp(join(tmpdir(), 'hindsight-load-'));
  await generateRepository(join(root, 'upstream', 'generated.git'), size);
  const embedded = await startEmbedded({ dataDir: join(root, 'database'), log: pino({ level: 'silent' }) });
  const s3 = await startS3();
  const gitServer = await serveRepositories(join(root, 'upstream'));
  const settings = {
    ...replicaSettings({ databaseUrl: embedded.url, store: s3.settings, gitHost: gitServer.host }),
    MAX_CONNECTIONS_PER_IP: '10000',
    RATE_LIMIT_REGISTER_PER_IP: NO_LIMIT,
    RATE_LIMIT_REGISTER_ATTEMPTS_PER_IP: NO_LIMIT,
    RATE_LIMIT_MEMBERS_PER_USER: NO_LIMIT,
    RATE_LIMIT_REFRESH_PER_IP: NO_LIMIT,
  };
  const servers: Replica[] = [];
  const add = async (name: string, role: 'server' | 'worker') => {
    const replica = createReplica({ folder: join(root, name), role, settings });
    await replica.start();
    return replica;
  };
  const worker = await add('worker', 'worker');
  return {
    root,
    cloneUrl: `${gitServer.url}/generated.git`,
    worker,
    servers,
    async addServer() {
      servers.push(await add(`server-${servers.length + 1}`, 'server'));
    },
    async close() {
      for (const replica of [...servers, worker]) await replica.kill();
      await gitServer.close();
      await s3.close();
      await embedded.stop();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
