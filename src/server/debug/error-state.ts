import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { ErrorChange, ErrorChangeResult } from '#contract/error-groups.ts';
import { AppError } from '#contract/errors.ts';
import type { DebugGroupsTable } from '#db/debug-tables.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../identity/access.ts';
import { projectReadOnlyByPlan, readOnlyByPlan } from '../identity/plan-access.ts';
import { isVisibleError } from '../project-data/visible-errors.ts';

type TriageRow = Pick<
  Selectable<DebugGroupsTable>,
  'state' | 'solved_in' | 'solved_after' | 'snoozed_until' | 'snoozed_count' | 'snoozed_release' | 'count'
> & { assignee_id: string | null; assignee: string | null };

/** State, assignee, release and snoozing of an error, as the contract has them. */
export function presentTriage(row: TriageRow) {
  const { snoozed_until: until, snoozed_count: count, snoozed_release: after_release } = row;
  const events = count === null ? null : Math.max(0, count - row.count);
  return {
    state: row.state,
    assignee:
      row.assignee_id !== null && row.assignee !== null
        ? { id: row.assignee_id, username: row.assignee }
        : null,
    solved_in: row.solved_in,
    solved_after: row.solved_after,
    snooze: row.state === 'snoozed' ? { until: until?.toISOString() ?? null, events, after_release } : null,
  };
}

type IdentifiedChange = ErrorChange & { id: string };

/**
 * Changes errors in the caller's projects, all or none. Throws `not_found` for an error that the caller may not see, and
 * `read_only` for one in a project that the caller may not change.
 */
export async function changeErrors(
  db: Kysely<Database>,
  caller: Caller,
  changes: IdentifiedChange[],
  now: Date,
): Promise<(ErrorChangeResult & { project_id: string; isAssigned: boolean })[]> {
  const wanted = new Map(changes.map((change) => [change.id, change]));
  return await db.transaction().execute(async (trx) => {
    const groups = await lockErrors(trx, caller, [...wanted.keys()]);
    const assignees = await loadAssignees(trx, groups, changes);
    const results = [];
    for (const group of groups) {
      const change = wanted.get(group.id)!;
      const next = { ...group, ...changedFields(group, change, now) };
      if (change.assignee !== undefined) {
        next.assignee_id = change.assignee;
        next.assignee = change.assignee && assignees.get(change.assignee)!;
      }
      await updateGroup(trx, next, { isStateChange: next.state !== group.state, userId: caller.userId, now });
      const previous = presentTriage(group);
      results.push({
        ...{
          id: group.id,
          project_id: group.project_id,
          ...presentTriage(next),
          previous_state: group.state,
          previous,
        },
        isAssigned: next.assignee_id !== null && next.assignee_id !== group.assignee_id,
      });
    }
    return results;
  });
}

/** Throws `plan_limit` for an error in a project of the caller that its owner's plan has made read-only. */
export async function requireWritableErrors(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  { userId }: Caller,
  changes: readonly { id: string }[],
): Promise<void> {
  if (deps.config.razorpay === null) return;
  const ids = changes.map(({ id }) => id);
  const refused = await deps.db
    .selectFrom('debug_groups as g')
    .innerJoin('project_members as m', 'm.project_id', 'g.project_id')
    .select('g.id')
    .where('m.user_id', '=', userId)
    .where('m.role', '<>', 'viewer')
    .where('g.id', 'in', ids)
    .where(readOnlyByPlan(deps, 'g.project_id'))
    .executeTakeFirst();
  if (refused) throw projectReadOnlyByPlan();
}

type LockedError = TriageRow & { id: string; project_id: string };

