import { z } from 'zod';
import { email, profile, username } from './account.ts';
import { id, MAX_PAGE, okReply, timestamp } from './common.ts';
import { route } from './route.ts';

/** 8 to 128 characters, no composition rules; common ones are refused by the server. */
const password = z.string().min(8).max(128);

/** Sign-up policy. */
export const signupMode = z.enum(['open', 'invite', 'closed']);
export type SignupMode = z.infer<typeof signupMode>;

export const registerBody = z.object({
  username,
  email,
  password,
  /** Required for the first account of a server that listens beyond loopback. */
  setup_code: z.string().max(64).optional(),
  /** Token from the link of an invitation. */
  invitation_token: z.string().max(200).optional(),
});

export const loginBody = z.object({
  /** The email, as in the specification; a username works too. */
  username: z.string().min(1).max(254),
  password: z.string().min(1).max(1024),
  /** `true` keeps the sign-in for 30 days; otherwise it ends with the browser. */
  remember: z.enum(['true', 'false']).optional(),
});

const tokens = z.object({
  access_token: z.string(),
  /** Omitted when the refresh token came by cookie. */
  refresh_token: z.string().optional(),
  token_type: z.literal('bearer'),
  /** Seconds until the access token ends. */
  expires_in: z.number(),
});

/** Reply to correct credentials: both tokens and the profile. */
export const signedIn = tokens.extend({ user: profile });
export type SignedIn = z.infer<typeof signedIn>;

/** Reply to correct credentials of an account with two-factor authentication: send the code with this challenge. */
export const twoFactorChallenge = z.object({
  two_factor_required: z.literal(true),
  challenge: z.string(),
  /** Seconds until the password is to be entered again. */
  expires_in: z.number(),
});

export const resetPasswordBody = z.object({
  /** Token from the link in the email. */
  token: z.string().max(200),
  new_password: password,
});

export const changePasswordBody = z.object({
  /** May be left out within ten minutes of a sign-in. */
  current_password: z.string().max(1024).optional(),
  new_password: password,
});

/** A login session of the caller. */
const loginSession = z.object({
  id: z.string(),
  /** Browser and system, or the name of a program, from its user agent. */
  device: z.string(),
  created_at: timestamp,
  last_used_at: timestamp,
  /** True for the session of the caller. */
  current: z.boolean(),
});
export type LoginSession = z.infer<typeof loginSession>;

