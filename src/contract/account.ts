import { z } from 'zod';
import { timestamp } from './common.ts';
import { route } from './route.ts';

export const preferences = z.object({
  email_notifications: z.boolean(),
  push_notifications: z.boolean(),
  theme: z.enum(['light', 'dark', 'system']),
  language: z.enum(['en', 'es', 'fr', 'de']),
});

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
  preferences,
});
export type Profile = z.infer<typeof profile>;

export const accountRoutes = {
  me: route({ method: 'GET', path: '/auth/me', summary: 'The signed-in user', reply: profile }),
  changePreferences: route({
    method: 'PUT',
    path: '/auth/me',
    summary: 'Change preferences of the signed-in user',
    body: z.object({ preferences: preferences.partial().optional() }),
    reply: profile,
  }),
};
