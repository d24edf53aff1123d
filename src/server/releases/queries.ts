import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Release } from '#contract/releases.ts';
import type { Database } from '#db/schema.ts';
import type { KnownRelease } from '../project-data/release-order.ts';

/** Releases of a project that calls may create. */
const MAX_RELEASES = 5_000;

interface NewRelease {
  projectId: string;
  version: string;
  commit: string;
  userId: string;
}

/** Creates a release, or replaces the commit of the one with this name. Throws `too_large` for too many. */
export async function saveRelease(
  db: Kysely<Database>,
  { projectId: project_id, version, commit, userId }: NewRelease,
): Promise<void> {
  const { count } = await db
    .selectFrom('releases')
    .where('project_id', '=', project_id)
    .where('version', '!=', version)
    .select((select) => select.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= 2 * MAX_RELEASES)
    throw new AppError('too_large', 'release_limit_reached', { params: { limit: 2 * MAX_RELEASES } });
  const values = { commit, created_by: userId };
  await db
    .insertInto('releases')
    .values({ project_id, version, ...values })
    .onConflict((conflict) => conflict.columns(['project_id', 'version']).doUpdateSet(values))
    .execute();
}

/** Deletes a release that was created; one that events name keeps its times. Returns its name, or throws `not_found`. */
export async function deleteRelease(db: Kysely<Database>, projectId: string, id: string): Promise<string> {
  const row = await db
    .updateTable('releases')
    .set({ commit: null, created_by: null })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('commit', 'is not', null)
    .returning(['version', 'first_event'])
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'release_not_found');
  if (row.first_event === null) {
    await db.deleteFrom('releases').where('project_id', '=', projectId).where('id', '=', id).execute();
  }
  return row.version;
}

interface ErrorCounts {
  errors: number;
  new_errors: number;
  regressed_errors: number;
}

/** Counts the errors with events of each release, those whose first event was of it, and those that came back in it. */
export async function countErrorsByRelease(
  db: Kysely<Database>,
  projectId: string,
  versions: string[],
): Promise<Map<string, ErrorCounts>> {
  if (versions.length === 0) return new Map();
  const { rows } = await sql<ErrorCounts & { version: string }>`
    select v.value as version, count(distinct g.id) filter (where v.kind = 'release')::int as errors,
      count(distinct g.id) filter (where g.first_release = v.value)::int as new_errors,
      count(distinct g.id) filter (where v.kind = 'regression')::int as regressed_errors
    from debug_group_values v
    join debug_group_keys k on k.project_id = v.project_id and k.key = v.key
    join debug_groups g on g.project_id = k.project_id and g.fingerprint = k.fingerprint
    where v.project_id = ${projectId} and v.kind in ('release', 'regression') and v.name = '' and v.value = any(${versions}::text[])
    group by v.value`.execute(db);
  return new Map(rows.map(({ version, ...counts }) => [version, counts]));
}

/** Presents a release with the counts of its errors. */
export function presentRelease(
  { time, ...release }: KnownRelease,
  { previous, ...counts }: { previous: string | null } & Partial<ErrorCounts>,
): Release {
  const none = { errors: 0, new_errors: 0, regressed_errors: 0 };
  return { ...release, timestamp: time?.toISOString() ?? null, previous, ...none, ...counts };
}
