import { randomBytes } from 'node:crypto';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';

type HookDeps = Pick<Deps, 'db' | 'keys' | 'now'>;

const BOX_PURPOSE = 'webhook secret';
const SECRET_BYTES = 32;

/** Finds the webhook of a project, with its secret. */
export async function findHook({ db, keys }: Pick<Deps, 'db' | 'keys'>, projectId: string) {
  const row = await db
    .selectFrom('project_hooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!row) return null;
  const { sealed_secret, ...hook } = row;
  return { ...hook, secret: createBox(keys, BOX_PURPOSE).open(sealed_secret, projectId) };
}

/** Replaces the secret of a project’s webhook and returns the new one. */
export async function createHookSecret(
  { db, keys, now }: HookDeps,
  projectId: string,
  userId: string,
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const values = {
    sealed_secret: createBox(keys, BOX_PURPOSE).seal(secret, projectId),
    user_id: userId,
    created_at: now(),
  };
  await db
    .insertInto('project_hooks')
    .values({ project_id: projectId, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute();
  return secret;
}

/** Disables the webhook of a project. */
export async function deleteHook({ db }: Pick<Deps, 'db'>, projectId: string): Promise<void> {
  await db.deleteFrom('project_hooks').where('project_id', '=', projectId).execute();
}

/** Records the latest delivery, which the settings page shows. */
export async function recordDelivery(
  { db, now }: HookDeps,
  projectId: string,
  last_event: string,
  last_outcome: string,
) {
  await db
    .updateTable('project_hooks')
    .set({ last_delivery_at: now(), last_event, last_outcome })
    .where('project_id', '=', projectId)
    .execute();
}
