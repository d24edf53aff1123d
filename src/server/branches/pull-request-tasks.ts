import { sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { createSentence } from '#contract/sentence.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import { showCommit } from '#git/diff.ts';
import { hasCommit } from '#git/refs.ts';
import { requireHostAccess } from '../code-hosts/code-host.ts';
import type { Deps } from '../deps.ts';
import { isFeatureEnabled } from '../identity/feature-switches.ts';
import { resolveByMerge } from '../project-data/debug-sessions.ts';
import { readPushedCommits } from './branch-state.ts';
import { type HostPullRequest, openHostApi } from './host-api.ts';
import type { PullRequestRow } from './queries.ts';

/** Queue that follows open pull requests. */
const QUEUE = 'pull-requests';
const EVERY_MS = 60_000;
const MAX_PER_RUN = 50;
/** Requests of the last day are read every two minutes, older ones every half hour. */
const RECENT_INTERVAL = sql<Date>`now() - case when created_at > now() - interval '1 day'
  then interval '2 minutes' else interval '30 minutes' end`;

interface PullRequestsJob {
  /** Reads those of this project at once, as after a webhook. */
  project_id?: string;
}

type PullRequestDeps = Pick<Deps, 'db' | 'config' | 'keys' | 'egress' | 'events' | 'projectFiles' | 'now'>;

/** Returns the job that reads the state of open pull requests. */
export function pullRequestJob(deps: PullRequestDeps): JobDefinition<PullRequestsJob> {
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: 1,
    everyMs: EVERY_MS,
    singletonKey: ({ project_id }) => project_id ?? 'all',
    run: async ({ project_id }, { signal }) => {
      if (!(await isFeatureEnabled(deps, 'pushing'))) return;
      const rows = await deps.db
        .selectFrom('pull_requests')
        .selectAll()
        .where('state', '=', 'open')
        .$if(project_id !== undefined, (query) => query.where('project_id', '=', project_id!))
        .$if(project_id === undefined, (query) => query.where('checked_at', '<', RECENT_INTERVAL))
        .orderBy('checked_at')
        .limit(MAX_PER_RUN)
        .execute();
      for (const row of rows) {
        signal.throwIfAborted();
        await refreshPullRequest(deps, row);
      }
    },
  };
}

/** Reads the pull requests of a project soon, after its host told of a change. */
export async function requestPullRequests({ jobs }: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await jobs.send<PullRequestsJob>(QUEUE, { project_id: projectId });
}

/** Reads the state of a pull request from its host and stores it; a host that can't be asked is noted with the reason. */
export async function refreshPullRequest(deps: PullRequestDeps, row: PullRequestRow): Promise<void> {
  const project = await deps.db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', row.project_id)
    .executeTakeFirst();
  if (!project) return;
  try {
    const access = await requireHostAccess(deps, project, row.user_id);
    if (new URL(access.apiUrl).host !== row.host) return;
    const api = openHostApi(deps, access);
    const found = await api.get(row.number);
    const checks = found.state === 'open' ? await api.readChecks(found).catch(() => row.checks) : row.checks;
    await store(deps, row, { ...found, checks });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const failure = JSON.stringify(createSentence(`errors.${error.messageKey}`, error.params));
    await pullRequest(deps, row).set({ failure, checked_at: deps.now() }).execute();
  }
}

function pullRequest({ db }: Pick<Deps, 'db'>, row: PullRequestRow) {
  return db.updateTable('pull_requests').where('project_id', '=', row.project_id).where('id', '=', row.id);
}

async function store(
  deps: PullRequestDeps,
  row: PullRequestRow,
  found: HostPullRequest & { checks: PullRequestRow['checks'] },
): Promise<void> {
  const { state, head, mergeCommit: merge_commit, checks, title } = found;
  const isMerged = state === 'merged' && row.state !== 'merged';
  const fix = isMerged ? await readFix(deps, row, [head, merge_commit, row.head]) : null;
  await deps.db.transaction().execute(async (trx) => {
    await pullRequest({ db: trx }, row)
      .set({
        ...{ state, head, merge_commit, checks, title: title.slice(0, 500) },
        failure: null,
        checked_at: deps.now(),
      })
      .execute();
    if (isMerged && row.session_id !== null) {
      await resolveByMerge(trx, {
        sessionId: row.session_id,
        projectId: row.project_id,
        userId: row.user_id,
        fix,
      });
    }
  });
  if (isMerged) deps.events.emit({ type: 'upstream-pushed', projectId: row.project_id });
  if (state !== row.state || checks !== row.checks) {
    deps.events.emit({ type: 'project-changed', projectId: row.project_id });
  }
}

/** The first of these commits that is here, with its first change; null without one. */
async function readFix(
  { projectFiles }: PullRequestDeps,
  row: PullRequestRow,
  candidates: (string | null)[],
) {
  const repo = await projectFiles.repositories.open(row.project_id);
  for (const oid of candidates) {
    if (oid === null || !(await hasCommit(repo, oid))) continue;
    const files = await showCommit(repo, oid);
    const file = files.find(({ hunks }) => hunks.length > 0);
    const found = (await readPushedCommits(repo, [oid])).get(oid);
    if (file && found) return { ...found, path: file.new_path ?? file.old_path ?? '', hunk: file.hunks[0]! };
  }
  return null;
}
