import pg from 'pg';

/**
 * Time after which a database that does not answer has stalled. It is counted in turns of the event loop, so that a process that was
 * suspended itself does not count the time.
 */
const [TURN_MS, MAX_TURNS] = [250, 8];
/** A new connection needs several turns, and waits for the thread pool of a busy process. */
const MAX_CONNECT_TURNS = 24;
/** Closes sockets of probes whose connection is never accepted. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Ends the connections of a pool that are in use when the database answers nothing at all: their queries fail at once instead of after
 * their time limit. A slow query or disk is none of this, since `select 1` on a connection of its own is still answered. Returns the
 * function that ends the watch.
 */
export function watchForStalls(pool: pg.Pool, url: string): () => Promise<void> {
  const busy = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => busy.add(client));
  pool.on('release', (_error, client) => busy.delete(client));
  let probe: { client: pg.Client; turns: number; maxTurns: number } | null = null;
  let idle: pg.Client | null = null;
  let isStalled = false;

  const sendProbe = async () => {
    const isNew = idle === null;
    const client = idle ?? createClient(url);
    idle = null;
    const own = { client, turns: 0, maxTurns: isNew && !isStalled ? MAX_CONNECT_TURNS : MAX_TURNS };
    probe = own;
    try {
      if (isNew) {
        await client.connect();
        Object.assign(own, { turns: 0, maxTurns: MAX_TURNS });
      }
      await client.query('select 1');
      if (probe === own) idle = client;
    } catch {
      // Refused or cut: the queries in flight fail by their own connections.
      void client.end().catch(() => {});
    }
    if (probe !== own) return;
    probe = null;
    isStalled = false;
  };
  const endStalled = (stalled: NonNullable<typeof probe>) => {
    // An answer that arrived while the process was busy has been read by now.
    if (probe !== stalled) return;
    probe = null;
    isStalled = true;
    for (const client of [stalled.client, ...busy]) void client.end().catch(() => {});
  };
  const timer = setInterval(() => {
    if (probe !== null) {
      const current = probe;
      current.turns += 1;
      if (current.turns === current.maxTurns) setImmediate(endStalled, current);
    } else if (busy.size > 0) void sendProbe();
  }, TURN_MS);
  timer.unref();

  return async () => {
    clearInterval(timer);
    const clients = [idle, probe?.client].filter((client) => client != null);
    probe = idle = null;
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  };
}

function createClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'hindsight-watch',
  });
  client.on('error', () => {});
  return client;
}
