import type { Kysely } from 'kysely';
import { DEFAULT_BASE_URLS } from '#assistant/models/base-urls.ts';
import type { OwnModelPolicy } from '#contract/own-models.ts';
import type { Database } from '#db/schema.ts';

const SETTING = 'own_models';

/** Until an administrator decides: the providers that everyone knows, so that code leaves for no other place. */
const DEFAULT_POLICY: OwnModelPolicy = {
  mode: 'listed',
  hosts: [DEFAULT_BASE_URLS.anthropic, DEFAULT_BASE_URLS.openai, DEFAULT_BASE_URLS.google].map(
    (url) => new URL(url!).host,
  ),
};

/** Reads which models people and projects may bring. */
export async function loadOwnModelPolicy(db: Kysely<Database>): Promise<OwnModelPolicy> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  return (row?.value as OwnModelPolicy | undefined) ?? DEFAULT_POLICY;
}

/** Stores which models people and projects may bring; it takes effect with the next call of each. */
export async function saveOwnModelPolicy(db: Kysely<Database>, policy: OwnModelPolicy): Promise<void> {
  const value = JSON.stringify({ ...policy, hosts: [...new Set(policy.hosts)] });
  await db
    .insertInto('settings')
    .values({ key: SETTING, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: new Date() }))
    .execute();
}
