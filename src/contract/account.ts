import { z } from 'zod';
import { LANGUAGES } from '#locales/languages.ts';
import { timestamp } from './common.ts';
import { LOCAL_EDITORS } from './local-editors.ts';
import { route } from './route.ts';

export const username = z.string().regex(/^[A-Za-z0-9_-]{3,32}$/, 'username_format');

export const email = z.email('email_format').max(254);

const preferences = z.object({
  email_notifications: z.boolean(),
  push_notifications: z.boolean(),
  /** Notifications that are also sent by email and push: all, those about the user, or security alone. */
  notification_scope: z.enum(['all', 'participating', 'security']),
  /** Emails about notifications: at once, or once a day; none without `email_notifications`. */
  email_frequency: z.enum(['immediate', 'daily']),
  /** Editor on the user's computer that links open code in; null for none. */
  local_editor: z.enum(LOCAL_EDITORS).nullable(),
  theme: z.enum(['light', 'dark', 'system']),
  language: z.enum(LANGUAGES),
});

export type Preferences = z.infer<typeof preferences>;

export const profile = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  full_name: z.string().nullable(),
  bio: z.string().nullable(),
  location: z.string().nullable(),
  website: z.string().nullable(),
  role: z.enum(['admin', 'user']),
  subscription_plan: z.enum(['free', 'pro', 'enterprise']),
  is_active: z.boolean(),
  created_at: timestamp,
  /** `pending` until the link in the verification email is opened; `unavailable` without a mail server. */
  email_verification: z.enum(['verified', 'pending', 'unavailable']),
  /** New email that is not verified yet. */
  pending_email: z.string().nullable(),
  two_factor_enabled: z.boolean(),
  /** True while the account must set up a second factor before anything else works. */
  second_factor_required: z.boolean().optional(),
  preferences,
});
export type Profile = z.infer<typeof profile>;

/** Optional text; empty is stored as null. */
const optionalText = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .nullable()
    .transform((text) => text || null);

/** Limited to http and https, since others follow the link. */
const website = optionalText(500).refine(
  (text) => text === null || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
  'website_format',
);

/** Editable profile fields. Clients may send a whole profile back: other fields are dropped. */
export const updateProfileBody = z
  .object({
    full_name: optionalText(100),
    username,
    email,
    bio: optionalText(1000),
    location: optionalText(100),
    website,
    preferences: preferences.partial(),
    /** Required for a new email when the sign-in is older than ten minutes. */
    current_password: z.string().max(1024),
  })
  .partial();

export const accountRoutes = {
  me: route({
    method: 'GET',
    path: '/auth/me',
    allowedWithoutSecondFactor: true,
    apiKey: 'read',
    projectFrom: 'key',
    summary: 'Get the signed-in user',
    reply: profile,
  }),
  updateProfile: route({
    method: 'PUT',
    path: '/auth/me',
    summary: 'Update the profile and preferences of the signed-in user',
    description:
      'Only what is sent changes. A new email needs a sign-in within the last ten minutes, or `current_password`; where the server has a mail server, it waits in `pending_email` until the link in a letter is followed.',
    body: updateProfileBody,
    reply: profile,
  }),
  requestExport: route({
    method: 'POST',
    path: '/auth/me/export',
    sameOrigin: true,
    summary: 'Request an export of all data of the caller as a zip file',
    description: 'Requires the password. The URL is valid once, for five minutes.',
    body: z.object({ current_password: z.string().max(1024).optional() }),
    reply: z.object({ url: z.string() }),
  }),
  export: route({
    method: 'GET',
    path: '/auth/export',
    rateLimits: [{ bucket: 'export', limit: 'resetPerIp', per: 'ip' }],
    access: 'visitor',
    kind: 'file',
    summary: 'Download the zip file created by `POST /auth/me/export`',
    query: z.object({ token: z.string().max(200) }),
    reply: z.unknown(),
  }),
  remove: route({
    method: 'POST',
    path: '/auth/me/delete',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Schedule deletion of the account; signing in cancels it',
    description:
      'Asks for the password. All sign-ins end. Projects that the caller owns go with it: hand on those that others need.',
    body: z.object({ current_password: z.string().max(1024).optional() }),
    reply: z.object({ deletion_at: timestamp }),
  }),
};
