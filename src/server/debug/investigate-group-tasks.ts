import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Database } from '#db/schema.ts';
import type { ErrorEvent } from '#intake/error-event.ts';
import { eventText } from '#intake/event-text.ts';
import type { Deps } from '../deps.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { findReleaseRange, type ReleaseRange } from '../project-data/release-order.ts';
import { investigateAtRelease } from './investigate-error.ts';

const INVESTIGATE_GROUP_JOB = 'investigate-group';
const RETRY_LIMIT = 3;
/** Groups of a project that are investigated in an hour, the most frequent first. */
const MAX_PER_HOUR = 30;
const HOUR_S = 3_600;
const MAX_CONTEXT_LENGTH = 2_000;

interface InvestigateGroupJob {
  project_id: string;
  /** Group that a member asks about: it is investigated before the others, whatever the budget. */
  error_id?: string;
}

/** Enqueues the investigation of the groups of a project that wait for their first answer. */
export async function requestGroupInvestigation(
  { jobs }: Pick<Deps, 'jobs'>,
  projectId: string,
  delayS = 0,
): Promise<void> {
  await jobs.send<InvestigateGroupJob>(INVESTIGATE_GROUP_JOB, { project_id: projectId }, { delayS });
}

/** Lets a group without an answer wait again and enqueues its investigation; no more than that for other groups. */
export async function investigateNow(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  projectId: string,
  errorId: string,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('debug_groups')
    .set({ investigation: 'waiting' })
    .where('project_id', '=', projectId)
    .where('id', '=', errorId)
    .where('event_count', '>', 0)
    .where('investigation', 'in', ['waiting', 'failed'])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await jobs.send<InvestigateGroupJob>(INVESTIGATE_GROUP_JOB, { project_id: projectId, error_id: errorId });
}

/**
 * Returns the job that investigates one waiting group of a project and enqueues itself for the next, so that the owners of
 * projects take turns.
 */
export function investigateGroupJob(deps: Deps): JobDefinition<InvestigateGroupJob> {
  return {
    name: INVESTIGATE_GROUP_JOB,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    ...projectJobOptions(deps),
    singletonKey: ({ project_id, error_id }) => error_id ?? project_id,
    async run({ project_id: projectId, error_id: errorId }, { signal }) {
      const waitS = errorId === undefined ? await secondsUntilBudget(deps.db, projectId) : 0;
      if (waitS > 0) return await requestGroupInvestigation(deps, projectId, waitS);
      const project = await deps.db
        .selectFrom('projects')
        .select(['id', 'name', 'shard_generation', 'branch', 'indexed_commit', 'fetched_at', 'path_mappings'])
        .where('id', '=', projectId)
        .where('shard_generation', 'is not', null)
        .executeTakeFirst();
      const group = project && (await takeWaitingGroup(deps.db, projectId, errorId));
      if (!project || !group) return;
      await investigateGroup(deps, project, group, signal);
      if (errorId === undefined) await requestGroupInvestigation(deps, projectId);
    },
  };
}

