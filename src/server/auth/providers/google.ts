import type { ServerConfig } from '../../deps.ts';
import type { OAuthProvider } from './oauth-provider.ts';
import { fetchDirectly } from './oauth-requests.ts';
import { createOidcProvider } from './oidc.ts';

/** Google, which asks for the account at every sign-in. */
export function createGoogleProvider(config: NonNullable<ServerConfig['signIn']['google']>): OAuthProvider {
  const { issuerUrl, ...client } = config;
  const scopes = 'openid email profile';
  return createOidcProvider(
    { ...client, issuer: issuerUrl, scopes, groupsClaim: null, prompt: 'select_account' },
    fetchDirectly,
  );
}
