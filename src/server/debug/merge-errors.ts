import { type Kysely, sql, type Transaction } from 'kysely';
import { MAX_ERROR_KEYS } from '#contract/error-groups.ts';
import { AppError } from '#contract/errors.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';

interface LockedGroup {
  id: string;
  fingerprint: string;
  merged_into: string | null;
}

interface Merge {
  projectId: string;
  into: string;
  errors: string[];
}

/** Merges errors of a project into one, and returns the keys that each brought along. */
export async function mergeErrors(
  db: Kysely<Database>,
  { projectId, into, errors }: Merge,
): Promise<{ id: string; keys: string[] }[]> {
  const ids = [...new Set(errors)];
  if (ids.includes(into)) throw new AppError('bad_request', 'error_merge_itself');
  return await db.transaction().execute(async (trx) => {
    const groups = await lockGroups(trx, projectId, [into, ...ids]);
    if (groups.some((group) => group.merged_into !== null))
      throw new AppError('not_found', 'error_not_found');
    const target = groups.find(({ id }) => id === into)!;
    const sources = groups.filter(({ id }) => id !== into);
    const merged = [];
    for (const source of sources) {
      const keys = await keysOf(trx, projectId, source.fingerprint);
      await moveKeys(trx, projectId, keys, target.fingerprint);
      await setMergedInto(trx, projectId, source.id, into);
      merged.push({ id: source.id, keys });
    }
    await requireFewKeys(trx, projectId, target.fingerprint);
    await recount(trx, projectId, [target.fingerprint]);
    return merged;
  });
}

async function setMergedInto(
  db: Transaction<Database>,
  projectId: string,
  id: string,
  into: string | null,
): Promise<void> {
  await db
    .updateTable('debug_groups')
    .set({ merged_into: into })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

interface Split {
  projectId: string;
  from: string;
  keys: string[];
  /** An error that was merged into this one. */
  into?: string | undefined;
}

/** Splits keys off an error, into one that was merged into it or into a new one. Returns the id of that error. */
export async function splitError(
  db: Kysely<Database>,
  { projectId, from, keys, into }: Split,
): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    const groups = await lockGroups(trx, projectId, into === undefined ? [from] : [from, into]);
    const source = groups.find(({ id }) => id === from)!;
    const restored = groups.find(({ id }) => id === into);
    if (source.merged_into !== null || (restored && restored.merged_into !== from))
      throw new AppError('not_found', 'error_not_found');
    const own = new Set(await keysOf(trx, projectId, source.fingerprint));
    const chosen = [...new Set(keys)];
    if (!chosen.every((key) => own.has(key))) throw new AppError('not_found', 'error_key_not_found');
    if (chosen.length === own.size) throw new AppError('bad_request', 'error_split_all');
    const target = restored ?? (await createGroup(trx, projectId, source));
    await moveKeys(trx, projectId, chosen, target.fingerprint);
    await setMergedInto(trx, projectId, target.id, null);
    await recount(trx, projectId, [source.fingerprint, target.fingerprint]);
    return target.id;
  });
}

/** Locks errors of a project in the order of all transactions. Throws `not_found` unless all are there. */
export async function lockGroups(
  db: Transaction<Database>,
  projectId: string,
  ids: string[],
): Promise<LockedGroup[]> {
  const groups = await db
    .selectFrom('debug_groups')
    .select(['id', 'fingerprint', 'merged_into'])
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (groups.length < new Set(ids).size) throw new AppError('not_found', 'error_not_found');
  return groups;
}

async function keysOf(db: Transaction<Database>, projectId: string, fingerprint: string): Promise<string[]> {
  const rows = await db
    .selectFrom('debug_group_keys')
    .select('key')
    .where('project_id', '=', projectId)
    .where('fingerprint', '=', fingerprint)
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
}

const INHERITED = [
  ...(['state', 'assignee_id', 'solved_in', 'state_changed_at', 'level', 'culprit'] as const),
  ...(['solved_after', 'snoozed_until', 'snoozed_count', 'snoozed_release'] as const),
] as const;

/** Creates a group without keys, in the state of the one that it is split from. */
export async function createGroup(
  db: Transaction<Database>,
  projectId: string,
  { id }: LockedGroup,
): Promise<LockedGroup> {
  const fingerprint = newId();
  return await db
    .insertInto('debug_groups')
    .columns(['project_id', 'fingerprint', ...INHERITED])
    .expression((eb) =>
      eb
        .selectFrom('debug_groups')
        .select([eb.val(projectId).as('project_id'), eb.val(fingerprint).as('fingerprint')])
        .select([...INHERITED])
        .where('id', '=', id),
    )
    .returning(['id', 'fingerprint', 'merged_into'])
    .executeTakeFirstOrThrow();
}

/** Moves keys with their answers to another group. */
async function moveKeys(
  db: Transaction<Database>,
  projectId: string,
  keys: string[],
  fingerprint: string,
): Promise<void> {
  if (keys.length === 0) return;
  await db
    .updateTable('debug_group_keys')
    .set({ fingerprint })
    .where('project_id', '=', projectId)
    .where('key', 'in', keys)
    .execute();
  await sql`
    update debug_sessions set key = coalesce(key, fingerprint), fingerprint = ${fingerprint}
    where project_id = ${projectId} and coalesce(key, fingerprint) = any(${keys}::text[])`.execute(db);
}

async function requireFewKeys(
  db: Transaction<Database>,
  projectId: string,
  fingerprint: string,
): Promise<void> {
  if ((await keysOf(db, projectId, fingerprint)).length > MAX_ERROR_KEYS)
    throw new AppError('too_large', 'error_too_many_keys', { params: { limit: MAX_ERROR_KEYS } });
}

/** Computes counts, times, title and releases of groups from their keys. */
export async function recount(
  db: Transaction<Database>,
  projectId: string,
  fingerprints: string[],
): Promise<void> {
  await sql`
    update debug_groups g set
      count = k.count, event_count = k.events, first_seen = k.first, last_seen = k.last,
      title = coalesce(nullif(k.title, ''), g.title),
      first_release = r.first, last_release = r.last,
      investigation = case when k.events > 0 and not exists (
        select from debug_sessions s where s.project_id = g.project_id and s.fingerprint = g.fingerprint
      ) and g.investigation = 'done' then 'waiting' else g.investigation end
    from (
      select fingerprint, sum(count)::int as count, sum(event_count)::int as events, min(first_seen) as first,
        max(last_seen) as last, (array_agg(title order by last_seen desc) filter (where title <> ''))[1] as title
      from debug_group_keys
      where project_id = ${projectId} and fingerprint = any(${fingerprints}::text[]) and count > 0
      group by fingerprint
    ) k
    left join lateral (
      select (array_agg(v.value order by v.first_seen))[1] as first, (array_agg(v.value order by v.last_seen desc))[1] as last
      from debug_group_values v join debug_group_keys k2 on k2.project_id = v.project_id and k2.key = v.key
      where v.project_id = ${projectId} and k2.fingerprint = k.fingerprint and v.kind = 'release'
    ) r on true
    where g.project_id = ${projectId} and g.fingerprint = k.fingerprint`.execute(db);
}
