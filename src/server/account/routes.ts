import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contract/account.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { presentOwnProfile } from '../identity/profile.ts';
import { registerCheckouts } from './checkout-routes.ts';
import { serveAccountDeletion } from './delete-account.ts';
import { serveDataExport } from './export-routes.ts';
import { updateProfile } from './update-profile.ts';

/** Registers the `account` routes. */
export function registerAccount(app: FastifyInstance, deps: Deps): void {
  serve(app, accountRoutes.me, async ({ caller }) => {
    const user = await deps.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', caller.userId)
      .executeTakeFirstOrThrow();
    return await presentOwnProfile(deps, user);
  });

  serve(app, accountRoutes.updateProfile, async ({ caller, body, request }) => {
    const { before, after } = await updateProfile(app, deps, { caller, body, ip: request.ip });
    if (before.username !== after.username) {
      const detail = { before: before.username, after: after.username };
      await recordAuditEvent(deps.db, {
        userId: caller.userId,
        event: 'username_changed',
        detail,
        ...clientInfo(request),
      });
    }
    const email = after.pending_email ?? after.email;
    if (email !== (before.pending_email ?? before.email)) {
      const event = after.pending_email === null ? 'email_changed' : 'email_change_requested';
      await recordAuditEvent(deps.db, {
        userId: caller.userId,
        event,
        detail: { email },
        ...clientInfo(request),
      });
    }
    return await presentOwnProfile(deps, after);
  });

  registerCheckouts(app, deps);
  serveDataExport(app, deps);
  serveAccountDeletion(app, deps);
}
