import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { signInPolicyRoutes } from '#contract/sign-in-policy.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { emitSessionEnded } from '../identity/end-sessions.ts';
import { readSignInPolicy, type SignInPolicy, saveSignInPolicy } from '../identity/sign-in-policy.ts';
import { listIssuers } from './issuers.ts';

/** Serves the sign-in policy of the server. */
export function serveSignInPolicy(app: FastifyInstance, deps: Deps): void {
  serve(app, signInPolicyRoutes.get, async () => await presentPolicy(deps.db));

  serve(app, signInPolicyRoutes.update, async ({ caller, body, request }) => {
    const before = await readSignInPolicy(deps.db);
    const policy = {
      ssoRequired: body.sso_required ?? before.ssoRequired,
      secondFactorRequired: body.second_factor_required ?? before.secondFactorRequired,
      breakGlass: [...new Set(body.break_glass_user_ids ?? before.breakGlass)],
    };
    if (policy.ssoRequired) await requireWayBack(deps, policy);
    const isEnforced = policy.ssoRequired && !before.ssoRequired;
    const ended = await deps.db.transaction().execute(async (trx) => {
      await saveSignInPolicy({ db: trx, now: deps.now }, policy);
      const detail = {
        sso: policy.ssoRequired ? 'on' : 'off',
        second_factor: policy.secondFactorRequired ? 'on' : 'off',
      };
      const entry = { userId: caller.userId, detail, ...clientInfo(request) };
      await recordAuditEvent(trx, { ...entry, event: 'sign_in_policy_changed' });
      return isEnforced ? await revokeOtherSessions({ db: trx, now: deps.now }, caller.sessionId) : [];
    });
    emitSessionEnded(deps, ended);
    return await presentPolicy(deps.db);
  });
}

/** Throws unless people can sign in by a provider, and an administrator by password when it fails. */
async function requireWayBack(deps: Deps, { breakGlass }: SignInPolicy): Promise<void> {
  if ((await listIssuers(deps)).length === 0)
    throw new AppError('conflict', 'sso_needs_provider', { reason: 'no_provider' });
  const administrators = await deps.db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', breakGlass.length > 0 ? breakGlass : [''])
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .where('password_hash', 'is not', null)
    .execute();
  if (administrators.length === 0 || administrators.length < breakGlass.length) {
    throw new AppError('invalid_input', 'break_glass_invalid', {
      reason: 'break_glass',
      fields: { break_glass_user_ids: 'break_glass_invalid' },
    });
  }
}

/** Ends all sessions but one, since how each of them began is not known. */
async function revokeOtherSessions(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  exceptSessionId: string,
): Promise<string[]> {
  const revoked = await db
    .updateTable('sessions')
    .set({ revoked_at: now() })
    .where('id', '!=', exceptSessionId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return revoked.map(({ id }) => id);
}

async function presentPolicy(db: Kysely<Database>) {
  const { ssoRequired, secondFactorRequired, breakGlass } = await readSignInPolicy(db);
  const break_glass = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', breakGlass.length > 0 ? breakGlass : [''])
    .orderBy('username')
    .execute();
  return { sso_required: ssoRequired, second_factor_required: secondFactorRequired, break_glass };
}
