import type { Selectable, Transaction } from 'kysely';
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
  /** Decides for a solved error; absent when every occurrence is a recurrence. */
  isRecurrence?: (group: Pick<GroupRow, 'solved_in' | 'state_changed_at'>) => boolean;
}

/** Effect of occurrences on their group. */
export interface GroupEffect {
  id: string;
  key: string;
  /** Of the group. */
  fingerprint: string;
  change: 'new' | 'regressed' | 'woken' | null;
}

/**
 * Counts occurrences of errors of one project, each key once in the list. A solved error that recurs becomes regressed, and a
 * snoozed one is open again after its number of events.
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
    effects.push({ id: group.id, key: occurrences.key, fingerprint: group.fingerprint, change });
  }
  for (const group of new Set(groups.values())) await saveGroup(db, group);
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
function addOccurrences(group: GroupRow, occurrences: KeyOccurrences): GroupEffect['change'] {
  const { times, events, title, culprit, isRecurrence = () => true } = occurrences;
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
  if (isNew) return 'new';
  if (group.state === 'solved' && isRecurrence(group)) return changeState(group, 'regressed', last);
  const { snoozed_count: end } = group;
  if (group.state === 'snoozed' && end !== null && group.count >= end)
    return changeState(group, 'open', last);
  return null;
}

function changeState(group: GroupRow, state: 'regressed' | 'open', at: Date): 'regressed' | 'woken' {
  Object.assign(group, {
    ...{ state, state_changed_at: at, state_changed_by: null },
    ...{ solved_in: null, snoozed_until: null, snoozed_count: null },
  });
  return state === 'regressed' ? 'regressed' : 'woken';
}

async function saveGroup(db: Transaction<Database>, { id, ...group }: GroupRow): Promise<void> {
  const { title, culprit, level, state, state_changed_at, state_changed_by } = group;
  const { first_seen, last_seen, count, event_count, first_release, last_release } = group;
  const { solved_in, snoozed_until, snoozed_count } = group;
  await db
    .updateTable('debug_groups')
    .set({ title, culprit, level, state, state_changed_at, state_changed_by })
    .set({ first_seen, last_seen, count, event_count, first_release, last_release })
    .set({ solved_in, snoozed_until, snoozed_count })
    .where('id', '=', id)
    .execute();
}
