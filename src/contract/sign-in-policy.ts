import { z } from 'zod';
import { id } from './common.ts';
import { route } from './route.ts';

/** Administrators who keep their password while single sign-on is enforced. */
const MAX_BREAK_GLASS = 5;

const signInPolicy = z.object({
  /** Passwords, GitHub and Google are closed; people sign in with an OpenID Connect provider. */
  sso_required: z.boolean(),
  /** Accounts without a second factor can do nothing but set one up. */
  second_factor_required: z.boolean(),
  /** Administrators who may still sign in with their password. */
  break_glass: z.array(z.object({ id: z.string(), username: z.string() })).max(MAX_BREAK_GLASS),
});

export const signInPolicyRoutes = {
  get: route({
    method: 'GET',
    path: '/admin/sign-in-policy',
    access: 'admin',
    summary: 'Get the sign-in policy',
    reply: signInPolicy,
  }),
  update: route({
    method: 'PUT',
    path: '/admin/sign-in-policy',
    allowedWhenDiskFull: true,
    access: 'admin',
    sameOrigin: true,
    summary: 'Change the sign-in policy',
    description:
      'Enforcing single sign-on needs an OpenID Connect provider and an active administrator with a password in `break_glass_user_ids`, and signs everybody else out.',
    body: z
      .object({
        sso_required: z.boolean(),
        second_factor_required: z.boolean(),
        break_glass_user_ids: z.array(id).max(MAX_BREAK_GLASS),
      })
      .partial(),
    reply: signInPolicy,
  }),
};
