import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DebugAnswer } from '#contract/debug.ts';
import { errorGroupRoutes } from '#contract/error-groups.ts';
import { errorValueRoutes } from '#contract/error-values.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { type AccessibleProject, type Caller, projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { findSession } from '../project-data/debug-sessions.ts';
import { loadSessionProofs } from '../project-data/session-proofs.ts';
import { openProjectIndex } from '../project-data/storage.ts';
import { requireVisibleErrors } from '../project-data/visible-errors.ts';
import { saveLabel } from './answer-labels.ts';
import { deleteErrors } from './delete-errors.ts';
import { findErrorScope, loadErrorDetail } from './error-detail.ts';
import { findErrorEvent, findNeighbours, listErrorEvents, presentEvent } from './error-events.ts';
import { countErrorGroups, listErrorGroups } from './error-groups.ts';
import { changeErrors, requireWritableErrors } from './error-state.ts';
import { listErrorValues } from './error-values.ts';
import { investigateNow } from './investigate-group-tasks.ts';
import { registerErrorMerging } from './merge-routes.ts';
import { findSuspectRelease } from './suspect-release.ts';

/** Registers the routes of error groups, of the marks on their answers and of reverts. */
export function registerErrorGroups(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  registerErrorDetail(app, deps);
  registerErrorMerging(app, deps);

  serve(app, errorValueRoutes.list, async ({ caller, query }) => {
    if (query.project_id !== undefined) await projectAccess(deps, caller, query.project_id, 'viewer');
    return { values: await listErrorValues(db, caller.userId, query) };
  });

  serve(app, errorValueRoutes.ofProject, async ({ caller, params, query }) => {
    const { id: project_id } = await projectAccess(deps, caller, params.id, 'viewer');
    return { values: await listErrorValues(db, caller.userId, { ...query, project_id }) };
  });

  serve(app, errorGroupRoutes.list, async ({ caller, query }) => {
    if (query.project_id !== undefined) await projectAccess(deps, caller, query.project_id, 'viewer');
    const page = await listErrorGroups(db, caller.userId, query);
    const isFirst = query.cursor === undefined;
    return { ...page, counts: isFirst ? await countErrorGroups(db, caller.userId, query.project_id) : null };
  });

  serve(app, errorGroupRoutes.ofProject, async ({ caller, params, query }) => {
    const { id } = await projectAccess(deps, caller, params.id, 'viewer');
    return await listErrorGroups(db, caller.userId, { ...query, project_id: id });
  });

  const change = async (caller: Caller, changes: Parameters<typeof changeErrors>[2]) => {
    await requireWritableErrors(deps, caller, changes);
    const changed = await changeErrors(db, caller, changes, deps.now());
    for (const { id: errorId, project_id: projectId, isAssigned } of changed) {
      const event = { type: 'error-changed', projectId, errorId, change: 'assigned' } as const;
      if (isAssigned) deps.events.emit({ ...event, byId: caller.userId });
    }
    return changed;
  };

  serve(app, errorGroupRoutes.setState, async ({ caller, params, body }) => {
    const { id } = await projectAccess(deps, caller, params.id, 'editor');
    await requireErrorOf(deps, id, params.error);
    const [changed] = await change(caller, [{ ...body, id: params.error }]);
    return changed!;
  });

  serve(app, errorGroupRoutes.setStates, async ({ caller, body }) => {
    return { errors: await change(caller, body.changes) };
  });

  serve(app, errorGroupRoutes.investigate, async ({ caller, params }) => {
    const { id: projectId } = await projectAccess(deps, caller, params.id, 'editor');
    await requireVisibleErrors(db, caller.userId, { projectId, ids: [params.error] });
    await investigateNow(deps, projectId, params.error);
    return { ok: true as const };
  });

  const remove = async (caller: Caller, request: FastifyRequest, ids: string[]) => {
    const deleted = await deleteErrors(deps, caller, ids);
    for (const [projectId, count] of deleted) {
      const { name: project } = await projectAccess(deps, caller, projectId, 'editor', {
        evenIfReadOnly: true,
      });
      const entry = { userId: caller.userId, event: 'errors_deleted', ...clientInfo(request) } as const;
      await recordAuditEvent(db, { ...entry, detail: { project, errors: String(count) } });
    }
    return [...deleted.values()].reduce((sum, count) => sum + count, 0);
  };

  serve(app, errorGroupRoutes.remove, async ({ caller, params, request }) => {
    const { id } = await projectAccess(deps, caller, params.id, 'editor', { evenIfReadOnly: true });
    await requireErrorOf(deps, id, params.error);
    await remove(caller, request, [params.error]);
    return { ok: true as const };
  });

  serve(app, errorGroupRoutes.removeMany, async ({ caller, body, request }) => {
    return { deleted: await remove(caller, request, body.errors) };
  });

  serve(app, errorGroupRoutes.label, async ({ caller, params, body }) => {
    const session = await findSession(db, caller.userId, params.id);
    await saveLabel(db, session, { ...body, userId: caller.userId });
    return { ok: true as const };
  });

  serve(app, errorGroupRoutes.release, async ({ caller, params, reply }) => {
    const session = await findSession(db, caller.userId, params.id);
    const { proven } = await loadSessionProofs(db, session, caller.userId);
    const commit = proven?.commit.hash ?? causeOf(session.answer);
    if (commit === null) return { release: null, commit };
    return { release: await findSuspectRelease(deps, session, commit, abortOnDisconnect(reply)), commit };
  });
}

/** Registers the routes of one error: its detail and its events. */
function registerErrorDetail(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  const openSource = async (project: AccessibleProject) => {
    // Without an index, events are shown without the files of the repository.
    const index = await openProjectIndex(deps, project).catch(() => null);
    return index?.code ? { code: index.code, mappings: project.path_mappings } : null;
  };

  serve(app, errorGroupRoutes.get, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const scope = await findErrorScope(db, project.id, params.error);
    const detail = await loadErrorDetail(db, caller.userId, scope);
    const latest = await findErrorEvent(db, scope);
    return {
      ...detail,
      is_editable: project.role !== 'viewer',
      latest: latest && presentEvent(latest, await openSource(project)),
    };
  });

  serve(app, errorGroupRoutes.events, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return await listErrorEvents(db, await findErrorScope(db, project.id, params.error), query);
  });

  serve(app, errorGroupRoutes.event, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const scope = await findErrorScope(db, project.id, params.error);
    const event = await findErrorEvent(db, scope, params.event);
    if (!event) throw new AppError('not_found', 'error_event_not_found');
    const { newer, older } = await findNeighbours(db, scope, event);
    return { ...presentEvent(event, await openSource(project)), newer, older };
  });
}

/** The accused commit of an answer, else the one that introduced its lines. */
function causeOf({ timeline }: DebugAnswer): string | null {
  const steps = timeline ?? [];
  const step =
    steps.find(({ kind }) => kind === 'suspect') ?? steps.find(({ kind }) => kind === 'introduced');
  return step?.commit?.hash ?? null;
}

/** Throws `not_found` for an error of another project. */
async function requireErrorOf({ db }: Pick<Deps, 'db'>, projectId: string, errorId: string): Promise<void> {
  const row = await db
    .selectFrom('debug_groups')
    .select('id')
    .where('id', '=', errorId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'error_not_found');
}
