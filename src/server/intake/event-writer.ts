import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';

/** An event that is about to be stored. */
export interface NewEvent {
  projectId: string;
  id: string;
  receivedAt: Date;
  /** ISO time of the occurrence. */
  at: string;
  /** JSON of an `ErrorEvent`. */
  event: string;
}

interface PendingWrite {
  events: NewEvent[];
  bytes: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** Writes error events durably: the promise resolves when they are committed. */
export interface EventWriter {
  /** True while the queue has room. */
  readonly hasRoom: boolean;
  /** Stores events that are not stored yet. Throws `rate_limited` while the queue is full. */
  write(events: NewEvent[]): Promise<void>;
}

/** Text of events that wait for the database. */
const MAX_PENDING_BYTES = 32 * 2 ** 20;
const MAX_BATCH_EVENTS = 200;
const MAX_BATCH_BYTES = 4 * 2 ** 20;
const RETRY_AFTER_S = 5;

/**
 * Creates a writer by group commit: one statement is under way, and events that arrive meanwhile form the next. It needs no
 * timer: an idle writer starts at once, a busy one has larger batches.
 */
export function createEventWriter({
  db,
  onStored,
  maxPendingBytes = MAX_PENDING_BYTES,
}: {
  db: Kysely<Database>;
  /** Called with the projects of each committed batch. */
  onStored(projectIds: string[]): void;
  maxPendingBytes?: number;
}): EventWriter {
  const queue: PendingWrite[] = [];
  let pendingBytes = 0;
  let isWriting = false;

  const takeBatch = () => {
    const batch: PendingWrite[] = [];
    let [events, bytes] = [0, 0];
    while (queue.length > 0) {
      const [next] = queue as [PendingWrite];
      const isFull = events + next.events.length > MAX_BATCH_EVENTS || bytes + next.bytes > MAX_BATCH_BYTES;
      if (isFull && batch.length > 0) break;
      batch.push(queue.shift()!);
      events += next.events.length;
      bytes += next.bytes;
    }
    return batch;
  };

  const store = async (batch: PendingWrite[]) => {
    const events = batch.flatMap((write) => write.events);
    await insertEvents(db, events);
    for (const { resolve } of batch) resolve();
    onStored([...new Set(events.map(({ projectId }) => projectId))]);
  };

  const run = async () => {
    if (isWriting) return;
    isWriting = true;
    while (queue.length > 0) {
      const batch = takeBatch();
      try {
        await store(batch);
      } catch (error) {
        // One by one, so that an event which the database refuses fails alone.
        if (batch.length === 1) batch[0]!.reject(error);
        else for (const write of batch) await store([write]).catch(write.reject);
      }
      for (const { bytes } of batch) pendingBytes -= bytes;
    }
    isWriting = false;
  };

  return {
    get hasRoom() {
      return pendingBytes < maxPendingBytes;
    },
    async write(events) {
      const bytes = events.reduce((sum, { event }) => sum + event.length, 0);
      if (pendingBytes + bytes > maxPendingBytes) throw intakeBusy();
      pendingBytes += bytes;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      queue.push({ events, bytes, resolve, reject });
      void run();
      await promise;
    },
  };
}

/** The 429 of a server that cannot store as fast as events arrive. */
export function intakeBusy(): AppError {
  return new AppError('rate_limited', 'intake_busy', { retryAfter: RETRY_AFTER_S });
}

/** Inserts events in one statement, with the counts of the day. Events of deleted projects are left out. */
async function insertEvents(db: Kysely<Database>, events: NewEvent[]): Promise<void> {
  // The events are JSON already: one text is cheaper than four parameters a row.
  const rows = events.map(
    ({ projectId, id, receivedAt, at, event }) =>
      `{"project_id":${JSON.stringify(projectId)},"id":${JSON.stringify(id)},"received_at":"${receivedAt.toISOString()}","occurred_at":${JSON.stringify(at)},"event":${event}}`,
  );
  await sql`
    with incoming as (
      select v.* from json_to_recordset(${`[${rows.join(',')}]`}::json)
        as v(project_id text, id text, received_at timestamptz, occurred_at timestamptz, event json)
      join projects p on p.id = v.project_id
    ), stored as (
      insert into error_events (project_id, id, received_at, occurred_at, event)
      select project_id, id, received_at, occurred_at, event from incoming
      on conflict (project_id, id) do nothing
      returning project_id
    ), counts as (
      select i.project_id, count(*) as incoming,
        (select count(*) from stored s where s.project_id = i.project_id) as stored
      from incoming i group by i.project_id
    )
    insert into intake_counts (project_id, day, outcome, count)
    select project_id, (now() at time zone 'utc')::date, o.outcome, o.count
    from counts cross join lateral (values ('accepted', stored), ('duplicate', incoming - stored)) o (outcome, count)
    where o.count > 0
    order by project_id, o.outcome
    on conflict (project_id, day, outcome) do update set count = intake_counts.count + excluded.count`.execute(
    db,
  );
}
