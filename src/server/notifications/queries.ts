import { type Kysely, type Selectable, sql } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import type { SocketMessage } from '#contract/events.ts';
import type { Notification, NotificationSubject } from '#contract/notifications.ts';
import type { WatchRef } from '#contract/watches.ts';
import { newId } from '#db/ids.ts';
import type { Database, NotificationsTable } from '#db/schema.ts';
import { subjectOf, titleCodes } from './notification-scope.ts';

/** A notification for one or more users. */
export interface NewNotification {
  userIds: string[];
  /** Project whose webhooks get it as well; absent for what concerns a person. */
  projectId?: string;
  /** Deduplication key: a second notification with the same key is dropped. */
  key: string;
  type: Notification['type'];
  title: Sentence;
  message: Sentence;
  actionUrl: string | null;
  /** Watches for which users get it. */
  watches?: ReadonlyMap<string, WatchRef>;
}

/** Deleted notifications can be restored this long. */
const UNDO_WINDOW_HOURS = 24;

function presentNotification(row: Selectable<NotificationsTable>): Notification {
  return {
    id: row.id,
    type: row.type,
    about: subjectOf(row.title.code),
    title: row.title.text,
    message: row.message.text,
    sentence: { title: row.title, message: row.message },
    read: row.read_at !== null,
    created_at: row.created_at.toISOString(),
    action_url: row.action_url,
    watch: row.watch,
  };
}

/** Inserts a row per user, unless one with this key exists; returns the new rows. */
export async function insertNotifications(
  db: Kysely<Database>,
  notification: NewNotification,
): Promise<Pick<Selectable<NotificationsTable>, 'user_id' | 'id'>[]> {
  if (notification.userIds.length === 0) return [];
  await db
    .deleteFrom('notifications')
    .where('user_id', 'in', notification.userIds)
    .where('deleted_at', '<', sql<Date>`now() - make_interval(hours => ${UNDO_WINDOW_HOURS})`)
    .execute();
  return await db
    .insertInto('notifications')
    .values(
      notification.userIds.map((userId) => ({
        user_id: userId,
        id: newId(),
        event_key: notification.key,
        type: notification.type,
        title: JSON.stringify(notification.title),
        message: JSON.stringify(notification.message),
        action_url: notification.actionUrl,
        watch: toJson(notification.watches?.get(userId)),
      })),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'event_key']).doNothing())
    .returning(['user_id', 'id'])
    .execute();
}

const toJson = (watch: WatchRef | undefined) => (watch ? JSON.stringify(watch) : null);

/** Lists a page of a user’s notifications, newest first. */
export async function listNotifications(
  db: Kysely<Database>,
  userId: string,
  page: { unread: boolean; about: NotificationSubject | undefined; skip: number; limit: number },
): Promise<Notification[]> {
  let query = visibleNotifications(db, userId);
  if (page.unread) query = query.where('read_at', 'is', null);
  if (page.about) query = query.where(sql`title->>'code'`, 'in', titleCodes(page.about));
  const rows = await query.selectAll().orderBy('id', 'desc').offset(page.skip).limit(page.limit).execute();
  return rows.map(presentNotification);
}

/** Finds a notification of the user; null when it does not exist or is deleted. */
export async function findNotification(
  db: Kysely<Database>,
  userId: string,
  id: string,
): Promise<Notification | null> {
  const row = await visibleNotifications(db, userId).selectAll().where('id', '=', id).executeTakeFirst();
  return row ? presentNotification(row) : null;
}

/** Unread notifications of a period with the name of their project, newest first. */
export async function listForDigest(
  db: Kysely<Database>,
  userId: string,
  { since, until, limit }: { since: Date; until: Date; limit: number },
) {
  return await visibleNotifications(db, userId)
    .leftJoin('projects as p', (join) =>
      join.on(
        sql<boolean>`p.id = coalesce(substring(notifications.action_url from '^/projects/([0-9a-f-]{36})'), (
          select s.project_id from debug_sessions s
          where s.id = substring(notifications.action_url from '^/debug/([0-9a-f-]{36})')))`,
      ),
    )
    .where('read_at', 'is', null)
    .where('notifications.created_at', '>', since)
    .where('notifications.created_at', '<=', until)
    .select(['title', 'watch', 'p.id as project_id', 'p.name as project'])
    .orderBy('notifications.id', 'desc')
    .limit(limit)
    .execute();
}

export async function countUnread(db: Kysely<Database>, userId: string): Promise<number> {
  const { count } = await visibleNotifications(db, userId)
    .where('read_at', 'is', null)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Socket message with the unread count and, when given, the new notification. */
export async function buildCountUpdate(
  db: Kysely<Database>,
  userId: string,
  newId?: string,
): Promise<SocketMessage> {
  const count = await countUnread(db, userId);
  const notification = newId === undefined ? null : await findNotification(db, userId, newId);
  return { type: 'notification_count_update', count, ...(notification && { notification }) };
}

/** Marks one notification as read, or all for a null `id`; false when nothing changed. */
export async function markRead(db: Kysely<Database>, userId: string, id: string | null): Promise<boolean> {
  let unread = db
    .updateTable('notifications')
    .set({ read_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where('deleted_at', 'is', null);
  if (id !== null) unread = unread.where('id', '=', id);
  const { numUpdatedRows } = await unread.executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes or restores a notification; false when nothing changed. */
export async function setDeleted(
  db: Kysely<Database>,
  userId: string,
  { id, deleted }: { id: string; deleted: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ deleted_at: deleted ? sql<Date>`now()` : null })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', deleted ? 'is' : 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notifications of a user that lead somewhere: not those of a project or session that is gone or no longer shared. */
function visibleNotifications(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('notifications')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where(targetExists(userId));
}

/** An id in `action_url` is looked up among what the user may see; other targets always exist. */
function targetExists(userId: string) {
  const idAfter = (folder: string) =>
    sql<string | null>`substring(notifications.action_url from ${`^/${folder}/([0-9a-f-]{36})`})`;
  return sql<boolean>`case
    when ${idAfter('projects')} is not null then exists (
      select 1 from project_members m where m.user_id = ${userId} and m.project_id::text = ${idAfter('projects')})
    when ${idAfter('debug')} is not null then exists (
      select 1 from debug_sessions s join project_members m on m.project_id = s.project_id
      where m.user_id = ${userId} and s.id::text = ${idAfter('debug')})
    else true end`;
}