/** Locks errors of the caller's projects. Throws `not_found` unless all are visible, and `read_only` for a viewer. */
export async function lockErrors(
  db: Kysely<Database>,
  { userId }: Caller,
  ids: string[],
): Promise<LockedError[]> {
  const groups = await db
    .selectFrom('debug_groups as g')
    .innerJoin('project_members as m', 'm.project_id', 'g.project_id')
    .select(['g.id', 'g.project_id', 'g.state', 'g.solved_in', 'g.snoozed_until', 'g.snoozed_count'])
    .select(['g.count', 'g.assignee_id', 'g.solved_after', 'g.snoozed_release', 'm.role'])
    .select((eb) =>
      eb.selectFrom('users as u').select('u.username').whereRef('u.id', '=', 'g.assignee_id').as('assignee'),
    )
    .where('m.user_id', '=', userId)
    .where('g.id', 'in', ids)
    .where(isVisibleError(userId))
    // One order for all callers, so that two of them cannot wait for each other.
    .orderBy('g.id')
    .forUpdate('g')
    .execute();
  if (groups.length < ids.length) throw new AppError('not_found', 'error_not_found');
  if (groups.some(({ role }) => role === 'viewer')) throw new AppError('read_only', 'role_too_low');
  return groups.map(({ role: _, ...group }) => group);
}

/** Names of the assignees by id. Throws `bad_request` for one who is not a member of the error's project. */
async function loadAssignees(
  db: Kysely<Database>,
  groups: LockedError[],
  changes: IdentifiedChange[],
): Promise<Map<string, string>> {
  const projectOf = new Map(groups.map(({ id, project_id }) => [id, project_id]));
  const pairs = changes.flatMap(({ id, assignee }) => (assignee ? [`${projectOf.get(id)} ${assignee}`] : []));
  if (pairs.length === 0) return new Map();
  const rows = await db
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.project_id', 'u.id', 'u.username'])
    .where('m.project_id', 'in', [...new Set(projectOf.values())])
    .where('m.user_id', 'in', [...new Set(changes.flatMap(({ assignee }) => assignee ?? []))])
    .execute();
  const found = new Set(rows.map(({ project_id, id }) => `${project_id} ${id}`));
  if (pairs.some((pair) => !found.has(pair))) throw new AppError('bad_request', 'assignee_not_member');
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/** Fields of a new state; those of the former one are cleared. */
function changedFields(
  { count }: LockedError,
  { state, solved_in, solved_after, snooze }: ErrorChange,
  now: Date,
): Partial<TriageRow> {
  if (state === undefined) return {};
  const until = snooze?.until ? new Date(snooze.until) : null;
  if (until && until <= now) throw new AppError('bad_request', 'snooze_in_past');
  return {
    state,
    solved_in: state === 'solved' ? (solved_in ?? null) : null,
    solved_after: state === 'solved' ? (solved_after ?? null) : null,
    snoozed_until: state === 'snoozed' ? until : null,
    snoozed_count: state === 'snoozed' && snooze?.events ? count + snooze.events : null,
    snoozed_release: state === 'snoozed' ? (snooze?.after_release ?? null) : null,
  };
}

async function updateGroup(
  db: Kysely<Database>,
  error: LockedError,
  { isStateChange, userId, now }: { isStateChange: boolean; userId: string; now: Date },
): Promise<void> {
  const changed: Updateable<DebugGroupsTable> = isStateChange
    ? { state_changed_at: now, state_changed_by: userId }
    : {};
  const { id, project_id, state, solved_in, solved_after, snoozed_until, snoozed_count, snoozed_release } =
    error;
  await db
    .updateTable('debug_groups')
    .set({ state, solved_in, solved_after, snoozed_until, snoozed_count, snoozed_release })
    .set({ assignee_id: error.assignee_id, ...changed })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

/** Reopens errors whose snoozing has ended by time. Returns those errors. */
export async function reopenSnoozed(
  db: Kysely<Database>,
  limit: number,
): Promise<{ id: string; project_id: string }[]> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    update debug_groups set state = 'open', state_changed_at = now(), state_changed_by = null,
      snoozed_until = null, snoozed_count = null, snoozed_release = null
    where id in (
      select id from debug_groups where state = 'snoozed' and snoozed_until <= now()
      order by id limit ${limit} for update skip locked
    )
    returning id, project_id`.execute(db);
  return rows;
}
