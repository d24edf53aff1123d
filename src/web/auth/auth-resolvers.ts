import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { email } from '#contract/account.ts';
import { authRoutes, loginBody, registerBody, resetPasswordBody } from '#contract/auth.ts';
import { confirmTwoFactorBody } from '#contract/two-factor.ts';

const login = loginBody.omit({ remember: true }).extend({
  // A value with `@` must be an email; any other value is a username.
  username: loginBody.shape.username.refine((text) => !text.includes('@') || email.safeParse(text).success),
  remember: z.boolean(),
});

const signup = registerBody.extend({ terms: z.boolean().refine((accepted) => accepted) });

/** Checks the fields of the sign-in page by the contract. */
export const loginResolver = zodResolver(login);

/** Checks the fields of the sign-up page by the contract. */
export const signupResolver = zodResolver(signup);

/** Checks the field of the page for forgotten passwords by the contract. */
export const forgotResolver = zodResolver(authRoutes.forgotPassword.body);

/** Checks the field of the page for a new password by the contract. */
export const resetResolver = zodResolver(resetPasswordBody.pick({ new_password: true }));

/** Checks the code of the second factor by the contract. */
export const challengeCodeResolver = zodResolver(confirmTwoFactorBody);
