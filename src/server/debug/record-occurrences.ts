import { type Selectable, sql, type Transaction } from 'kysely';
import type { ErrorGroup } from '#contract/error-groups.ts';
import type { DebugGroupsTable } from '#db/debug-tables.ts';
import type { Database } from '#db/schema.ts';
import { countByKey, lockGroupsOf } from './group-keys.ts';

type GroupRow = Selectable<DebugGroupsTable>;

/** Occurrences of one key that are counted together. */
export interface KeyOccurrences {
  key: string;
  /** Fingerprints that older versions computed for the same error. */
  formerKeys?: string[];
  /** First line of the newest; null for one that only its author may see. */
  title: string | null;
  culprit?: string | null;
  /** Oldest first. */
  times: Date[];
  /** Set for events. */
  events?: { level: ErrorGroup['level']; firstRelease: string | null; lastRelease: string | null };
  /** Finds the recurrence of a solved error; absent when every occurrence is one. */
  findRecurrence?: (
    group: Pick<GroupRow, 'solved_in' | 'solved_after' | 'state_changed_at'>,
  ) => Recurrence | null;
  /** True when one is of a release after this one. */
  isNewerThan?: (release: string) => boolean;
}

/** Occurrence of an error after it was solved. */
interface Recurrence {
  at: Date;
  release: string | null;
}

/** Effect of occurrences on their group. */
export interface GroupEffect {
  id: string;
  key: string;
  /** Of the group. */
  fingerprint: string;
  change: 'new' | 'regressed' | 'woken' | null;
  /** Set for a regressed error. */
  recurrence: Recurrence | null;
}

type Change = Pick<GroupEffect, 'change' | 'recurrence'>;

/**
 * Counts occurrences of errors of one project, each key once in the list. A solved error that recurs becomes regressed, and a
 * snoozed one is open again after its number of events or in a newer release.
 */
export async function recordOccurrences(
  db: Transaction<Database>,
  projectId: string,
  list: KeyOccurrences[],
): Promise<GroupEffect[]> {
  const groups = await lockGroupsOf(db, projectId, list);
  const effects: GroupEffect[] = [];
  for (const occurrences of list) {
    // Two keys of one group share the row.
    const group = groups.get(occurrences.key)!;
    const change = addOccurrences(group, occurrences);
    effects.push({ id: group.id, key: occurrences.key, fingerprint: group.fingerprint, ...change });
  }
  await saveGroups(db, [...new Set(groups.values())]);
  const counts = list.map(({ key, title, times, events }) => ({ key, title, times, isEvent: !!events }));
  await countByKey(db, projectId, counts);
  return effects;
}

/** Counts an occurrence of an error that was not an event, and returns its group. */
export async function recordOccurrence(
  db: Transaction<Database>,
  {
    project_id,
    ...occurrence
  }: { project_id: string } & Pick<KeyOccurrences, 'key' | 'formerKeys' | 'title'>,
): Promise<GroupEffect> {
  const [effect] = await recordOccurrences(db, project_id, [{ ...occurrence, times: [new Date()] }]);
  return effect!;
}

/** Adds occurrences to a group in memory, and returns the change of its state. */
function addOccurrences(group: GroupRow, occurrences: KeyOccurrences): Change {
  const { times, events, title, culprit } = occurrences;
  const [first, last] = [times[0]!, times.at(-1)!];
  const isNew = group.count === 0;
  const isNewest = isNew || last >= group.last_seen;
  if (isNew || first < group.first_seen) group.first_seen = first;
  if (isNewest) {
    group.last_seen = last;
    group.title = title ?? group.title;
    group.culprit = culprit ?? group.culprit;
    group.level = events?.level ?? group.level;
    group.last_release = events?.lastRelease ?? group.last_release;
  }
  if (events && group.event_count === 0) group.first_release = events.firstRelease;
  group.count += times.length;
  if (events) group.event_count += times.length;
  if (isNew) return { change: 'new', recurrence: null };
  return (
    endSolution(group, occurrences) ?? endSnoozing(group, occurrences) ?? { change: null, recurrence: null }
  );
}

function endSolution(group: GroupRow, { times, findRecurrence }: KeyOccurrences): Change | null {
  if (group.state !== 'solved') return null;
  const last = times.at(-1)!;
  const recurrence = findRecurrence ? findRecurrence(group) : { at: last, release: null };
  if (!recurrence) return null;
  changeState(group, 'regressed', last);
  return { change: 'regressed', recurrence };
}

function endSnoozing(group: GroupRow, { times, isNewerThan }: KeyOccurrences): Change | null {
  const { state, snoozed_count: count, snoozed_release: release } = group;
  const isOver = (count !== null && group.count >= count) || (release !== null && isNewerThan?.(release));
  if (state !== 'snoozed' || !isOver) return null;
  changeState(group, 'open', times.at(-1)!);
  return { change: 'woken', recurrence: null };
}

function changeState(group: GroupRow, state: 'regressed' | 'open', at: Date): void {
  Object.assign(group, {
    ...{ state, state_changed_at: at, state_changed_by: null },
    ...{ solved_in: null, solved_after: null },
    ...{ snoozed_until: null, snoozed_count: null, snoozed_release: null },
  });
}

async function saveGroups(db: Transaction<Database>, groups: GroupRow[]): Promise<void> {
  await sql`
    update debug_groups g set
      title = o.title, culprit = o.culprit, level = o.level,
      state = o.state, state_changed_at = o.state_changed_at, state_changed_by = o.state_changed_by,
      first_seen = o.first_seen, last_seen = o.last_seen, count = o.count, event_count = o.event_count,
      first_release = o.first_release, last_release = o.last_release,
      solved_in = o.solved_in, solved_after = o.solved_after,
      snoozed_until = o.snoozed_until, snoozed_count = o.snoozed_count, snoozed_release = o.snoozed_release
    from jsonb_populate_recordset(null::debug_groups, ${JSON.stringify(groups)}::jsonb) o
    where g.id = o.id`.execute(db);
}
