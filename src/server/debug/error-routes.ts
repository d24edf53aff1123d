import type { FastifyInstance } from 'fastify';
import type { DebugAnswer } from '#contract/debug.ts';
import { errorGroupRoutes } from '#contract/error-groups.ts';
import { AppError } from '#contract/errors.ts';
import { isoTime } from '#contract/iso-time.ts';
import { findFirstRelease } from '#git/first-release.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { findSession } from '../project-data/debug-sessions.ts';
import { projectStorage } from '../project-data/storage.ts';
import { saveLabel } from './answer-labels.ts';
import { countErrorGroups, listErrorGroups } from './error-groups.ts';
import { changeErrors } from './error-state.ts';

/** Tags of a long history take git seconds. */
const RELEASE_TIMEOUT_MS = 3_000;

/** Registers the routes of error groups, of the marks on their answers and of reverts. */
export function registerErrorGroups(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

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

  serve(app, errorGroupRoutes.setState, async ({ caller, params, body }) => {
    const { id } = await projectAccess(deps, caller, params.id, 'editor');
    await requireErrorOf(deps, id, params.error);
    const [change] = await changeErrors(db, caller, [{ ...body, id: params.error }], deps.now());
    return change!;
  });

  serve(app, errorGroupRoutes.setStates, async ({ caller, body }) => {
    return { errors: await changeErrors(db, caller, body.changes, deps.now()) };
  });

  serve(app, errorGroupRoutes.label, async ({ caller, params, body }) => {
    const session = await findSession(db, caller.userId, params.id);
    await saveLabel(db, session, { ...body, userId: caller.userId });
    return { ok: true as const };
  });

  serve(app, errorGroupRoutes.release, async ({ caller, params, reply }) => {
    const session = await findSession(db, caller.userId, params.id);
    const commit = causeOf(session.answer);
    if (commit === null) return { release: null, commit };
    const { repo } = projectStorage(deps.config.dataDir, session.project_id);
    const signal = AbortSignal.any([abortOnDisconnect(reply), AbortSignal.timeout(RELEASE_TIMEOUT_MS)]);
    // The release is left out where git cannot tell it in time.
    const release = await findFirstRelease(repo, commit, signal).catch(() => null);
    return { release: release && { name: release.name, timestamp: isoTime(release.time) }, commit };
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
