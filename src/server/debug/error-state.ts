import { type Kysely, sql, type Transaction } from 'kysely';
import type { ErrorState } from '#contract/error-groups.ts';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import type { Caller } from '../identity/access.ts';

interface Occurrence {
  project_id: string;
  fingerprint: string;
}

/** Counts an occurrence of an error, in total and by day. A solved error that recurs becomes regressed. */
export async function recordOccurrence(
  db: Transaction<Database>,
  { project_id, fingerprint }: Occurrence,
): Promise<void> {
  await db
    .insertInto('debug_groups')
    .values({ project_id, fingerprint })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'fingerprint']).doUpdateSet({
        last_seen: sql<Date>`now()`,
        count: sql<number>`debug_groups.count + 1`,
        state: sql`case when debug_groups.state = 'solved' then 'regressed' else debug_groups.state end`,
        state_changed_at: sql`case when debug_groups.state = 'solved' then now() else debug_groups.state_changed_at end`,
        state_changed_by: sql`case when debug_groups.state = 'solved' then null else debug_groups.state_changed_by end`,
      }),
    )
    .execute();
  await db
    .insertInto('debug_group_days')
    .values({ project_id, fingerprint, day: sql<string>`(now() at time zone 'utc')::date` })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'fingerprint', 'day'])
        .doUpdateSet({ count: sql<number>`debug_group_days.count + 1` }),
    )
    .execute();
}

/** A change of the state of one error. */
interface StateChange {
  id: string;
  state: ErrorState;
}

/**
 * Changes the state of errors in the caller's projects, all or none. Throws `not_found` for an error that the caller may not
 * see, and `read_only` for one in a project that the caller may not change.
 */
export async function changeErrorStates(
  db: Kysely<Database>,
  caller: Caller,
  changes: StateChange[],
  now: Date,
): Promise<(StateChange & { previous_state: ErrorState })[]> {
  const wanted = new Map(changes.map(({ id, state }) => [id, state]));
  return await db.transaction().execute(async (trx) => {
    const groups = await trx
      .selectFrom('debug_groups as g')
      .innerJoin('project_members as m', 'm.project_id', 'g.project_id')
      .select(['g.id', 'g.state', 'm.role'])
      .where('m.user_id', '=', caller.userId)
      .where('g.id', 'in', [...wanted.keys()])
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('debug_sessions as s')
            .whereRef('s.project_id', '=', 'g.project_id')
            .whereRef('s.fingerprint', '=', 'g.fingerprint')
            .where((eb) => eb.or([eb('s.draft', '=', false), eb('s.user_id', '=', caller.userId)])),
        ),
      )
      // One order for all callers, so that two of them cannot wait for each other.
      .orderBy('g.id')
      .forUpdate('g')
      .execute();
    if (groups.length < wanted.size) throw new AppError('not_found', 'error_not_found');
    if (groups.some(({ role }) => role === 'viewer')) throw new AppError('read_only', 'role_too_low');
    const results = groups.map(({ id, state: previous_state }) => ({
      id,
      previous_state,
      state: wanted.get(id)!,
    }));
    for (const { id, state, previous_state } of results) {
      if (state === previous_state) continue;
      await trx
        .updateTable('debug_groups')
        .set({ state, state_changed_at: now, state_changed_by: caller.userId })
        .where('id', '=', id)
        .execute();
    }
    return results;
  });
}
