import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { RouteData } from '#contract/route.ts';
import { watchRoutes } from '#contract/watches.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
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
    const subject = await readSubject(deps, project.id, body);
    const id = await createWatch(db, { userId: caller.userId, projectId: project.id, subject });
    return (await listWatches(db, caller.userId, project.id)).find((watch) => watch.id === id)!;
  });

  serve(app, watchRoutes.remove, async ({ caller, params }) => {
    await deleteWatch(db, caller.userId, params.id);
    return { ok: true as const };
  });
}

/** Validates a subject. Throws `invalid_input`, or `not_found` for an error that is not of the project. */
async function readSubject({ db }: Deps, projectId: string, body: WatchBody): Promise<WatchSubject> {
  const { kind, value, match } = body;
  const plain = { kind, value, path: '', match: 'words' as const };
  if (kind === 'path') return { ...plain, value: requirePath(value) };
  if (kind === 'function') return { ...plain, path: requirePath(body.path ?? '') };
  if (kind === 'query') {
    if (!isWatchableQuery(value, match)) throw new AppError('invalid_input', 'watch_query');
    return { ...plain, match };
  }
  if (kind === 'error') {
    const error = await db
      .selectFrom('debug_groups')
      .select('id')
      .where('project_id', '=', projectId)
      .where('id', '=', value)
      .where('merged_into', 'is', null)
      .executeTakeFirst();
    if (!error) throw new AppError('not_found', 'error_not_found');
  }
  return plain;
}

function requirePath(path: string): string {
  const clean = path.replace(/^(?:\.?\/)+|\/+$/g, '');
  if (clean === '' || /[\0\n]/.test(clean)) throw new AppError('invalid_input', 'watch_path');
  return clean;
}
