import { AppError } from '#contract/errors.ts';
import type { Deps, OidcIssuer } from '../deps.ts';
import { requireOpenSignIn } from '../identity/sign-in-policy.ts';
import { findIssuer } from './issuers.ts';
import { createGitHubProvider } from './providers/github.ts';
import { createGoogleProvider } from './providers/google.ts';
import type { OAuthProvider } from './providers/oauth-provider.ts';
import { fetchThroughEgress } from './providers/oauth-requests.ts';
import { createOidcProvider } from './providers/oidc.ts';

/** A configured provider; `issuer` is set for an OpenID Connect issuer. */
export interface ConfiguredProvider {
  client: OAuthProvider;
  issuer: OidcIssuer | null;
}

/** Finds a provider by its name. Throws `bad_request` (`not_configured`). */
export type FindProvider = (name: string) => Promise<ConfiguredProvider>;

/** Creates the search for providers; clients keep the metadata of their issuers. */
export function createProviders(deps: Deps): FindProvider {
  const { github, google } = deps.config.signIn;
  const builtIn: Record<string, OAuthProvider | null> = {
    github: github && createGitHubProvider(github),
    google: google && createGoogleProvider(google),
  };
  const clients = new Map<string, { settings: string; client: OAuthProvider }>();
  return async (name) => {
    if (Object.hasOwn(builtIn, name)) {
      const client = builtIn[name];
      if (!client) throw notConfigured();
      await requireOpenSignIn(deps.db, null);
      return { client, issuer: null };
    }
    const issuer = await findIssuer(deps, name);
    if (!issuer) throw notConfigured();
    const settings = JSON.stringify(issuer);
    const cached = clients.get(name);
    if (cached?.settings === settings) return { client: cached.client, issuer };
    const client = createOidcProvider(issuer, fetchThroughEgress(deps.egress));
    clients.set(name, { settings, client });
    return { client, issuer };
  };
}

function notConfigured(): AppError {
  return new AppError('bad_request', 'oauth_not_configured', { reason: 'not_configured' });
}
