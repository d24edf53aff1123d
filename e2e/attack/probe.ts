import { sendHttp } from './client.ts';
import type { User, World } from './world.ts';

/** Latency and failures of ordinary users while a family ran. */
interface ProbeResult {
  /** Milliseconds of every call. */
  times: number[];
  /** Replies that were not a success, by status. */
  failures: Record<string, number>;
}

const EVERY_MS = 100;
const MAX_OUTSTANDING = 60;
const TIMEOUT_MS = 30_000;

/**
 * Sends the same few calls every 100 ms, as another neighbour each time, and times each from when it was due: a server
 * that stands still is seen by all that should have been answered meanwhile.
 */
export function startProbe(world: World): { stop(): Promise<ProbeResult> } {
  const times: number[] = [];
  const failures: Record<string, number> = {};
  const running = new Set<Promise<void>>();
  let rounds = 0;
  const round = async (user: User) => {
    for (const path of [
      '/api/auth/me',
      `/api/search?project_id=${world.projectId}&q=price&limit=5`,
      `/api/projects/${world.projectId}`,
    ]) {
      const began = performance.now();
      const reply = await probeCall(world, user, path);
      times.push(performance.now() - began);
      if (reply !== 200) failures[String(reply)] = (failures[String(reply)] ?? 0) + 1;
    }
  };
  const timer = setInterval(() => {
    if (running.size >= MAX_OUTSTANDING) return;
    const done = round(world.neighbours[rounds++ % world.neighbours.length]!).finally(() =>
      running.delete(done),
    );
    running.add(done);
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      return { times, failures };
    },
  };
}

async function probeCall(world: World, user: User, path: string): Promise<number | null> {
  const headers = { authorization: `Bearer ${user.bearer}` };
  const options = { path, headers, from: user.from, timeoutMs: TIMEOUT_MS };
  return (await sendHttp(world.server.port, options)).status;
}

/** The value that this share of the numbers does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
