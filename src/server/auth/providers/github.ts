import { z } from 'zod';
import type { ServerConfig } from '../../deps.ts';
import { askService, challengeOf, exchangeCode, maybeText } from './exchange.ts';
import type { SignInService } from './sign-in-service.ts';

const accessReply = z.object({ access_token: z.string().min(1) });
const userReply = z.object({ id: z.number().int(), login: z.string(), name: maybeText });
const emailsReply = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub, or a GitHub Enterprise server: it signs nothing, so its API is asked who holds the token. */
export function createGitHub(config: NonNullable<ServerConfig['signIn']['github']>): SignInService {
  return {
    async address({ state, verifier, redirectUri }) {
      const query = new URLSearchParams({
        client_id: config.clientId,
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        allow_signup: 'false',
      });
      return `${config.url}/login/oauth/authorize?${query}`;
    },
    async identify(code, { verifier, redirectUri }) {
      const address = `${config.url}/login/oauth/access_token`;
      const { access_token } = await exchangeCode(address, accessReply, {
        ...config,
        code,
        verifier,
        redirectUri,
      });
      const headers = { authorization: `Bearer ${access_token}`, accept: 'application/vnd.github+json' };
      const user = await askService(`${config.apiUrl}/user`, userReply, { headers });
      const emails = await askService(`${config.apiUrl}/user/emails`, emailsReply, { headers });
      const primary = emails.find((email) => email.primary);
      return {
        subject: String(user.id),
        name: user.login,
        fullName: user.name ?? null,
        email: primary?.email ?? null,
        emailVerified: primary?.verified ?? false,
      };
    },
  };
}
