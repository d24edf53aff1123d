import type { FastifyInstance } from 'fastify';
import { checkoutRoutes } from '#contract/checkouts.ts';
import { MAX_LIST } from '#contract/common.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';

/** Registers the routes of local clones. */
export function registerCheckouts(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, checkoutRoutes.list, async ({ caller }) => ({
    checkouts: await db
      .selectFrom('checkouts as c')
      .innerJoin('projects as p', 'p.id', 'c.project_id')
      .where('c.user_id', '=', caller.userId)
      .select(['c.project_id', 'p.name as project_name', 'c.folder'])
      .orderBy('p.name')
      .orderBy('p.id')
      .limit(MAX_LIST)
      .execute(),
  }));

  serve(app, checkoutRoutes.save, async ({ caller, params, body: { folder } }) => {
    const { id: project_id } = await projectAccess(deps, caller, params.id, 'viewer');
    const { userId: user_id } = caller;
    if (folder === null) {
      await db
        .deleteFrom('checkouts')
        .where('project_id', '=', project_id)
        .where('user_id', '=', user_id)
        .execute();
    } else {
      await db
        .insertInto('checkouts')
        .values({ project_id, user_id, folder })
        .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet({ folder }))
        .execute();
    }
    return { folder };
  });
}
