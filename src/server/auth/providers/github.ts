import { z } from 'zod';
import type { ServerConfig } from '../../deps.ts';
import type { OAuthProvider } from './oauth-provider.ts';
import { codeChallenge, exchangeCode, fetchJson, optionalText } from './oauth-requests.ts';

const accessReply = z.object({ access_token: z.string().min(1) });
const userReply = z.object({ id: z.number().int(), login: z.string(), name: optionalText });
const emailsReply = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub or GitHub Enterprise Server. GitHub issues no ID token, so the profile is read from its API. */
export function createGitHubProvider(config: NonNullable<ServerConfig['signIn']['github']>): OAuthProvider {
  return {
    async authorizeUrl({ state, codeVerifier: verifier, redirectUri }) {
      const query = new URLSearchParams({
        client_id: config.clientId,
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: codeChallenge(verifier),
        code_challenge_method: 'S256',
        allow_signup: 'false',
      });
      return `${config.url}/login/oauth/authorize?${query}`;
    },
    async fetchProfile({ code }, { codeVerifier: verifier, redirectUri }) {
      const tokenUrl = `${config.url}/login/oauth/access_token`;
      const { access_token } = await exchangeCode(tokenUrl, accessReply, {
        ...config,
        code,
        verifier,
        redirectUri,
      });
      const headers = { authorization: `Bearer ${access_token}`, accept: 'application/vnd.github+json' };
      const user = await fetchJson(`${config.apiUrl}/user`, userReply, { headers });
      const emails = await fetchJson(`${config.apiUrl}/user/emails`, emailsReply, { headers });
      const primary = emails.find((email) => email.primary);
      return {
        subject: String(user.id),
        name: user.login,
        fullName: user.name ?? null,
        email: primary?.email ?? null,
        emailVerified: primary?.verified ?? false,
        groups: null,
      };
    },
  };
}
