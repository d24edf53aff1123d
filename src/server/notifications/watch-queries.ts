import { type Kysely, type Selectable, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { MAX_WATCHES, type Watch, type WatchRef } from '#contract/watches.ts';
import { newId } from '#db/ids.ts';
import type { WatchesTable } from '#db/member-tables.ts';
import type { Database } from '#db/schema.ts';
import { lockUser } from '../identity/user-store.ts';
import type { WatchSubject } from './match-watch.ts';

type WatchRow = Selectable<WatchesTable>;

const MAX_LABEL_LENGTH = 200;

/** Lists the watches of a user, newest first, perhaps those of one project. */
export async function listWatches(
  db: Kysely<Database>,
  userId: string,
  projectId?: string,
): Promise<Watch[]> {
  let query = db
    .selectFrom('watches as w')
    .innerJoin('projects as p', 'p.id', 'w.project_id')
    .leftJoin('debug_groups as g', (join) =>
      join
        .onRef('g.project_id', '=', 'w.project_id')
        .onRef('g.id', '=', 'w.value')
        .on('w.kind', '=', 'error'),
    )
    .where('w.user_id', '=', userId);
  if (projectId !== undefined) query = query.where('w.project_id', '=', projectId);
  const rows = await query
    .selectAll('w')
    .select(['p.name as project_name', 'g.title'])
    .orderBy('w.id', 'desc')
    .limit(MAX_WATCHES)
    .execute();
  return rows.map(({ user_id: _, title, ...row }) => ({
    ...{ ...row, path: row.path || null, label: labelOf(row, title) },
    created_at: row.created_at.toISOString(),
    last_match_at: row.last_match_at?.toISOString() ?? null,
  }));
}

function labelOf({ kind, value }: Pick<WatchRow, 'kind' | 'value'>, title: string | null): string {
  return (kind === 'error' ? (title ?? '–') : value).slice(0, MAX_LABEL_LENGTH);
}

/** Names a watch as notifications do. */
export function toWatchRef({ id, kind, value }: WatchRow, title: string | null = null): WatchRef {
  return { id, kind, label: labelOf({ kind, value }, title) };
}

/** Creates a watch, unless the user has the same one; returns its id. Throws `conflict` beyond the limit. */
export async function createWatch(
  db: Kysely<Database>,
  { userId, projectId, subject }: { userId: string; projectId: string; subject: WatchSubject },
): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const known = await trx
      .selectFrom('watches')
      .select('id')
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .where('kind', '=', subject.kind)
      .where('value', '=', subject.value)
      .where('path', '=', subject.path)
      .where('match', '=', subject.match)
      .executeTakeFirst();
    if (known) return known.id;
    if ((await listWatches(trx, userId)).length >= MAX_WATCHES) {
      throw new AppError('conflict', 'watch_limit_reached', { params: { limit: MAX_WATCHES } });
    }
    const id = newId();
    await trx
      .insertInto('watches')
      .values({ id, project_id: projectId, user_id: userId, ...subject })
      .execute();
    return id;
  });
}

/** Deletes a watch of a user. Throws `not_found`. */
export async function deleteWatch(db: Kysely<Database>, userId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('watches')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('not_found', 'watch_not_found');
}

/** Watches of a project with the verified email of their users, whose own commits notify no one. */
export async function loadProjectWatches(
  db: Kysely<Database>,
  projectId: string,
): Promise<(WatchRow & { email: string | null })[]> {
  return await db
    .selectFrom('watches as w')
    .innerJoin('users as u', 'u.id', 'w.user_id')
    .selectAll('w')
    .select(sql<string | null>`case when u.email_verified_at is not null then lower(u.email) end`.as('email'))
    .where('w.project_id', '=', projectId)
    .where('u.is_active', '=', true)
    .orderBy('w.id')
    .execute();
}

/** Records that watches matched now. */
export async function recordMatches(db: Kysely<Database>, projectId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('watches')
    .set({ last_match_at: sql<Date>`now()` })
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute();
}
