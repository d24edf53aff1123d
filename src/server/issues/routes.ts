import type { FastifyInstance } from 'fastify';
import type { AuditName } from '#contract/audit.ts';
import { AppError } from '#contract/errors.ts';
import { type IssueImport, issueRoutes, MAX_LINKED } from '#contract/issues.ts';
import { findCodeHost, requirePublicAccess } from '../code-hosts/code-host.ts';
import type { Deps } from '../deps.ts';
import { type RequestContext, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import {
  createIssueUrl,
  findIssue,
  listComments,
  listIssues,
  listIssuesOfCommits,
  presentIssue,
} from '../project-data/issues.ts';
import { openProjectIndex } from '../project-data/storage.ts';
import { requestImport, storeIssues } from './import-tasks.ts';
import { parseExport } from './parse-export.ts';
import {
  countIssues,
  deleteIssues,
  findImport,
  listCommitsOfIssue,
  measureIssues,
  saveImport,
} from './queries.ts';

type Project = { id: string; name: string; git_url: string; shard_generation: string | null };

/** Registers the `issues` routes: imported issues and pull requests, and their import. */
export function registerIssues(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, issueRoutes.list, async ({ caller, params, query: { cursor, limit, ...query } }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const skip = Number(cursor || 0);
    const { rows, total } = await listIssues(db, { ...query, projectIds: [project.id], skip, limit });
    const url = await createIssueUrl(deps, project);
    const end = skip + rows.length;
    return {
      issues: rows.map((row) => presentIssue(row, url)),
      total,
      next_cursor: rows.length > 0 && end < total ? String(end) : null,
    };
  });

  serve(app, issueRoutes.get, async ({ caller, params, query: { kind } }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const number = /^[1-9]\d{0,8}$/.test(params.number) ? Number(params.number) : null;
    const row = number && (await findIssue(db, { projectId: project.id, number, kind }));
    if (!row) throw new AppError('not_found', 'issue_not_found');
    return {
      ...presentIssue(row, await createIssueUrl(deps, project)),
      ...{ body: row.body, branch: row.branch, merge_commit: row.merge_commit },
      closed_at: row.closed_at?.toISOString() ?? null,
      comments: (await listComments(db, row)).map((comment) => ({
        ...{ id: comment.id, author: comment.author, body: comment.body },
        created_at: comment.created_at?.toISOString() ?? null,
        updated_at: comment.updated_at?.toISOString() ?? null,
      })),
      commits: await describeCommits(deps, project, await listCommitsOfIssue(db, row)),
    };
  });

  serve(app, issueRoutes.ofCommits, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const commits = [...new Set(query.commits)];
    const found = await listIssuesOfCommits(db, project.id, commits);
    const url = await createIssueUrl(deps, project);
    return {
      commits: commits.map((hash) => ({
        hash,
        issues: (found.get(hash) ?? []).map((issue) => ({ ...issue, url: url(issue) })),
      })),
    };
  });

  serve(app, issueRoutes.status, async ({ caller, params }) => {
    return await describeImport(deps, await projectAccess(deps, caller, params.id, 'viewer'));
  });

  serve(app, issueRoutes.configure, async ({ caller, params, body: { enabled }, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    if (enabled) await requirePublicAccess(deps, project, caller.userId);
    await saveImport(
      db,
      project.id,
      enabled ? { enabled, state: 'queued', failure: null } : { enabled, state: 'idle' },
    );
    await record(
      deps,
      { caller, request },
      project,
      enabled ? 'issues_import_enabled' : 'issues_import_disabled',
    );
    if (enabled) await requestImport(deps, project.id);
    return await describeImport(deps, project);
  });

  serve(app, issueRoutes.start, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const { body } = request;
    if (Buffer.isBuffer(body) && body.length > 0) {
      await importFile(deps, project, body);
    } else {
      await startImport(deps, project.id);
    }
    await record(deps, { caller, request }, project, 'issues_imported');
    return await describeImport(deps, project);
  });

  serve(app, issueRoutes.clear, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    await deleteIssues(db, project.id);
    await record(deps, { caller, request }, project, 'issues_deleted');
    deps.events.emit({ type: 'project-changed', projectId: project.id });
    return { ok: true as const };
  });
}

/** Enqueues an import, which goes on after the wait that the host asked for. Throws `conflict` where it is turned off. */
async function startImport(deps: Deps, projectId: string): Promise<void> {
  const row = await findImport(deps.db, projectId);
  if (!row?.enabled) {
    throw new AppError('conflict', 'issues_import_disabled', { reason: 'issues_import_disabled' });
  }
  if (row.state === 'waiting' && row.retry_at && row.retry_at > deps.now()) return;
  await saveImport(deps.db, projectId, { state: 'queued', failure: null });
  await requestImport(deps, projectId);
}

async function importFile(deps: Deps, { id }: Project, file: Buffer): Promise<void> {
  const issues = await parseExport(file);
  await deps.db.transaction().execute(async (trx) => {
    await saveImport(trx, id, { received: issues.length, imported_at: deps.now(), failure: null });
    await storeIssues(trx, id, { issues, stored: await measureIssues(trx, id) });
  });
  await requestImport(deps, id, { links: true });
  deps.events.emit({ type: 'project-changed', projectId: id });
}

async function describeImport(deps: Deps, project: Project): Promise<IssueImport> {
  const row = await findImport(deps.db, project.id);
  const host = await findCodeHost(deps, project);
  const { issues, pull_requests, comments } = await countIssues(deps.db, project.id);
  return {
    enabled: row?.enabled ?? false,
    state: row?.state ?? 'idle',
    host: host && {
      kind: host.kind,
      host: new URL(host.apiUrl).host,
      has_token: host.sealedToken !== null && host.isUsable,
    },
    ...{ issues, pull_requests, comments },
    linked_commits: row?.linked_commits ?? 0,
    received: row?.received ?? 0,
    imported_at: row?.imported_at?.toISOString() ?? null,
    retry_at: row?.retry_at?.toISOString() ?? null,
    failure: row?.failure ?? null,
  };
}

/** Commits of an issue that are indexed, newest first. */
async function describeCommits(
  deps: Deps,
  project: Project,
  links: Awaited<ReturnType<typeof listCommitsOfIssue>>,
) {
  const commits = (await openProjectIndex(deps, project))?.commits;
  const found = links.flatMap(({ commit, source }) => {
    const number = commits?.find(commit) ?? -1;
    return commits && number >= 0 ? [{ number, hash: commit, subject: commits.subject(number), source }] : [];
  });
  return found
    .sort((a, b) => a.number - b.number)
    .slice(0, MAX_LINKED)
    .map(({ number: _, ...commit }) => commit);
}

type Actor = Pick<RequestContext<typeof issueRoutes.clear>, 'caller' | 'request'>;

async function record(
  deps: Deps,
  { caller, request }: Actor,
  project: Project,
  event: AuditName,
): Promise<void> {
  const detail = { project: project.name };
  await recordAuditEvent(deps.db, { userId: caller.userId, event, detail, ...clientInfo(request) });
}
