import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

/** Messages between replicas. Nothing is stored: after a lost connection a replica reads the tables again. */
export interface Notifier {
  /** Sends fewer than 8,000 bytes to every replica, this one included. Rejects while the database is away. */
  publish(channel: string, payload: string): Promise<void>;
  /**
   * Calls `onPayload` for every message from now on; `onGap` after a lost connection is back, when messages may
   * have been missed. Returns what ends it.
   */
  subscribe(channel: string, onPayload: (payload: string) => void, onGap?: () => void): () => void;
  close(): Promise<void>;
}

interface Subscriber {
  channel: string;
  onPayload: (payload: string) => void;
  onGap: (() => void) | undefined;
}

/** One connection whose statements wait for each other. */
interface NotifyConnection {
  query(text: string, values?: unknown[]): Promise<unknown>;
  /** Resolves when the connection has ended, for whatever reason. */
  ended: Promise<void>;
  end(): Promise<void>;
}

const RETRY_DELAY_MS = 500;
/** A connection that a router has dropped in silence is found by asking; TCP itself may take hours. */
const HEARTBEAT_INTERVAL_MS = 10_000;
const HEARTBEAT_TIMEOUT_MS = 5_000;

/**
 * Opens one connection of its own that listens and publishes by LISTEN and NOTIFY, and dials again, forever, when
 * it is lost. Resolves when the first connection stands.
 */
export async function createNotifier(url: string, { log }: { log: Logger }): Promise<Notifier> {
  const subscribers = new Set<Subscriber>();
  const deliver = (channel: string, payload: string) => {
    for (const subscriber of subscribers) if (subscriber.channel === channel) subscriber.onPayload(payload);
  };
  const channels = () => new Set([...subscribers].map((subscriber) => subscriber.channel));
  let closed = false;
  let line = await openConnection(url, deliver);

  async function redial(): Promise<void> {
    await sleep(RETRY_DELAY_MS);
    const next = await openConnection(url, deliver).catch(() => null);
    if (!next) return;
    if (closed) return next.end();
    line = next;
    for (const channel of channels()) await listen(line, channel);
    for (const subscriber of subscribers) subscriber.onGap?.();
  }

  async function keepOpen(): Promise<void> {
    while (true) {
      await line.ended;
      if (closed) return;
      log.warn('lost the connection that listens to other replicas; dialling again');
      await redial();
    }
  }

  const keeping = keepOpen();
  return {
    async publish(channel, payload) {
      await line.query('select pg_notify($1, $2)', [channel, payload]);
    },
    subscribe(channel, onPayload, onGap) {
      const isNew = !channels().has(channel);
      const subscriber = { channel, onPayload, onGap };
      subscribers.add(subscriber);
      if (isNew) void listen(line, channel);
      return () => subscribers.delete(subscriber);
    },
    async close() {
      closed = true;
      await line.end();
      await keeping;
    },
  };
}

/** A failure is that of the connection; after it every channel is listened to again. */
async function listen(line: NotifyConnection, channel: string): Promise<void> {
  await line.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => {});
}

async function openConnection(
  url: string,
  deliver: (channel: string, payload: string) => void,
): Promise<NotifyConnection> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    query_timeout: HEARTBEAT_TIMEOUT_MS,
    application_name: 'hindsight-notify',
  });
  client.on('error', () => {});
  client.on('notification', ({ channel, payload }) => deliver(channel, payload ?? ''));
  const ended = new Promise<void>((settle) => client.once('end', settle));
  await client.connect();

  let last: Promise<unknown> = Promise.resolve();
  const query = (text: string, values: unknown[] = []) => {
    const result = last.then(() => client.query(text, values));
    last = result.catch(() => {});
    return result;
  };
  const end = () => client.end().catch(() => {});
  const heartbeat = setInterval(() => void query('select 1').catch(end), HEARTBEAT_INTERVAL_MS);
  void ended.then(() => clearInterval(heartbeat));
  return { query, ended, end };
}