export const authRoutes = {
  register: route({
    method: 'POST',
    path: '/auth/register',
    sameOrigin: true,
    rateLimits: [{ bucket: 'register:tries', limit: 'registerAttemptsPerIp', per: 'ip' }],
    access: 'visitor',
    summary: 'Create an account and sign in',
    body: registerBody,
    reply: signedIn,
    status: 201,
  }),
  login: route({
    method: 'POST',
    path: '/auth/login',
    sameOrigin: true,
    checksCredentials: true,
    rateLimits: [
      { bucket: 'login', limit: 'loginPerIp', per: 'ip' },
      { bucket: 'login:hourly', limit: 'loginPerIpHourly', per: 'ip' },
    ],
    allowedWhenDiskFull: true,
    access: 'visitor',
    kind: 'form',
    summary: 'Sign in; `username` takes the email or the username',
    description:
      'An account with a second factor answers with `two_factor_required` and a challenge for `POST /auth/two-factor/sign-in`. Signing in takes back a deletion that was asked for.',
    body: loginBody,
    reply: z.union([signedIn, twoFactorChallenge]),
  }),
  refresh: route({
    method: 'POST',
    path: '/auth/refresh',
    sameOrigin: true,
    checksCredentials: true,
    rateLimits: [{ bucket: 'refresh', limit: 'refreshPerIp', per: 'ip' }],
    allowedWhenDiskFull: true,
    access: 'visitor',
    summary: 'Exchange a refresh token, from the body or the cookie, for a new pair',
    body: z.object({ refresh_token: z.string().max(4096).optional() }).optional(),
    reply: tokens,
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    sameOrigin: true,
    allowedWithoutSecondFactor: true,
    allowedWhenDiskFull: true,
    summary: 'Sign out of this session',
    reply: okReply,
  }),
  forgotPassword: route({
    method: 'POST',
    path: '/auth/forgot-password',
    sameOrigin: true,
    rateLimits: [{ bucket: 'forgot', limit: 'forgotPerIp', per: 'ip' }],
    allowedWhenDiskFull: true,
    access: 'visitor',
    summary: 'Request a password reset email',
    description: 'The reply is the same whether or not an account has this email address.',
    body: z.object({ email }),
    reply: okReply,
  }),
  resetPassword: route({
    method: 'POST',
    path: '/auth/reset-password',
    sameOrigin: true,
    rateLimits: [{ bucket: 'reset', limit: 'resetPerIp', per: 'ip' }],
    allowedWhenDiskFull: true,
    access: 'visitor',
    summary: 'Set a new password with the token from the email',
    description: 'The link is valid once, for 30 minutes. Ends all sessions of the account.',
    body: resetPasswordBody,
    reply: okReply,
  }),
  changePassword: route({
    method: 'POST',
    path: '/auth/password',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Change the password',
    description: 'Ends all other sessions of the account.',
    body: changePasswordBody,
    reply: okReply,
  }),
  sessions: route({
    method: 'GET',
    path: '/auth/sessions',
    summary: "List the caller's sessions, most recently used first",
    reply: z.object({ sessions: z.array(loginSession).max(MAX_PAGE) }),
  }),
  revokeOtherSessions: route({
    method: 'DELETE',
    path: '/auth/sessions',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Revoke all other sessions',
    reply: z.object({ revoked: z.number() }),
  }),
  revokeSession: route({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Revoke a session',
    params: z.object({ id }),
    reply: okReply,
  }),
  verifyEmail: route({
    method: 'POST',
    path: '/auth/verify-email',
    sameOrigin: true,
    rateLimits: [{ bucket: 'confirm', limit: 'resetPerIp', per: 'ip' }],
    allowedWhenDiskFull: true,
    access: 'visitor',
    summary: 'Confirm an email address with the token from the email',
    description: 'A new email address replaces the current one when it is confirmed.',
    body: z.object({ token: z.string().max(200) }),
    reply: z.object({ email: z.string() }),
  }),
  resendVerification: route({
    method: 'POST',
    path: '/auth/me/verify-email',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Resend the email that confirms the email address',
    reply: okReply,
  }),
  setup: route({
    method: 'GET',
    path: '/auth/setup',
    access: 'visitor',
    summary: 'Get sign-in and sign-up options',
    reply: z.object({
      first_account: z.boolean(),
      setup_code_required: z.boolean(),
      /** Sign-up policy after the first account. */
      signup: signupMode,
      /** OAuth providers that are configured. */
      oauth_providers: z.object({ github: z.boolean(), google: z.boolean() }),
      /** OpenID Connect issuers, by the id that sign-in names. */
      issuers: z.array(z.object({ id: z.string(), name: z.string() })).max(40),
      password_min_length: z.number(),
      /** True where passwords are closed to all but a few administrators. */
      sso_required: z.boolean(),
    }),
  }),
  invitation: route({
    method: 'POST',
    path: '/auth/invitation',
    rateLimits: [{ bucket: 'invitation:ip', limit: 'invitationLookupsPerIp', per: 'ip' }],
    allowedWhenDiskFull: true,
    access: 'visitor',
    summary: 'Preview a project invitation',
    body: z.object({ token: z.string().max(200) }),
    reply: z.object({ email: z.string().nullable() }),
  }),
  socketTicket: route({
    method: 'POST',
    path: '/auth/ws-ticket',
    allowedWhenDiskFull: true,
    summary: 'Create a one-time ticket for the WebSocket, valid for 30 seconds',
    reply: z.object({ ticket: z.string() }),
  }),
};
