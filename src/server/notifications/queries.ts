import { type Kysely, type Selectable, sql } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import type { SocketMessage } from '#contract/events.ts';
import type { Notification } from '#contract/notifications.ts';
import { newId } from '#db/ids.ts';
import type { Database, NotificationsTable } from '#db/schema.ts';

/** Something that people are to be told once. */
export interface NewNotification {
  userIds: string[];
  /** Names what happened; of two notices with one key the second is dropped. */
  key: string;
  type: Notification['type'];
  title: Sentence;
  message: Sentence;
  actionUrl: string | null;
}

/** How long a deleted one can be brought back. */
const KEPT_HOURS = 24;

/** A row as the API shows it. */
export function presentNotification(row: Selectable<NotificationsTable>): Notification {
  return {
    id: row.id,
    type: row.type,
    title: row.title.text,
    message: row.message.text,
    sentence: { title: row.title, message: row.message },
    read: row.read_at !== null,
    created_at: row.created_at.toISOString(),
    action_url: row.action_url,
  };
}

/** Tells everyone whom the notice concerns, unless they were told before; returns the new rows. */
export async function insertNotifications(
  db: Kysely<Database>,
  notice: NewNotification,
): Promise<Pick<Selectable<NotificationsTable>, 'user_id' | 'id'>[]> {
  if (notice.userIds.length === 0) return [];
  await db
    .deleteFrom('notifications')
    .where('user_id', 'in', notice.userIds)
    .where('deleted_at', '<', sql<Date>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute();
  return await db
    .insertInto('notifications')
    .values(
      notice.userIds.map((userId) => ({
        user_id: userId,
        id: newId(),
        event_key: notice.key,
        type: notice.type,
        title: JSON.stringify(notice.title),
        message: JSON.stringify(notice.message),
        action_url: notice.actionUrl,
      })),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'event_key']).doNothing())
    .returning(['user_id', 'id'])
    .execute();
}

/** A page of a user's notifications, newest first. */
export async function listNotifications(
  db: Kysely<Database>,
  userId: string,
  page: { unread: boolean; skip: number; limit: number },
): Promise<Notification[]> {
  let mine = standing(db, userId);
  if (page.unread) mine = mine.where('read_at', 'is', null);
  const rows = await mine.selectAll().orderBy('id', 'desc').offset(page.skip).limit(page.limit).execute();
  return rows.map(presentNotification);
}

/** One of a user's notifications; null when it is not there, deleted or somebody else's. */
export async function findNotification(
  db: Kysely<Database>,
  userId: string,
  id: string,
): Promise<Notification | null> {
  const row = await standing(db, userId).selectAll().where('id', '=', id).executeTakeFirst();
  return row ? presentNotification(row) : null;
}

/** How many notifications a user has not read. */
export async function countUnread(db: Kysely<Database>, userId: string): Promise<number> {
  const { count } = await standing(db, userId)
    .where('read_at', 'is', null)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What a user's sockets are told: how many are unread and, when one is new, that one. */
export async function buildCountUpdate(
  db: Kysely<Database>,
  userId: string,
  newId?: string,
): Promise<SocketMessage> {
  const count = await countUnread(db, userId);
  const notification = newId === undefined ? null : await findNotification(db, userId, newId);
  return { type: 'notification_count_update', count, ...(notification && { notification }) };
}

/** Marks one as read, or all of them when `id` is null; false when there was nothing to mark. */
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

/** Deletes one, or brings it back; false when there is none to do so with. */
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

function standing(db: Kysely<Database>, userId: string) {
  return db.selectFrom('notifications').where('user_id', '=', userId).where('deleted_at', 'is', null);
}
