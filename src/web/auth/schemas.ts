import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { email } from '#contract/account.ts';
import { loginBody, registerBody } from '#contract/auth.ts';

const login = loginBody.omit({ remember: true }).extend({
  // What looks like an email must be one; anything else is a username.
  username: loginBody.shape.username.refine((text) => !text.includes('@') || email.safeParse(text).success),
  remember: z.boolean(),
});

const signup = registerBody.extend({ terms: z.boolean().refine((accepted) => accepted) });

/** Checks the fields of the sign-in page by the contract. */
export const loginResolver = zodResolver(login);

/** Checks the fields of the sign-up page by the contract. */
export const signupResolver = zodResolver(signup);