/** Seconds until another group of the project may be investigated. */
async function secondsUntilBudget(db: Kysely<Database>, projectId: string): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select ceil(extract(epoch from investigated_at + make_interval(secs => ${HOUR_S}) - now()))::int as wait
    from debug_groups
    where project_id = ${projectId} and investigation in ('done', 'failed')
      and investigated_at > now() - make_interval(secs => ${HOUR_S})
    order by investigated_at desc offset ${MAX_PER_HOUR - 1} limit 1`.execute(db);
  return Math.max(0, rows[0]?.wait ?? 0);
}

interface WaitingGroup {
  id: string;
  fingerprint: string;
  first_release: string | null;
}

/** Marks the named or the most frequent waiting group as running. One that a killed run left running is taken again. */
async function takeWaitingGroup(
  db: Kysely<Database>,
  projectId: string,
  errorId?: string,
): Promise<WaitingGroup | null> {
  const { rows } = await sql<WaitingGroup>`
    update debug_groups set investigation = 'running'
    where id = (
      select id from debug_groups
      where project_id = ${projectId} and investigation in ('waiting', 'running') and merged_into is null
        ${errorId === undefined ? sql`` : sql`and id = ${errorId}`}
      order by count desc, id limit 1
    )
    returning id, fingerprint, first_release`.execute(db);
  return rows[0] ?? null;
}

type Project = Parameters<typeof investigateAtRelease>[1];

async function investigateGroup(
  deps: Deps,
  project: Project,
  group: WaitingGroup,
  signal: AbortSignal,
): Promise<void> {
  const [event, userId] = await Promise.all([
    findFirstEvent(deps.db, project.id, group.fingerprint),
    findReporter(deps.db, project.id),
  ]);
  const finish = async (investigation: 'done' | 'failed') => {
    await deps.db
      .updateTable('debug_groups')
      .set({ investigation, investigated_at: sql<Date>`now()` })
      .where('project_id', '=', project.id)
      .where('id', '=', group.id)
      .execute();
  };
  const text = event && eventText(event).trim();
  if (!event || !text || userId === null) return await finish('failed');
  const releaseRange = await findReleaseRange(deps, project.id, group.first_release);
  try {
    await investigateAtRelease(deps, project, {
      user_id: userId,
      request: {
        project_id: project.id,
        error_message: text,
        file_path: null,
        additional_context: contextOf(event),
        revision: revisionOf(event, group, releaseRange),
      },
      signal,
      group: { fingerprint: group.fingerprint, releaseRange },
    });
    await finish('done');
    deps.events.emit({
      type: 'error-changed',
      projectId: project.id,
      errorId: group.id,
      change: 'investigated',
    });
  } catch (error) {
    // Other failures are of the server and are tried again.
    if (signal.aborted || !(error instanceof AppError) || error.code === 'unavailable') throw error;
    await finish('failed');
  }
}

/** Revision that an event occurred at: the commit of its release, created or tagged, or the hash that names it. */
function revisionOf(
  { release }: ErrorEvent,
  { first_release: first }: WaitingGroup,
  range: ReleaseRange | null,
): string | null {
  if (release === undefined) return null;
  const commit = release === first ? range?.commit : undefined;
  return commit ?? /^(?:.*@)?([0-9a-f]{7,40})$/.exec(release)?.[1] ?? null;
}

/** The first stored event of a group, over all its keys. */
async function findFirstEvent(
  db: Kysely<Database>,
  projectId: string,
  fingerprint: string,
): Promise<ErrorEvent | null> {
  const row = await db
    .selectFrom('error_events as e')
    .innerJoin('debug_group_keys as k', (join) =>
      join.onRef('k.project_id', '=', 'e.project_id').onRef('k.key', '=', 'e.fingerprint'),
    )
    .select('e.event')
    .where('e.project_id', '=', projectId)
    .where('k.fingerprint', '=', fingerprint)
    .orderBy('e.occurred_at')
    .orderBy('e.received_at')
    .limit(1)
    .executeTakeFirst();
  return row ? (row.event as ErrorEvent) : null;
}

/** Owner of the answer: the member who set up the intake, else the owner of the project. */
async function findReporter(db: Kysely<Database>, projectId: string): Promise<string | null> {
  const row = await db
    .selectFrom('project_members as m')
    .leftJoin('project_intakes as i', (join) =>
      join.onRef('i.project_id', '=', 'm.project_id').onRef('i.created_by', '=', 'm.user_id'),
    )
    .select('m.user_id')
    .where('m.project_id', '=', projectId)
    .where((eb) => eb.or([eb('i.created_by', 'is not', null), eb('m.direct_role', '=', 'owner')]))
    .orderBy((eb) => eb('i.created_by', 'is', null))
    .orderBy('m.created_at')
    .limit(1)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

function contextOf({ transaction, request, contexts }: ErrorEvent): string | null {
  const lines = [
    transaction && `In ${transaction}.`,
    request?.url && `Request: ${[request.method, request.url].filter(Boolean).join(' ')}`,
    ...Object.values(contexts).slice(0, 5),
  ];
  return lines.filter(Boolean).join('\n').slice(0, MAX_CONTEXT_LENGTH) || null;
}
