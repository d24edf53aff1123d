import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { ApiKeyRow, KeyScope } from '#contract/keys.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { API_KEY_PREFIX } from '../identity/access.ts';
import { lockUser } from '../identity/user-store.ts';

const MAX_KEYS_PER_USER = 50;
const PREFIX_LENGTH = API_KEY_PREFIX.length + 6;

/** Values of a new API key. */
interface NewApiKey {
  userId: string;
  name: string;
  scope: KeyScope;
  projectId: string | null;
  expiresAt: Date | null;
}

/**
 * Creates a key of 256 random bits, of which only the SHA-256 is stored. Throws `conflict` over the limit per user.
 */
export async function insertKey(
  db: Transaction<Database>,
  values: NewApiKey,
): Promise<{ key: string; row: ApiKeyRow }> {
  await lockUser(db, values.userId);
  const { count } = await activeKeys(db, values.userId)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_KEYS_PER_USER) {
    throw new AppError('conflict', 'api_key_limit_reached', {
      params: { limit: MAX_KEYS_PER_USER },
      reason: 'too_many_keys',
    });
  }
  const key = API_KEY_PREFIX + randomBytes(32).toString('base64url');
  const id = newId();
  await db
    .insertInto('api_keys')
    .values({
      id,
      user_id: values.userId,
      name: values.name,
      prefix: key.slice(0, PREFIX_LENGTH),
      digest: createHash('sha256').update(key).digest('base64url'),
      scope: values.scope,
      project_id: values.projectId,
      expires_at: values.expiresAt,
    })
    .execute();
  const row = (await listKeys(db, values.userId)).find((key) => key.id === id)!;
  return { key, row };
}

/**
 * Lists the keys that are not revoked, newest first. Expired ones are included, since they explain why a client
 * fails.
 */
export async function listKeys(db: Kysely<Database>, userId: string): Promise<ApiKeyRow[]> {
  const rows = await activeKeys(db, userId)
    // Former members do not see the current name of the project.
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

/** Revokes a key of the user and returns its name. Throws `not_found`. */
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
  if (!row) throw new AppError('not_found', 'api_key_not_found');
  return row.name;
}

function activeKeys(db: Kysely<Database>, userId: string) {
  return db.selectFrom('api_keys as k').where('k.user_id', '=', userId).where('k.revoked_at', 'is', null);
}
