import { z } from 'zod';
import { timestamp } from './common.ts';
import { route } from './route.ts';

export const username = z.string().regex(/^[A-Za-z0-9_-]{3,32}$/, 'Use 3 to 32 letters, digits, _ or -');

export const email = z.email('Enter an email address').max(254);

export const preferences = z.object({
  email_notifications: z.boolean(),
  push_notifications: z.boolean(),
  /** Which notifications also go out by mail and push: all, those that concern the reader, or security alone. */
  notification_scope: z.enum(['everything', 'mine', 'security']),
  theme: z.enum(['light', 'dark', 'system']),
  language: z.enum(['en', 'es', 'fr', 'de']),
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
  /** `waiting` until the link that was sent there is followed; `unchecked` where the server has no mail server. */
  email_state: z.enum(['verified', 'waiting', 'unchecked']),
  /** A new address that waits to be confirmed. */
  pending_email: z.string().nullable(),
  two_factor: z.boolean(),
  preferences,
});
export type Profile = z.infer<typeof profile>;

/** A text that may be left empty; what is empty is stored as null. */
const optionalText = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest, `Use at most ${longest} characters`)
    .nullable()
    .transform((text) => text || null);

/** Others follow this address, so it leads to the web and nowhere else. */
const website = optionalText(500).refine(
  (text) => text === null || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
  'Enter an address that begins with https:// or http://',
);

/** What one may change about oneself. Clients may send a whole profile back: the rest of it is dropped. */
export const changeProfileBody = z
  .object({
    full_name: optionalText(100),
    username,
    email,
    bio: optionalText(1000),
    location: optionalText(100),
    website,
    preferences: preferences.partial(),
    /** Asked for when the email changes and the sign-in is older than ten minutes. */
    current_password: z.string().max(1024),
  })
  .partial();

export const accountRoutes = {
  me: route({ method: 'GET', path: '/auth/me', summary: 'The signed-in user', reply: profile }),
  changeProfile: route({
    method: 'PUT',
    path: '/auth/me',
    summary: 'Change the profile and the preferences of the signed-in user',
    description:
      'Only what is sent changes. A new email needs a sign-in within the last ten minutes, or `current_password`; where the server has a mail server, it waits in `pending_email` until the link in a letter is followed.',
    body: changeProfileBody,
    reply: profile,
  }),
  askExport: route({
    method: 'POST',
    path: '/auth/me/export',
    summary: 'Ask for everything that the caller owns, as a zip',
    description: 'Asks for the password. The address works once, within five minutes.',
    body: z.object({ current_password: z.string().max(1024).optional() }),
    reply: z.object({ address: z.string() }),
  }),
  export: route({
    method: 'GET',
    path: '/auth/export',
    access: 'visitor',
    kind: 'file',
    summary: 'The zip, by the address that `POST /auth/me/export` gave',
    query: z.object({ key: z.string().max(200) }),
    reply: z.unknown(),
  }),
  remove: route({
    method: 'POST',
    path: '/auth/me/delete',
    summary: 'Delete the account, after a time in which signing in takes it back',
    description:
      'Asks for the password. All sign-ins end. Projects that the caller owns go with it: hand on those that others need.',
    body: z.object({ current_password: z.string().max(1024).optional() }),
    reply: z.object({ deletion_at: timestamp }),
  }),
};
