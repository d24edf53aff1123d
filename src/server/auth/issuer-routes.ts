import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/route.ts';
import { MAX_ISSUERS, signInProviderRoutes } from '#contract/sign-in-providers.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import type { Caller } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { readSignInPolicy } from '../identity/sign-in-policy.ts';
import { deleteIssuer, listIssuers, type ServerIssuer, saveIssuer } from './issuers.ts';
import { createDiscovery } from './providers/discovery.ts';
import { fetchThroughEgress } from './providers/oauth-requests.ts';

/** Serves the OpenID Connect issuers of administrators. */
export function serveIssuers(app: FastifyInstance, deps: Deps): void {
  const callbackUrl = (name: string) => oauthCallbackUrl(app, deps, name);

  serve(app, signInProviderRoutes.list, async () => ({
    providers: (await listIssuers(deps)).map((issuer) => presentIssuer(issuer, callbackUrl(issuer.id))),
  }));

  serve(app, signInProviderRoutes.save, async ({ caller, params, body, request }) => {
    const issuers = await listIssuers(deps);
    const existing = issuers.find(({ id }) => id === params.id);
    if (existing?.source === 'environment')
      throw new AppError('conflict', 'issuer_set_by_operator', { reason: 'set_by_operator' });
    if (!existing && issuers.length >= MAX_ISSUERS)
      throw new AppError('conflict', 'issuer_limit_reached', { params: { limit: MAX_ISSUERS } });
    const issuer = withSecret(existing, { id: params.id, ...body });
    await testDiscovery(deps, issuer.issuer);
    await saveIssuer(deps, issuer);
    await auditIssuer(deps, request, { caller, event: 'sign_in_provider_saved', name: issuer.name });
    return presentIssuer({ ...issuer, source: 'administrator' }, callbackUrl(params.id));
  });

  serve(app, signInProviderRoutes.remove, async ({ caller, params, request }) => {
    const issuers = await listIssuers(deps);
    const existing = issuers.find(({ id }) => id === params.id);
    if (existing?.source === 'environment')
      throw new AppError('conflict', 'issuer_set_by_operator', { reason: 'set_by_operator' });
    if (existing && issuers.length === 1 && (await readSignInPolicy(deps.db)).ssoRequired)
      throw new AppError('conflict', 'sso_needs_provider', { reason: 'no_provider' });
    if (!existing || !(await deleteIssuer(deps, params.id)))
      throw new AppError('not_found', 'issuer_not_found');
    await auditIssuer(deps, request, { caller, event: 'sign_in_provider_removed', name: existing.name });
    return { ok: true as const };
  });
}

/** URL to which a provider redirects with its authorization response. */
export function oauthCallbackUrl(app: FastifyInstance, deps: Pick<Deps, 'config'>, name: string): string {
  return `${resolvePublicUrl(app, deps.config)}${API_PREFIX}/auth/social/${name}/callback`;
}

interface IssuerBody {
  id: string;
  name: string;
  issuer: string;
  client_id: string;
  client_secret?: string | undefined;
  scopes: string;
  groups_claim: string;
  admin_groups: string[];
}

/** Merges a body with the stored issuer. Throws `invalid_input` for another URL or a missing secret. */
function withSecret(existing: ServerIssuer | undefined, body: IssuerBody) {
  const url = body.issuer.replace(/\/+$/, '');
  // Accounts are linked by the subjects of their issuer.
  if (existing && existing.issuer !== url) throw wrongField('issuer', 'issuer_url_fixed');
  const clientSecret = body.client_secret ?? existing?.clientSecret;
  if (!clientSecret) throw wrongField('client_secret', 'client_secret_missing');
  return {
    id: body.id,
    name: body.name,
    issuer: url,
    clientId: body.client_id,
    clientSecret,
    scopes: body.scopes,
    groupsClaim: body.groups_claim,
    adminGroups: body.admin_groups,
  };
}

function wrongField(field: string, key: 'issuer_url_fixed' | 'client_secret_missing'): AppError {
  return new AppError('invalid_input', key, { fields: { [field]: key } });
}

/** Throws `invalid_input` for an issuer without a valid discovery document, or the refusal of `egress`. */
async function testDiscovery({ egress }: Pick<Deps, 'egress'>, url: string): Promise<void> {
  try {
    await createDiscovery(url, fetchThroughEgress(egress))();
  } catch (cause) {
    if (cause instanceof AppError && cause.messageKey !== 'recipient_no_response') throw cause;
    throw new AppError('invalid_input', 'issuer_discovery_failed', {
      cause,
      reason: 'discovery_failed',
      fields: { issuer: 'issuer_discovery_failed' },
    });
  }
}

function presentIssuer(
  { name, issuer, source, ...rest }: Omit<ServerIssuer, 'clientSecret'>,
  callback_url: string,
) {
  return {
    id: rest.id,
    name,
    issuer,
    client_id: rest.clientId,
    scopes: rest.scopes,
    groups_claim: rest.groupsClaim,
    admin_groups: rest.adminGroups,
    source,
    callback_url,
  };
}

async function auditIssuer(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  entry: {
    caller: Caller;
    event: 'sign_in_provider_saved' | 'sign_in_provider_removed';
    name: string;
  },
): Promise<void> {
  const { caller, event, name } = entry;
  await recordAuditEvent(db, { userId: caller.userId, event, detail: { name }, ...clientInfo(request) });
}
