import type { FastifyInstance } from 'fastify';
import { adminRoutes } from '#contract/admin.ts';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { requireSameOrigin } from '../http/security.ts';
import { serve } from '../http/serve.ts';
import { queueEmail, queueInvitationEmail } from '../identity/account-emails.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { changeSwitches, readSwitches } from '../identity/feature-switches.ts';
import { createSignupInvitation, saveSignupMode } from '../identity/signup.ts';
import { listAllProjects } from './projects.ts';
import { deleteDeadJob, listActiveJobs, listDeadJobs, listQueues, retryDeadJob } from './queues.ts';
import { readServerState } from './server-state.ts';
import { listUsers, resetTwoFactor, updateUserAsAdmin } from './users.ts';

/** Serves the feature `admin`: what an administrator sees and does. Nobody else knows that it is there. */
export function registerAdmin(app: FastifyInstance, deps: Deps): void {
  serveUsers(app, deps);
  serveJobs(app, deps);
  serveSignup(app, deps);
  serveSwitches(app, deps);
  serve(app, adminRoutes.projects, async ({ query }) => await listAllProjects(deps.db, query));
  serve(app, adminRoutes.server, async () => await readServerState(deps));
}

function serveUsers(app: FastifyInstance, deps: Deps): void {
  serve(app, adminRoutes.users, async ({ query }) => await listUsers(deps.db, query));

  serve(app, adminRoutes.updateUser, async ({ caller, params, body, request }) => {
    requireSameOrigin(request, deps.config);
    if (params.id === caller.userId) {
      throw new AppError('conflict', 'Somebody else must do this to your own account.', {
        reason: 'own_account',
      });
    }
    const by = { by: caller.userId, ...clientInfo(request) };
    const changed = await updateUserAsAdmin(deps, params.id, body, by);
    if (body.two_factor_enabled === false && (await resetTwoFactor(deps, changed, by))) {
      const letter = { kind: 'two_factor_reset' as const, userId: changed.id };
      await queueEmail(deps, { ...letter, origin: resolvePublicUrl(app, deps.config) });
      return { ...changed, two_factor_enabled: false };
    }
    return changed;
  });
}

function serveJobs(app: FastifyInstance, deps: Deps): void {
  serve(app, adminRoutes.jobs, async () => ({
    queues: await listQueues(deps.db),
    active: await listActiveJobs(deps.db),
    dead: await listDeadJobs(deps.db),
  }));

  serve(app, adminRoutes.retryJob, async ({ params, request }) => {
    requireSameOrigin(request, deps.config);
    if (!(await retryDeadJob(deps, params))) throw noSuchJob();
    return { ok: true as const };
  });

  serve(app, adminRoutes.stopJob, async ({ caller, params, request }) => {
    requireSameOrigin(request, deps.config);
    if (!(await deps.jobs.cancel(params.queue, params.id))) throw noSuchJob();
    const detail = { queue: params.queue };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'job_stopped',
      detail,
      ...clientInfo(request),
    });
    return { ok: true as const };
  });

  serve(app, adminRoutes.deleteJob, async ({ params, request }) => {
    requireSameOrigin(request, deps.config);
    if ((await deleteDeadJob(deps.db, params)) === null) throw noSuchJob();
    return { ok: true as const };
  });
}

function serveSignup(app: FastifyInstance, deps: Deps): void {
  serve(app, adminRoutes.updateSignup, async ({ caller, body, request }) => {
    requireSameOrigin(request, deps.config);
    await saveSignupMode(deps, body.mode);
    const detail = { mode: body.mode };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'signup_changed',
      detail,
      ...clientInfo(request),
    });
    return { ok: true as const };
  });

  serve(app, adminRoutes.invitations, async () => {
    const rows = await deps.db
      .selectFrom('signup_invitations')
      .selectAll()
      .where('used_at', 'is', null)
      .where('expires_at', '>', deps.now())
      .orderBy('id', 'desc')
      .limit(MAX_LIST)
      .execute();
    const invitations = rows.map((row) => ({
      id: row.id,
      email: row.email,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
    }));
    return { invitations };
  });

  serve(app, adminRoutes.invite, async ({ caller, body, request }) => {
    requireSameOrigin(request, deps.config);
    const { email = null } = body;
    const { id, secret, expiresAt } = await createSignupInvitation(deps, { email, invitedBy: caller.userId });
    const address = resolvePublicUrl(app, deps.config);
    // In the fragment, which browsers send to no server: it enters no log on the way.
    const link = `${address}/signup#${secret}`;
    const sent = email !== null && deps.config.mail.smtpUrl !== null;
    if (sent) {
      const { language } = await deps.db
        .selectFrom('users')
        .select('language')
        .where('id', '=', caller.userId)
        .executeTakeFirstOrThrow();
      await queueInvitationEmail(deps, { to: email, language, link, origin: address });
    }
    const detail = { to: email ?? '' };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'signup_invited',
      detail,
      ...clientInfo(request),
    });
    const created_at = deps.now().toISOString();
    return { id, email, created_at, expires_at: expiresAt.toISOString(), link, sent };
  });

  serve(app, adminRoutes.revokeInvitation, async ({ params, request }) => {
    requireSameOrigin(request, deps.config);
    const gone = await deps.db
      .deleteFrom('signup_invitations')
      .where('id', '=', params.id)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (gone.numDeletedRows === 0n) throw new AppError('not_found', 'There is no such invitation.');
    return { ok: true as const };
  });
}

function serveSwitches(app: FastifyInstance, deps: Deps): void {
  serve(app, adminRoutes.features, async () => await readSwitches(deps));

  serve(app, adminRoutes.updateFeatures, async ({ caller, body, request }) => {
    requireSameOrigin(request, deps.config);
    const changed = await changeSwitches(deps, body);
    for (const [name, on] of Object.entries(changed)) {
      const event = on ? 'switched_on' : 'switched_off';
      await recordAuditEvent(deps.db, {
        userId: caller.userId,
        event,
        detail: { name },
        ...clientInfo(request),
      });
    }
    return await readSwitches(deps);
  });
}

function noSuchJob(): AppError {
  return new AppError('not_found', 'There is no such job.');
}
