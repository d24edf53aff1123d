import { z } from 'zod';
import { email, profile, username } from './account.ts';
import { done, timestamp } from './common.ts';
import { route } from './route.ts';

/** 8 to 128 characters, no composition rules; common ones are refused by the server. */
export const password = z.string().min(8, 'Use at least 8 characters').max(128, 'Use at most 128 characters');

export const registerBody = z.object({
  username,
  email,
  password,
  /** Asked for by a server that listens beyond loopback, for the first account only. */
  setup_code: z.string().max(64).optional(),
});

export const loginBody = z.object({
  /** The email, as the specification says; a username works too. */
  username: z.string().min(1).max(254),
  password: z.string().min(1).max(1024),
  /** `true` keeps the sign-in for 30 days; otherwise it ends with the browser. */
  remember: z.enum(['true', 'false']).optional(),
});

export const tokens = z.object({
  access_token: z.string(),
  /** Left out when a refresh was asked for by cookie. */
  refresh_token: z.string().optional(),
  token_type: z.literal('bearer'),
  /** Seconds until the access token ends. */
  expires_in: z.number(),
});

export const resetPasswordBody = z.object({
  /** The text that the letter's link carries. */
  token: z.string().max(200),
  new_password: password,
});

export const changePasswordBody = z.object({
  current_password: z.string().min(1).max(1024),
  new_password: password,
});

/** A place where the caller is signed in. */
export const signIn = z.object({
  id: z.string(),
  /** What the browser said of itself. */
  user_agent: z.string().nullable(),
  created_at: timestamp,
  last_used_at: timestamp,
  /** The one that asks. */
  current: z.boolean(),
});
export type SignIn = z.infer<typeof signIn>;

export const authRoutes = {
  register: route({
    method: 'POST',
    path: '/auth/register',
    access: 'visitor',
    summary: 'Create an account and sign in',
    body: registerBody,
    reply: tokens.extend({ user: profile }),
    status: 201,
  }),
  login: route({
    method: 'POST',
    path: '/auth/login',
    access: 'visitor',
    kind: 'form',
    summary: 'Sign in; `username` carries the email',
    body: loginBody,
    reply: tokens.extend({ user: profile }),
  }),
  refresh: route({
    method: 'POST',
    path: '/auth/refresh',
    access: 'visitor',
    summary: 'Exchange a refresh token, from the body or the cookie, for a new pair',
    body: z.object({ refresh_token: z.string().max(4096).optional() }).optional(),
    reply: tokens,
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    summary: 'End this sign-in on the server',
    reply: done,
  }),
  forgotPassword: route({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'visitor',
    summary: 'Ask for a letter with a link to set a new password',
    description: 'The reply is the same whether or not an account has this address.',
    body: z.object({ email }),
    reply: done,
  }),
  resetPassword: route({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'visitor',
    summary: "Set a new password by the letter's link",
    description: 'The link works once, for 30 minutes. All sign-ins of the account end.',
    body: resetPasswordBody,
    reply: done,
  }),
  changePassword: route({
    method: 'POST',
    path: '/auth/password',
    summary: 'Change the password',
    description: 'All other sign-ins of the account end.',
    body: changePasswordBody,
    reply: done,
  }),
  signIns: route({
    method: 'GET',
    path: '/auth/sessions',
    summary: 'Where the caller is signed in, the last used first',
    reply: z.object({ sessions: z.array(signIn) }),
  }),
  endOtherSignIns: route({
    method: 'DELETE',
    path: '/auth/sessions',
    summary: 'Sign out everywhere but here',
    reply: z.object({ ended: z.number() }),
  }),
  setup: route({
    method: 'GET',
    path: '/auth/setup',
    access: 'visitor',
    summary: 'What the sign-up page must ask for',
    reply: z.object({ first_account: z.boolean(), setup_code_required: z.boolean() }),
  }),
  socketTicket: route({
    method: 'POST',
    path: '/auth/ws-ticket',
    summary: 'A one-time ticket for the WebSocket, valid for 30 seconds',
    reply: z.object({ ticket: z.string() }),
  }),
};
