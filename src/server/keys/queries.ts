import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { ApiKeyRow, KeyScope } from '#contract/keys.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { KEY_START } from '../access.ts';
import { lockUser } from '../users.ts';

/** Keys of one person; more are a sign that something makes them. */
const MOST_KEYS = 50;
const SHOWN = KEY_START.length + 6;

/** What a new key is to be. */
export interface KeyValues {
  userId: string;
  name: string;
  scope: KeyScope;
  projectId: string | null;
  expiresAt: Date | null;
}

/** Makes a key of 256 random bits, of which only the SHA-256 is stored; keys of one person one after the other. Throws `conflict` beyond fifty. */
export async function insertKey(
  db: Transaction<Database>,
  values: KeyValues,
): Promise<{ key: string; row: ApiKeyRow }> {
  await lockUser(db, values.userId);
  const { count } = await standing(db, values.userId)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_KEYS) {
    throw new AppError('conflict', `You have ${MOST_KEYS} keys. Revoke one that is not used any more.`, {
      reason: 'too_many_keys',
    });
  }
  const key = KEY_START + randomBytes(32).toString('base64url');
  const id = newId();
  await db
    .insertInto('api_keys')
    .values({
      id,
      user_id: values.userId,
      name: values.name,
      prefix: key.slice(0, SHOWN),
      digest: createHash('sha256').update(key).digest('base64url'),
      scope: values.scope,
      project_id: values.projectId,
      expires_at: values.expiresAt,
    })
    .execute();
  const row = (await listKeys(db, values.userId)).find((one) => one.id === id)!;
  return { key, row };
}

/** The keys that somebody has not revoked, newest first; ended ones stay, so that one sees why a program fails. */
export async function listKeys(db: Kysely<Database>, userId: string): Promise<ApiKeyRow[]> {
  const rows = await standing(db, userId)
    // Whoever is no longer a member is not told what a project is called by now.
    .leftJoin('project_members as m', (join) =>
      join.onRef('m.project_id', '=', 'k.project_id').onRef('m.user_id', '=', 'k.user_id'),
    )
    .leftJoin('projects as p', 'p.id', 'm.project_id')
    .select(['k.id', 'k.name', 'k.prefix', 'k.scope', 'k.created_at', 'k.expires_at', 'k.last_used_at'])
    .select(['k.project_id', 'p.name as project_name'])
    .orderBy('k.id', 'desc')
    .execute();
  return rows.map(({ project_id, project_name, ...row }) => ({
    ...row,
    project: project_id === null ? null : { id: project_id, name: project_name },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }));
}

/** Revokes one of somebody's keys and returns its name. Throws `not_found`. */
export async function revokeKey(
  db: Kysely<Database>,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<string> {
  const row = await db
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'There is no such key.');
  return row.name;
}

function standing(db: Kysely<Database>, userId: string) {
  return db.selectFrom('api_keys as k').where('k.user_id', '=', userId).where('k.revoked_at', 'is', null);
}
