import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contract/account.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { presentProfile } from '../profile.ts';

/** Serves the feature `account`. */
export function registerAccount(app: FastifyInstance, { db }: Deps): void {
  const user = (id: string) => db.selectFrom('users').selectAll().where('id', '=', id);

  serve(app, accountRoutes.me, async ({ caller }) =>
    presentProfile(await user(caller.userId).executeTakeFirstOrThrow()),
  );

  serve(app, accountRoutes.changePreferences, async ({ caller, body }) => {
    const changes = body.preferences ?? {};
    if (Object.keys(changes).length > 0) {
      await db.updateTable('users').set(changes).where('id', '=', caller.userId).execute();
    }
    return presentProfile(await user(caller.userId).executeTakeFirstOrThrow());
  });
}
