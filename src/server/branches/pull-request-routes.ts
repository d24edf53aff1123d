import type { FastifyInstance } from 'fastify';
import { MAX_PUSHED_COMMITS, pullRequestRoutes } from '#contract/branches.ts';
import { AppError } from '#contract/errors.ts';
import type { PatchProof } from '#contract/proofs.ts';
import { newId } from '#db/ids.ts';
import { listUnmerged } from '#git/branches.ts';
import { treeOf } from '#git/merge.ts';
import { readRefs } from '#git/refs.ts';
import { findCodeHost, requireHostAccess } from '../code-hosts/code-host.ts';
import { newRequestUrl, parseHostRepository } from '../code-hosts/host-url.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { type AccessibleProject, projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { findSession } from '../project-data/debug-sessions.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { findVerifiedTree, loadSessionProofs } from '../project-data/session-proofs.ts';
import { findBranchImpact } from './branch-impact.ts';
import { readPushedCommits, readUpstream } from './branch-state.ts';
import { draftPullRequest } from './draft-pull-request.ts';
import { type HostPullRequest, openHostApi } from './host-api.ts';
import { refreshPullRequest, requestPullRequests } from './pull-request-tasks.ts';
import { requireTargetName } from './push-plan.ts';
import { listPullRequestRows, type PullRequestRow, presentPullRequest } from './queries.ts';

/** Registers the `pullRequests` routes. */
export function registerPullRequests(app: FastifyInstance, deps: Deps): void {
  followWebhooks(app, deps);

  serve(app, pullRequestRoutes.draft, async ({ caller, params, body, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const repository = requireRepository(project);
    const session = await findOwnSession(deps, project, caller.userId, body.session_id);
    const found = await findCodeHost(deps, project);
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    const { head, target, commits } = await readFromGit(deps, reader, () =>
      readPushedBranch(deps, project, body),
    );
    const kind = found?.kind ?? null;
    const publicUrl = resolvePublicUrl(app, deps.config);
    const proofs = session && (await loadSessionProofs(deps.db, session, caller.userId));
    const verified = session && (await findVerification(deps, session, { head, userId: caller.userId }));
    const draft = draftPullRequest({
      ...{ session, commits, publicUrl, verified, proven: proofs?.proven },
      impact: commits.length > 0 ? await findBranchImpact(deps, reader, head) : null,
      host: { kind, repository },
    });
    return {
      ...draft,
      target,
      host: repository.host,
      kind,
      has_token: Boolean(found?.sealedToken && found.isUsable),
      compare_url: kind && newRequestUrl(kind, repository, { branch: body.branch, target, ...draft }),
    };
  });

  serve(app, pullRequestRoutes.create, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    if (!project.may_push) throw new AppError('conflict', 'push_not_allowed', { reason: 'push_not_allowed' });
    requireRepository(project);
    const session = await findOwnSession(deps, project, caller.userId, body.session_id);
    const { target } = await readPushedBranch(deps, project, body);
    const { branch, title, draft = false } = body;
    const access = await requireHostAccess(deps, project, caller.userId);
    const host = new URL(access.apiUrl).host;
    const opened = await openOrFind(deps, access, { branch, target, title, body: body.body, draft });
    const row = await savePullRequest(deps, opened, {
      ...{ project_id: project.id, user_id: caller.userId, session_id: session?.id ?? null },
      ...{ host, branch, target },
    });
    const detail = { project: project.name, branch, url: opened.url };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'pull_request_opened',
      detail,
      ...clientInfo(request),
    });
    return presentPullRequest(row);
  });

  serve(app, pullRequestRoutes.list, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const owner = { projectId: project.id, userId: caller.userId, sessionId: query.session_id };
    return { pull_requests: await listPullRequestRows(deps.db, owner) };
  });

  serve(app, pullRequestRoutes.refresh, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    const row = await deps.db
      .selectFrom('pull_requests')
      .selectAll()
      .where('project_id', '=', project.id)
      .where('id', '=', params.pull)
      .executeTakeFirst();
    if (!row) throw new AppError('not_found', 'pull_request_not_found');
    await refreshPullRequest(deps, row);
    const found = await listPullRequestRows(deps.db, { projectId: project.id, userId: caller.userId });
    return found.find(({ id }) => id === row.id) ?? presentPullRequest({ ...row, session_id: null });
  });
}

