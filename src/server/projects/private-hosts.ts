import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';

const SETTING = 'private_hosts';
const MAX_HOSTS = 100;

/** Lists the private hosts that administrators have allowed, as `host` or `host:port`. */
export async function listPrivateHosts(db: Kysely<Database>): Promise<string[]> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  return (row?.value as { hosts?: string[] } | undefined)?.hosts ?? [];
}

/** Allows or blocks a private host; returns false when nothing changed. */
export async function setPrivateHost(
  db: Kysely<Database>,
  host: string,
  { allowed }: { allowed: boolean },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${SETTING}))`.execute(trx);
    const before = await listPrivateHosts(trx);
    if (before.includes(host) === allowed) return false;
    const hosts = allowed ? [...before, host] : before.filter((each) => each !== host);
    if (hosts.length > MAX_HOSTS)
      throw new AppError('conflict', 'too_many_hosts', { params: { limit: MAX_HOSTS } });
    const value = JSON.stringify({ hosts });
    await trx
      .insertInto('settings')
      .values({ key: SETTING, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: new Date() }))
      .execute();
    return true;
  });
}
