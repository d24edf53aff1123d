import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadKind } from './load-mix.ts';
import { type LoadReply, send } from './load-request.ts';
import { readServers, type ServerSample } from './load-servers.ts';
import type { Replica } from './replica.ts';

/** Replies to one kind of request. */
export interface KindResult {
  name: string;
  /** Milliseconds of replies below 400. */
  served: number[];
  /** Milliseconds of 503 with Retry-After. */
  refused: number[];
  /** Their messages. */
  reasons: Map<string, number>;
  /** Everything else by status: 0 is a broken connection or 30 s without a reply. */
  failed: Map<string, number>;
}

/** Outcome of one rate. */
export interface StepResult {
  servers: number;
  rate: number;
  seconds: number;
  kinds: KindResult[];
  /** Milliseconds of `/healthz`. */
  health: number[];
  samples: ServerSample[];
}

const TICK_MS = 20;
const HEALTH_INTERVAL_MS = 250;

/** Sends requests of the mix at a rate, whether or not earlier ones were answered, to the servers in turn. */
export async function runStep(
  replicas: Replica[],
  mix: LoadKind[],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<StepResult> {
  const kinds = new Map(mix.map(({ name }) => [name, newResult(name)]));
  const order = interleave(mix);
  const urls = replicas.map(({ url }) => url);
  await readServers(replicas);
  const ending = new AbortController();
  const watching = watchHealth(urls, ending.signal);
  const pending: Promise<void>[] = [];
  const started = performance.now();
  let sent = 0;
  while (performance.now() - started < seconds * 1_000) {
    const due = Math.floor(((performance.now() - started) / 1_000) * rate);
    for (; sent < due; sent++) {
      const kind = order[sent % order.length]!;
      const result = kinds.get(kind.name)!;
      pending.push(kind.send(urls[sent % urls.length]!).then((reply) => count(result, reply)));
    }
    await sleep(TICK_MS);
  }
  await Promise.all(pending);
  const elapsed = (performance.now() - started) / 1_000;
  ending.abort();
  const samples = await readServers(replicas);
  return {
    servers: replicas.length,
    rate,
    seconds: elapsed,
    kinds: [...kinds.values()],
    health: await watching,
    samples,
  };
}

/** Of a kind without replies. */
export const newResult = (name: string): KindResult => ({
  name,
  served: [],
  refused: [],
  reasons: new Map(),
  failed: new Map(),
});

function count(result: KindResult, { status, retryAfter, ms, body }: LoadReply): void {
  if (status > 0 && status < 400) return void result.served.push(ms);
  const key = /"message_key":"(\w+)"/.exec(body)?.[1] ?? '';
  if (status === 503 && Number(retryAfter) > 0) {
    result.refused.push(ms);
    addToCount(result.reasons, key);
  } else addToCount(result.failed, `${status} ${key}`.trim());
}

/** Adds one, or so many, to a count. */
export function addToCount(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

/** A hundred requests in which each kind has its share, spread evenly. */
function interleave(mix: LoadKind[]): LoadKind[] {
  return mix
    .flatMap((kind) =>
      Array.from({ length: kind.share }, (_, index) => ({ kind, at: (index + 0.5) / kind.share })),
    )
    .sort((a, b) => a.at - b.at)
    .map(({ kind }) => kind);
}

async function watchHealth(urls: string[], signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    for (const url of urls) {
      const { status, ms } = await send(`${url}/healthz`, { method: 'GET' });
      times.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
    }
    await sleep(HEALTH_INTERVAL_MS);
  }
  return times;
}
