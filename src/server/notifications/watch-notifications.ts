import { type Kysely, sql } from 'kysely';
import { firstLine } from '#contract/first-line.ts';
import type { WatchRef } from '#contract/watches.ts';
import type { Database } from '#db/schema.ts';
import { readLogCommit } from '#git/log.ts';
import type { ErrorEvent } from '#intake/error-event.ts';
import { selectInAppFrames } from '#intake/in-app.ts';
import type { Deps } from '../deps.ts';
import { titleAndMessage } from './build-notification.ts';
import { matchesError, type WatchedError } from './match-watch.ts';
import type { NewNotification } from './queries.ts';
import { loadProjectWatches, recordMatches, toWatchRef } from './watch-queries.ts';

const MAX_SUBJECT_LENGTH = 200;

interface WatchMatched {
  projectId: string;
  watchId: string;
  head: string;
  count: number;
  commits: string[];
}

/** New commits match a watch. Sent to its user; null when the watch was deleted meanwhile. */
export async function watchMatchedNotification(
  { db, projectFiles }: Pick<Deps, 'db' | 'projectFiles'>,
  { projectId, watchId, head, count, commits: [newest = head] }: WatchMatched,
): Promise<NewNotification | null> {
  const watch = await db
    .selectFrom('watches as w')
    .innerJoin('projects as p', 'p.id', 'w.project_id')
    .selectAll('w')
    .select('p.name as project')
    .where('w.project_id', '=', projectId)
    .where('w.id', '=', watchId)
    .executeTakeFirst();
  if (!watch) return null;
  const repo = await projectFiles.repositories.open(projectId);
  const commit = await readLogCommit(repo, newest);
  const ref = toWatchRef(watch);
  const params = {
    ...{ project: watch.project, count, watch: ref.label, hash: newest.slice(0, 7) },
    subject: firstLine(commit?.message ?? '').slice(0, MAX_SUBJECT_LENGTH),
  };
  return {
    userIds: [watch.user_id],
    key: `watch:${watchId}:${head}`,
    type: 'info',
    ...titleAndMessage('watch_commits', params),
    actionUrl: `/projects/${projectId}/commits/${newest}`,
    watches: new Map([[watch.user_id, ref]]),
  };
}

/**
 * Finds the users who watch an error, or what a new or returning one concerns, and the watch of each. Other changes concern
 * watches of the error alone.
 */
export async function findErrorWatchers(
  db: Kysely<Database>,
  { projectId, errorId, change }: { projectId: string; errorId: string; change: string },
): Promise<ReadonlyMap<string, WatchRef>> {
  const watches = await loadProjectWatches(db, projectId);
  if (watches.length === 0) return new Map();
  const error = await loadWatchedError(db, projectId, errorId);
  if (!error) return new Map();
  const ofError = watches.filter(({ kind, value }) => kind === 'error' && error.ids.includes(value));
  const others =
    change === 'new' || change === 'regressed'
      ? watches.filter((watch) => watch.kind !== 'error' && matchesError(watch, error))
      : [];
  const matched = [...ofError, ...others];
  const ids = matched.map(({ id }) => id);
  await recordMatches(db, projectId, ids);
  // A watch of the error itself is the more precise reason.
  return new Map(matched.toReversed().map((watch) => [watch.user_id, toWatchRef(watch, error.title)]));
}

/** Reads an error with the frames of its newest event, and the ids of the errors that were merged into it. */
async function loadWatchedError(
  db: Kysely<Database>,
  projectId: string,
  errorId: string,
): Promise<(WatchedError & { ids: string[] }) | null> {
  const { rows } = await sql<{
    title: string;
    culprit: string | null;
    event: ErrorEvent | null;
    merged: string[];
  }>`
    select g.title, g.culprit, newest.event,
      array(select m.id from debug_groups m where m.project_id = g.project_id and m.merged_into = g.id) as merged
    from debug_groups g
    left join lateral (
      select e.event from error_events e
      join debug_group_keys k on k.project_id = e.project_id and k.key = e.fingerprint
      where e.project_id = g.project_id and k.fingerprint = g.fingerprint
      order by e.received_at desc limit 1
    ) newest on true
    where g.project_id = ${projectId} and g.id = ${errorId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const frames = (row.event?.exceptions ?? []).flatMap((exception) => selectInAppFrames(exception.frames));
  return {
    ...{ id: errorId, ids: [errorId, ...row.merged], title: row.title, culprit: row.culprit },
    frames: frames.map(({ path, symbol }) => ({ path, symbol: symbol ?? null })),
  };
}
