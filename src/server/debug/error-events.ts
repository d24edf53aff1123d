import { type Kysely, sql } from 'kysely';
import type { ErrorEventDetail, ErrorEventFrame, ErrorEventRow } from '#contract/error-events.ts';
import { AppError } from '#contract/errors.ts';
import type { PathMapping } from '#contract/project-settings.ts';
import type { Database } from '#db/schema.ts';
import type { ErrorEvent, EventFrame } from '#intake/error-event.ts';
import { eventTitle } from '#intake/event-summary.ts';
import { isInAppFrame } from '#intake/in-app.ts';
import { createPathResolver } from '#investigate/locate/resolve-printed-path.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import type { ErrorScope } from './error-detail.ts';

interface StoredEvent {
  id: string;
  event: ErrorEvent;
  received_at: Date;
}

/** Position of an event in the order of its error: by occurrence, then by receipt. */
const POSITION = sql`(e.occurred_at, e.received_at, e.id)`;

/** Lists a page of the events of an error, last occurrence first. */
export async function listErrorEvents(
  db: Kysely<Database>,
  scope: ErrorScope,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ events: ErrorEventRow[]; next_cursor: string | null }> {
  const after = cursor === undefined ? null : parsePosition(cursor);
  const rows = await eventsOf(db, scope)
    .select([sql<string>`e.occurred_at::text`.as('at'), sql<string>`e.received_at::text`.as('received')])
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`${POSITION} < (${after?.at}::timestamptz, ${after?.received}::timestamptz, ${after?.id})`,
      ),
    )
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last ? JSON.stringify([last.at, last.received, last.id]) : null;
  return {
    events: page.map(({ id, event }) => presentRow(id, event as ErrorEvent)),
    next_cursor: next && Buffer.from(next).toString('base64url'),
  };
}

/** The event of an error that occurred last, or the one with this id; null without one. */
export async function findErrorEvent(
  db: Kysely<Database>,
  scope: ErrorScope,
  id?: string,
): Promise<StoredEvent | null> {
  let query = eventsOf(db, scope);
  if (id !== undefined) query = query.where('e.id', '=', id);
  const row = await query.limit(1).executeTakeFirst();
  return row ? { ...row, event: row.event as ErrorEvent } : null;
}

/** Ids of the events before and after one of the same error. */
export async function findNeighbours(
  db: Kysely<Database>,
  scope: ErrorScope,
  { id, received_at }: StoredEvent,
) {
  const neighbour = async (direction: 'asc' | 'desc') => {
    const order = direction === 'asc' ? sql`>` : sql`<`;
    const row = await eventsOf(db, scope, direction)
      .where(sql<boolean>`${POSITION} ${order} (
        select occurred_at, received_at, id from error_events where project_id = ${scope.projectId} and id = ${id}
      )`)
      .limit(1)
      .executeTakeFirst();
    return row?.id ?? null;
  };
  const [newer, older] = await Promise.all([neighbour('asc'), neighbour('desc')]);
  return { newer, older, received_at };
}

function eventsOf(
  db: Kysely<Database>,
  { projectId, keys }: Pick<ErrorScope, 'projectId' | 'keys'>,
  direction: 'asc' | 'desc' = 'desc',
) {
  return db
    .selectFrom('error_events as e')
    .select(['e.id', 'e.event', 'e.received_at'])
    .where('e.project_id', '=', projectId)
    .where('e.fingerprint', 'in', keys.length > 0 ? keys : [''])
    .orderBy('e.occurred_at', direction)
    .orderBy('e.received_at', direction)
    .orderBy('e.id', direction);
}

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d.+:-]{0,20}$/;

/** Throws `bad_request` for a text that is no cursor. */
function parsePosition(cursor: string): { at: string; received: string; id: string } {
  try {
    const [at, received, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isTime = (value: unknown): value is string =>
      typeof value === 'string' && TIME.test(value) && Date.parse(value) > 0;
    if (isTime(at) && isTime(received) && typeof id === 'string' && /^[\w-]{1,64}$/.test(id))
      return { at, received, id };
  } catch {
    // Reported below.
  }
  throw new AppError('bad_request', 'cursor_invalid');
}

function presentRow(id: string, event: ErrorEvent): ErrorEventRow {
  const { at, level, release = null, environment = null, transaction = null } = event;
  return { id, at, title: eventTitle(event), level, release, environment, transaction };
}

const MAX_FRAMES = 100;
const MAX_VALUES = 100;
const MAX_CONTEXT_LINES = 10;

/** Presents an event; frames of the application name their files in the repository where the index is open. */
export function presentEvent(
  { id, event, received_at }: StoredEvent,
  source: { code: CodeTable; mappings: readonly PathMapping[] } | null,
): ErrorEventDetail {
  const printed = event.exceptions.flatMap(({ frames }) => frames.map(printedPath));
  const resolve = source && createPathResolver({ ...source, packages: new Map(), printed });
  const fileOf = (frame: EventFrame) => {
    const found = isInAppFrame(frame) ? resolve?.(printedPath(frame)) : null;
    return found && !found.isCompiled ? source!.code.filePath(found.file) : null;
  };
  const list = (values: Record<string, string>) =>
    Object.entries(values)
      .slice(0, MAX_VALUES)
      .map(([name, value]) => ({ name, value }));
  return {
    ...presentRow(id, event),
    received_at: received_at.toISOString(),
    platform: event.platform,
    message: event.message,
    exceptions: event.exceptions
      .slice(0, 20)
      .map(({ type, value, handled = null, mechanism = null, frames }) => ({
        ...{ type, value, handled, mechanism },
        frames: frames.slice(0, MAX_FRAMES).map((frame) => presentFrame(frame, fileOf(frame))),
      })),
    breadcrumbs: event.breadcrumbs
      .slice(-MAX_FRAMES)
      .map(({ at = null, category = null, level = null, message }) => ({ at, category, level, message })),
    tags: list(event.tags),
    contexts: list(event.contexts),
    extra: list(event.extra),
    request: event.request ? { method: event.request.method ?? null, url: event.request.url ?? null } : null,
    logger: event.logger ?? null,
    server_name: event.serverName ?? null,
    trace_id: event.traceId ?? null,
    sdk: event.sdk ?? null,
  };
}

function printedPath({ path, absPath }: EventFrame): string {
  return absPath ?? path;
}

function presentFrame(frame: EventFrame, file: string | null): ErrorEventFrame {
  return {
    ...{ path: frame.path, line: frame.line, column: frame.column ?? null, symbol: frame.symbol ?? null },
    ...{ module: frame.module ?? null, in_app: isInAppFrame(frame), text: frame.text ?? null },
    before: (frame.before ?? []).slice(-MAX_CONTEXT_LINES),
    after: (frame.after ?? []).slice(0, MAX_CONTEXT_LINES),
    file,
    generated: frame.generated ?? null,
  };
}
