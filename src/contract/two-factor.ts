import { z } from 'zod';
import { signedIn } from './auth.ts';
import { okReply } from './common.ts';
import { route } from './route.ts';

/** Six digits of the authenticator, or a recovery code; spaces and dashes count for nothing. */
const code = z.string().trim().min(6, 'second_factor_code_empty').max(40);

const current_password = z.string().max(1024).optional();

const recovery_codes = z.array(z.string()).max(20);

export const confirmTwoFactorBody = z.object({ code });

export const twoFactorRoutes = {
  state: route({
    method: 'GET',
    path: '/auth/two-factor',
    allowedWithoutSecondFactor: true,
    summary: 'Get the status of two-factor authentication',
    reply: z.object({ enabled: z.boolean(), recovery_codes_remaining: z.number() }),
  }),
  setUp: route({
    method: 'POST',
    path: '/auth/two-factor',
    sameOrigin: true,
    allowedWithoutSecondFactor: true,
    allowedWhenDiskFull: true,
    summary: 'Create a secret for an authenticator app',
    description: 'Codes are not required until `POST /auth/two-factor/confirm`. Requires the password.',
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
    sameOrigin: true,
    allowedWithoutSecondFactor: true,
    allowedWhenDiskFull: true,
    summary: 'Enable two-factor authentication with a first code; recovery codes are shown once',
    body: confirmTwoFactorBody,
    reply: z.object({ recovery_codes }),
  }),
  disable: route({
    method: 'DELETE',
    path: '/auth/two-factor',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Disable two-factor authentication; requires the password',
    body: z.object({ current_password }),
    reply: okReply,
  }),
  regenerateRecoveryCodes: route({
    method: 'POST',
    path: '/auth/two-factor/recovery-codes',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Create new recovery codes and revoke the old ones; requires the password',
    body: z.object({ current_password }),
    reply: z.object({ recovery_codes }),
  }),
  signIn: route({
    method: 'POST',
    path: '/auth/two-factor/sign-in',
    sameOrigin: true,
    rateLimits: [{ bucket: 'login', limit: 'loginPerIp', per: 'ip' }],
    allowedWhenDiskFull: true,
    access: 'visitor',
    summary: 'Complete sign-in with a two-factor code',
    body: z.object({ challenge: z.string().max(200), code }),
    reply: signedIn,
  }),
};
