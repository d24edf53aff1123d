import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { RouteData } from '#contract/route.ts';
import { trimWatchPath } from '#contract/watch-path.ts';
import { watchRoutes } from '#contract/watches.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { requireVisibleErrors } from '../project-data/visible-errors.ts';
import { isWatchableQuery, type WatchSubject } from './match-watch.ts';
import { createWatch, deleteWatch, listWatches } from './watch-queries.ts';

type WatchBody = RouteData<typeof watchRoutes.create>['body'];

/** Registers the routes of watches. */
export function registerWatches(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, watchRoutes.list, async ({ caller, query }) => ({
    watches: await listWatches(db, caller.userId, query.project_id),
  }));

  serve(app, watchRoutes.create, async ({ caller, body }) => {
    const project = await projectAccess(deps, caller, body.project_id, 'viewer');
    const owner = { userId: caller.userId, projectId: project.id };
    const subject = await readSubject(deps, owner, body);
    const id = await createWatch(db, { ...owner, subject });
    return (await listWatches(db, caller.userId, project.id)).find((watch) => watch.id === id)!;
  });

  serve(app, watchRoutes.remove, async ({ caller, params }) => {
    await deleteWatch(db, caller.userId, params.id);
    return { ok: true as const };
  });
}

/** Validates a subject. Throws `invalid_input`, or `not_found` for an error that the user may not see. */
async function readSubject(
  { db }: Deps,
  { projectId, userId }: { projectId: string; userId: string },
  body: WatchBody,
): Promise<WatchSubject> {
  const { kind, value, match } = body;
  const plain = { kind, value, path: '', match: 'words' as const };
  if (kind === 'path') return { ...plain, value: requirePath(value) };
  if (kind === 'function') return { ...plain, path: requirePath(body.path ?? '') };
  if (kind === 'query') {
    if (!isWatchableQuery(value, match)) throw new AppError('invalid_input', 'watch_query');
    return { ...plain, match };
  }
  if (kind === 'error') {
    await requireVisibleErrors(db, userId, { projectId, ids: [value] });
  }
  return plain;
}

function requirePath(path: string): string {
  const clean = trimWatchPath(path);
  if (clean === '' || /[\0\n]/.test(clean)) throw new AppError('invalid_input', 'watch_path');
  return clean;
}