/** Reads pull requests when a webhook tells of a change. Every process receives the event; the queue deduplicates. */
function followWebhooks(app: FastifyInstance, deps: Deps): void {
  deps.events.subscribe('pull-request-changed', ({ projectId }) => {
    requestPullRequests(deps, projectId).catch((error) => {
      app.log.error({ err: error, projectId }, 'reading pull requests after a webhook failed');
    });
  });
}

/** Opens a request, or returns the one that is open for the same branches, as after a lost reply. */
async function openOrFind(
  deps: Deps,
  access: Awaited<ReturnType<typeof requireHostAccess>>,
  request: { branch: string; target: string; title: string; body: string; draft: boolean },
): Promise<HostPullRequest> {
  const api = openHostApi(deps, access);
  const existing = await api.findOpen(request);
  if (existing) return existing;
  try {
    return await api.open(request);
  } catch (error) {
    // Two calls at once: the host takes the first.
    const found = error instanceof AppError && error.code === 'conflict' ? await api.findOpen(request) : null;
    if (found) return found;
    throw error;
  }
}

async function savePullRequest(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { number, url, title, state, head, mergeCommit: merge_commit }: HostPullRequest,
  owner: Pick<PullRequestRow, 'project_id' | 'user_id' | 'session_id' | 'host' | 'branch' | 'target'>,
): Promise<PullRequestRow> {
  const current = {
    url,
    title: title.slice(0, 500),
    state,
    head,
    merge_commit,
    failure: null,
    checked_at: now(),
  };
  return await db
    .insertInto('pull_requests')
    .values({ ...owner, id: newId(), number, checks: null, ...current })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'host', 'number'])
        .doUpdateSet({ ...current, session_id: owner.session_id }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

function requireRepository(project: AccessibleProject) {
  const repository = parseHostRepository(project.git_url);
  if (repository !== null) return repository;
  throw new AppError('bad_request', 'push_local_folder', { reason: 'local_folder' });
}

async function findOwnSession(
  { db }: Pick<Deps, 'db'>,
  project: AccessibleProject,
  userId: string,
  id: string | null | undefined,
) {
  if (!id) return null;
  const session = await findSession(db, userId, id);
  if (session.project_id !== project.id) throw new AppError('not_found', 'debug_session_not_found');
  return session;
}

/** The verification of exactly what a head contains; null for one that has changed since. */
async function findVerification(
  { db, projectFiles }: Pick<Deps, 'db' | 'projectFiles'>,
  session: { project_id: string; id: string },
  { head, userId }: { head: string; userId: string },
): Promise<PatchProof | null> {
  const repo = await projectFiles.repositories.open(session.project_id);
  return await findVerifiedTree(db, session, { tree: await treeOf(repo, head), userId });
}

/** The commits of a branch at the git server, as it is known here. Throws `conflict` where it was not pushed. */
async function readPushedBranch(
  { projectFiles }: Pick<Deps, 'projectFiles'>,
  project: AccessibleProject,
  { branch, target: named }: { branch: string; target?: string | null | undefined },
) {
  requireTargetName(branch);
  const repo = await projectFiles.repositories.open(project.id);
  const upstream = await readUpstream(repo, project);
  const target = named ?? upstream.branch;
  requireTargetName(target);
  const refs = [branch, target].map((name) => `refs/remotes/origin/${name}`);
  const heads = await readRefs(repo, refs);
  const [head, base] = refs.map((ref) => heads.get(ref));
  const missing = head === undefined ? branch : base === undefined ? target : null;
  if (head === undefined || base === undefined || missing !== null) {
    const params = { branch: missing ?? branch };
    throw new AppError('conflict', 'pull_request_branch_missing', { params, reason: 'branch_missing' });
  }
  const oids = await listUnmerged(repo, { head, base, max: MAX_PUSHED_COMMITS });
  const summaries = await readPushedCommits(repo, oids);
  return {
    head,
    target,
    commits: oids.map((oid) => summaries.get(oid)).filter((found) => found !== undefined),
  };
}
