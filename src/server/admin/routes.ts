import type { FastifyInstance } from 'fastify';
import { adminRoutes } from '#contract/admin.ts';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import { queueEmail, queueInvitationEmail } from '../identity/account-emails.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { readFeatureSwitches, updateFeatureSwitches } from '../identity/feature-switches.ts';
import { createSignupInvitation, saveSignupMode } from '../identity/signup.ts';
import { loadUserLanguage } from '../identity/user-store.ts';
import { readSandboxState, saveSandboxSwitch } from '../project-data/command-sandbox.ts';
import { listAllProjects } from './projects.ts';
import { deleteDeadJob, listActiveJobs, listDeadJobs, listQueues, retryDeadJob } from './queues.ts';
import { readServerState } from './server-state.ts';
import { listUsers, resetTwoFactor, updateUserAsAdmin } from './users.ts';

/** Registers the `admin` routes, which are `not_found` for other users. */
export function registerAdmin(app: FastifyInstance, deps: Deps): void {
  serveUsers(app, deps);
  serveJobs(app, deps);
  serveSignup(app, deps);
  serveFeatureSwitches(app, deps);
  serveSandbox(app, deps);
  serve(app, adminRoutes.projects, async ({ query }) => await listAllProjects(deps.db, query));
  serve(app, adminRoutes.server, async () => await readServerState(deps));
}

function serveUsers(app: FastifyInstance, deps: Deps): void {
  serve(app, adminRoutes.users, async ({ query }) => await listUsers(deps.db, query));

  serve(app, adminRoutes.updateUser, async ({ caller, params, body, request }) => {
    if (params.id === caller.userId) {
      throw new AppError('conflict', 'own_account', {
        reason: 'own_account',
      });
    }
    const by = { by: caller.userId, ...clientInfo(request) };
    const changed = await updateUserAsAdmin(deps, params.id, body, by);
    if (body.two_factor_enabled === false && (await resetTwoFactor(deps, changed, by))) {
      const email = { kind: 'two_factor_reset' as const, userId: changed.id };
      await queueEmail(deps, { ...email, origin: resolvePublicUrl(app, deps.config) });
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

  serve(app, adminRoutes.retryJob, async ({ params }) => {
    if (!(await retryDeadJob(deps, params))) throw jobNotFound();
    return { ok: true as const };
  });

  serve(app, adminRoutes.stopJob, async ({ caller, params, request }) => {
    if (!(await deps.jobs.cancel(params.queue, params.id))) throw jobNotFound();
    const detail = { queue: params.queue };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'job_stopped',
      detail,
      ...clientInfo(request),
    });
    return { ok: true as const };
  });

  serve(app, adminRoutes.deleteJob, async ({ params }) => {
    if ((await deleteDeadJob(deps.db, params)) === null) throw jobNotFound();
    return { ok: true as const };
  });
}

function serveSignup(app: FastifyInstance, deps: Deps): void {
  serve(app, adminRoutes.updateSignup, async ({ caller, body, request }) => {
    await saveSignupMode(deps, body.mode);
    const detail = { mode: body.mode };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'signup_mode_changed',
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
    const { email = null } = body;
    const { id, secret, expiresAt } = await createSignupInvitation(deps, { email, invitedBy: caller.userId });
    const baseUrl = resolvePublicUrl(app, deps.config);
    // In the fragment, which browsers never send, so that no log contains it.
    const link = `${baseUrl}/signup#${secret}`;
    const sent = email !== null && deps.config.mail.smtpUrl !== null;
    if (sent) {
      const language = await loadUserLanguage(deps.db, caller.userId);
      await queueInvitationEmail(deps, { to: email, language, link, origin: baseUrl });
    }
    const detail = { to: email ?? '' };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'signup_invitation_created',
      detail,
      ...clientInfo(request),
    });
    const created_at = deps.now().toISOString();
    return { id, email, created_at, expires_at: expiresAt.toISOString(), link, sent };
  });

  serve(app, adminRoutes.revokeInvitation, async ({ params }) => {
    const deleted = await deps.db
      .deleteFrom('signup_invitations')
      .where('id', '=', params.id)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw new AppError('not_found', 'invitation_not_found');
    return { ok: true as const };
  });
}

function serveFeatureSwitches(app: FastifyInstance, deps: Deps): void {
  serve(app, adminRoutes.features, async () => await readFeatureSwitches(deps));

  serve(app, adminRoutes.updateFeatures, async ({ caller, body, request }) => {
    const changed = await updateFeatureSwitches(deps, body);
    for (const [name, on] of Object.entries(changed)) {
      const event = on ? 'feature_enabled' : 'feature_disabled';
      await recordAuditEvent(deps.db, {
        userId: caller.userId,
        event,
        detail: { name },
        ...clientInfo(request),
      });
    }
    return await readFeatureSwitches(deps);
  });
}

function serveSandbox(app: FastifyInstance, deps: Deps): void {
  serve(app, adminRoutes.sandbox, async () => await readSandboxState(deps));

  serve(app, adminRoutes.updateSandbox, async ({ caller, body, request }) => {
    await saveSandboxSwitch(deps, body.enabled);
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: body.enabled ? 'feature_enabled' : 'feature_disabled',
      detail: { name: 'sandbox' },
      ...clientInfo(request),
    });
    return await readSandboxState(deps);
  });
}

function jobNotFound(): AppError {
  return new AppError('not_found', 'job_not_found');
}
