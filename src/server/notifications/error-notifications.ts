import type { Kysely } from 'kysely';
import type { WatchRef } from '#contract/watches.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { titleAndMessage } from './build-notification.ts';
import type { NewNotification } from './queries.ts';
import { findErrorWatchers } from './watch-notifications.ts';

/** New errors of a project of which an hour notifies; a broken deployment brings hundreds. */
const MAX_NEW_PER_HOUR = 5;

const NAMES = {
  new: 'error_new',
  regressed: 'error_regressed',
  woken: 'error_woken',
  assigned: 'error_assigned',
} as const;

interface ErrorChanged {
  errorId: string;
  change: 'new' | 'regressed' | 'woken' | 'investigated' | 'assigned';
  byId?: string;
}

const NO_WATCHES: ReadonlyMap<string, WatchRef> = new Map();

/**
 * An error is new, came back, or was assigned. Sent to its assignee, else to the members of the project, and, unless it was
 * assigned, to those who watch it; null for changes that notify no one.
 */
export async function errorChangedNotification(
  { db }: Pick<Deps, 'db'>,
  { errorId, change, byId }: ErrorChanged,
): Promise<NewNotification | null> {
  if (change === 'investigated') return null;
  const error = await findError(db, errorId);
  if (!error || error.state === 'ignored') return null;
  if (change === 'new' && (await countNewErrors(db, error)) > MAX_NEW_PER_HOUR) return null;
  const { assignee_id: assignee, project_id: projectId, state_changed_at: at } = error;
  if (change === 'assigned' && (assignee === null || assignee === byId)) return null;
  const since = change === 'regressed' || change === 'woken' ? `:${at?.toISOString() ?? ''}` : '';
  const watches =
    change === 'assigned' ? NO_WATCHES : await findErrorWatchers(db, { projectId, errorId, change });
  const concerned = assignee && change !== 'new' ? [assignee] : error.members;
  return {
    projectId,
    watches,
    userIds: [...new Set([...concerned, ...watches.keys()])],
    key: `error-${change}:${errorId}${change === 'assigned' ? `:${assignee}` : since}`,
    type: change === 'assigned' ? 'info' : 'warning',
    ...titleAndMessage(NAMES[change], { project: error.project, error: error.title }),
    actionUrl: `/projects/${projectId}/errors/${errorId}`,
  };
}

/** An error was assigned. Sent to those who watch it, except its assignee and the one who assigned it; null without any. */
export async function watchedErrorAssignedNotification(
  { db }: Pick<Deps, 'db'>,
  { errorId, change, byId }: ErrorChanged,
): Promise<NewNotification | null> {
  const error = change === 'assigned' ? await findError(db, errorId) : null;
  if (!error?.assignee || error.state === 'ignored') return null;
  const { assignee_id, assignee, project, project_id: projectId, title } = error;
  const watches = await findErrorWatchers(db, { projectId, errorId, change });
  const userIds = [...watches.keys()].filter((id) => id !== assignee_id && id !== byId);
  if (userIds.length === 0) return null;
  return {
    ...{ projectId, watches, userIds },
    key: `watched-error-assigned:${errorId}:${assignee_id}`,
    type: 'info',
    ...titleAndMessage('watched_error_assigned', { project, assignee, error: title }),
    actionUrl: `/projects/${projectId}/errors/${errorId}`,
  };
}

type FoundError = NonNullable<Awaited<ReturnType<typeof findError>>>;

async function findError(db: Kysely<Database>, id: string) {
  const rows = await db
    .selectFrom('debug_groups as g')
    .innerJoin('projects as p', 'p.id', 'g.project_id')
    .innerJoin('project_members as m', 'm.project_id', 'g.project_id')
    .leftJoin('users as a', 'a.id', 'g.assignee_id')
    .where('g.id', '=', id)
    .where('g.merged_into', 'is', null)
    .select(['g.project_id', 'g.title', 'g.state', 'g.state_changed_at', 'g.assignee_id', 'g.first_seen'])
    .select(['p.name as project', 'm.user_id', 'a.username as assignee'])
    .execute();
  const [error] = rows;
  return error ? { ...error, members: rows.map(({ user_id }) => user_id) } : null;
}

/** Errors of the project that were first seen in the hour before one, and it. */
async function countNewErrors(db: Kysely<Database>, { project_id, first_seen }: FoundError): Promise<number> {
  const hour = new Date(first_seen.getTime() - 3_600_000);
  const { count } = await db
    .selectFrom('debug_groups')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('project_id', '=', project_id)
    .where('event_count', '>', 0)
    .where('first_seen', '>', hour)
    .where('first_seen', '<=', first_seen)
    .executeTakeFirstOrThrow();
  return Number(count);
}
