import { sql, type Transaction } from 'kysely';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Database } from '#db/schema.ts';
import type { ErrorEvent } from '#intake/error-event.ts';
import { eventCulprit, eventTitle } from '#intake/event-summary.ts';
import { eventFingerprint } from '#intake/fingerprint.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { Deps } from '../deps.ts';
import { GROUP_EVENTS_JOB, type GroupEventsJob } from '../project-data/error-intake.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { loadReleaseOrder, type ReleaseOrder } from '../project-data/release-order.ts';
import { applySourceMaps } from '../project-data/source-maps.ts';
import { countValues, eventValues, recordReleases, regressionValue } from './count-values.ts';
import { requestGroupInvestigation } from './investigate-group-tasks.ts';
import { type GroupEffect, type KeyOccurrences, recordOccurrences } from './record-occurrences.ts';

const BATCH_SIZE = 200;
/** Batches of one run; other projects have their turn before the next run. */
const MAX_BATCHES = 10;
const RETRY_LIMIT = 5;

/** An event with its group. */
interface GroupedEvent {
  id: string;
  key: string;
  at: Date;
  event: ErrorEvent;
  /** True when source maps changed its frames. */
  isMapped: boolean;
}

/** Returns the job that puts new events of a project into groups. A killed run counts nothing twice. */
export function groupEventsJob(deps: Deps): JobDefinition<GroupEventsJob> {
  return {
    name: GROUP_EVENTS_JOB,
    concurrency: 2,
    retryLimit: RETRY_LIMIT,
    ...projectJobOptions(deps),
    async run({ project_id: projectId }, { signal }) {
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        if ((await groupBatch(deps, projectId, signal)) < BATCH_SIZE) return;
      }
      await deps.jobs.send<GroupEventsJob>(GROUP_EVENTS_JOB, { project_id: projectId });
    },
  };
}

/** Groups the oldest events without a group, and returns how many there were. */
async function groupBatch(deps: Deps, projectId: string, signal: AbortSignal): Promise<number> {
  const rows = await deps.db
    .selectFrom('error_events')
    .select(['id', 'event'])
    .where('project_id', '=', projectId)
    .where('fingerprint', 'is', null)
    .orderBy('received_at')
    .limit(BATCH_SIZE)
    .execute();
  if (rows.length === 0) return 0;
  const stored = rows.map(({ id, event }) => ({ id, event: event as ErrorEvent }));
  const events: GroupedEvent[] = [];
  for (const { id, event, isMapped } of await applySourceMaps(deps, projectId, stored, signal)) {
    await yieldIfDue(signal);
    events.push({ id, key: eventFingerprint(event), at: new Date(event.at), event, isMapped });
  }
  const order = await loadReleaseOrder(deps, projectId);
  const effects = await deps.db.transaction().execute((trx) => saveGroups(trx, projectId, events, order));
  await announce(deps, projectId, effects);
  return rows.length;
}

/** Assigns events to groups and counts them, unless another run has. */
async function saveGroups(
  db: Transaction<Database>,
  projectId: string,
  events: GroupedEvent[],
  order: ReleaseOrder,
): Promise<GroupEffect[]> {
  const list = events.map(({ id, key, event, isMapped }) => ({ id, key, event: isMapped ? event : null }));
  const { rows } = await sql<{ id: string }>`
    update error_events e set fingerprint = o.key, event = coalesce(o.event, e.event)
    from json_to_recordset(${JSON.stringify(list)}::json) as o(id text, key text, event json)
    where e.project_id = ${projectId} and e.id = o.id and e.fingerprint is null
    returning e.id`.execute(db);
  const assigned = new Set(rows.map(({ id }) => id));
  const counted = events.filter(({ id }) => assigned.has(id)).sort((a, b) => Number(a.at) - Number(b.at));
  if (counted.length === 0) return [];
  const byKey = Map.groupBy(counted, ({ key }) => key);
  const occurrences = [...byKey].map(([key, group]) => summarize(key, group, order));
  const effects = await recordOccurrences(db, projectId, occurrences);
  await countValues(db, projectId, [...counted.flatMap(eventValues), ...effects.flatMap(regressionValue)]);
  await recordReleases(db, projectId, counted);
  const created = effects.filter(({ change }) => change === 'new').map(({ id }) => id);
  if (created.length > 0) {
    await db
      .updateTable('debug_groups')
      .set({ investigation: 'waiting' })
      .where('project_id', '=', projectId)
      .where('id', 'in', created)
      .execute();
  }
  return effects;
}

/** Events of one key, oldest first, as occurrences. */
function summarize(key: string, events: GroupedEvent[], order: ReleaseOrder): KeyOccurrences {
  const newest = events.at(-1)!.event;
  const releases = events.map(({ event }) => event.release ?? null);
  return {
    key,
    title: eventTitle(newest),
    culprit: eventCulprit(newest),
    times: events.map(({ at }) => at),
    events: { level: newest.level, firstRelease: releases[0]!, lastRelease: releases.at(-1)! },
    findRecurrence: ({ solved_in: solvedIn, solved_after: solvedAfter, state_changed_at: since }) => {
      const hasFix = (release: string | undefined) =>
        release === undefined
          ? solvedIn === null && solvedAfter === null
          : (solvedIn === null || order.isAtLeast(release, solvedIn)) &&
            (solvedAfter === null || order.isAfter(release, solvedAfter));
      const found = events.find(({ at, event }) => (since === null || at > since) && hasFix(event.release));
      return found ? { at: found.at, release: found.event.release ?? null } : null;
    },
    isNewerThan: (other) => releases.some((release) => release !== null && order.isAfter(release, other)),
  };
}

/** Notifies members of what has changed, and asks for the answer of new groups. A lost request is repeated by the next. */
async function announce(deps: Deps, projectId: string, effects: GroupEffect[]): Promise<void> {
  for (const { id: errorId, change } of effects) {
    if (change !== null) deps.events.emit({ type: 'error-changed', projectId, errorId, change });
  }
  if (effects.some(({ change }) => change === 'new')) await requestGroupInvestigation(deps, projectId);
}
