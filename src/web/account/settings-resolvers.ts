import { zodResolver } from '@hookform/resolvers/zod';
import { changePasswordBody } from '#contract/auth.ts';
import { confirmTwoFactorBody } from '#contract/two-factor.ts';

/** Checks the fields for a new password by the contract. */
export const passwordResolver = zodResolver(changePasswordBody);

/** Checks the first code of an authenticator by the contract. */
export const authenticatorCodeResolver = zodResolver(confirmTwoFactorBody);
