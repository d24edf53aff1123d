import { z } from 'zod';
import { signedIn } from './auth.ts';
import { done } from './common.ts';
import { route } from './route.ts';

/** Six digits of the authenticator, or a recovery code; spaces and dashes count for nothing. */
const code = z.string().trim().min(6, 'Enter the six digits, or a recovery code').max(40);

const current_password = z.string().max(1024).optional();

const recovery_codes = z.array(z.string()).max(20);

export const confirmFactorBody = z.object({ code });

export const twoFactorRoutes = {
  state: route({
    method: 'GET',
    path: '/auth/two-factor',
    summary: 'Whether a second factor is asked for at sign-in',
    reply: z.object({ enabled: z.boolean(), recovery_codes_left: z.number() }),
  }),
  begin: route({
    method: 'POST',
    path: '/auth/two-factor',
    summary: 'Make a key for an authenticator app',
    description: 'Nothing is asked for before `POST /auth/two-factor/confirm`. Asks for the password.',
    body: z.object({ current_password }),
    reply: z.object({
      /** In base32, for typing. */
      secret: z.string(),
      /** `otpauth://totp/…`, for a QR code. */
      uri: z.string(),
    }),
  }),
  confirm: route({
    method: 'POST',
    path: '/auth/two-factor/confirm',
    summary: 'Turn the second factor on, by a first code; the recovery codes are shown this once',
    body: confirmFactorBody,
    reply: z.object({ recovery_codes }),
  }),
  disable: route({
    method: 'DELETE',
    path: '/auth/two-factor',
    summary: 'Turn the second factor off; asks for the password',
    body: z.object({ current_password }),
    reply: done,
  }),
  renewCodes: route({
    method: 'POST',
    path: '/auth/two-factor/recovery-codes',
    summary: 'Make new recovery codes; the old ones end. Asks for the password',
    body: z.object({ current_password }),
    reply: z.object({ recovery_codes }),
  }),
  signIn: route({
    method: 'POST',
    path: '/auth/two-factor/sign-in',
    access: 'visitor',
    summary: 'Finish a sign-in with the code of the second factor',
    body: z.object({ challenge: z.string().max(200), code }),
    reply: signedIn,
  }),
};
