import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { ObjectInfo, ObjectStore } from './object-store.ts';
import type { ObjectStoreSettings } from './open-store.ts';

const BUCKET = 'hindsight-tests';
/** The account that the server of the tests knows. */
const KEY = 'S3RVER';

/** Starts an S3 server with an empty bucket. */
export async function startS3(): Promise<{ settings: ObjectStoreSettings; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'hindsight-s3-'));
  const server = new S3rver({
    ...{ directory, port: 0, address: '127.0.0.1', silent: true },
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  return {
    settings: bucketSettings(port),
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Starts a server that answers S3 requests as the test says. */
export async function startScriptedS3(
  answer: RequestListener,
): Promise<{ settings: ObjectStoreSettings & { accessKey: string; secretKey: string }; close(): void }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { settings: bucketSettings((server.address() as AddressInfo).port), close };
}

/** Lists the objects of a folder, or all. */
export async function listObjects(store: ObjectStore, folder: string | null): Promise<ObjectInfo[]> {
  const objects: ObjectInfo[] = [];
  for await (const object of store.list(folder)) objects.push(object);
  return objects;
}

function bucketSettings(port: number) {
  const url = `http://127.0.0.1:${port}/${BUCKET}`;
  return { url, region: 'us-east-1', accessKey: KEY, secretKey: KEY };
}
