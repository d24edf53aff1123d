import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { send } from './load-request.ts';
import type { Replica } from './replica.ts';

/** State of one server; delays are those since the reading before. */
export interface ServerSample {
  memoryMb: number;
  /** Of the JavaScript heap. */
  heapMb: number;
  /** Open files and sockets. */
  handles: number;
  eventLoopP50Ms: number;
  eventLoopP99Ms: number;
}

/** Reads `/metrics` of every server. */
export async function readServers(replicas: Pick<Replica, 'url'>[]): Promise<ServerSample[]> {
  return await Promise.all(replicas.map(readServer));
}

async function readServer({ url }: Pick<Replica, 'url'>): Promise<ServerSample> {
  const { body } = await send(`${url}/metrics`, { method: 'GET' });
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1] ?? Number.NaN);
  return {
    memoryMb: value('process_resident_memory_bytes') / 2 ** 20,
    heapMb: value('nodejs_heap_size_used_bytes') / 2 ** 20,
    handles: value('process_open_fds'),
    eventLoopP50Ms: value('nodejs_eventloop_lag_p50_seconds') * 1_000,
    eventLoopP99Ms: value('nodejs_eventloop_lag_p99_seconds') * 1_000,
  };
}

/** Bytes of all files in a folder, in megabytes. */
export async function folderMb(folder: string): Promise<number> {
  // Files come and go while it reads.
  const { stdout } = await promisify(execFile)('du', ['-sb', folder]).catch(
    (error) => error as { stdout: string },
  );
  return Number(stdout.split('\t')[0]) / 2 ** 20;
}
