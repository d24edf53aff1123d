import { randomBytes } from 'node:crypto';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';

type Needs = Pick<Deps, 'db' | 'keys' | 'now'>;

const PURPOSE = 'webhook secret';
const SECRET_BYTES = 32;

/** The hook of a project with its secret, or null. */
export async function findHook({ db, keys }: Pick<Deps, 'db' | 'keys'>, projectId: string) {
  const row = await db
    .selectFrom('project_hooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!row) return null;
  const { sealed_secret, ...hook } = row;
  return { ...hook, secret: createBox(keys, PURPOSE).open(sealed_secret, projectId) };
}

/** Makes a secret in the place of an old one, and returns it. */
export async function createHookSecret(
  { db, keys, now }: Needs,
  projectId: string,
  userId: string,
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const values = {
    sealed_secret: createBox(keys, PURPOSE).seal(secret, projectId),
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

/** Accepts no more webhooks. */
export async function deleteHook({ db }: Pick<Deps, 'db'>, projectId: string): Promise<void> {
  await db.deleteFrom('project_hooks').where('project_id', '=', projectId).execute();
}

/** Notes what came last, for the people who set the hook up. */
export async function recordDelivery(
  { db, now }: Needs,
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
