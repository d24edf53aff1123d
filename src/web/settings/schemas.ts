import { zodResolver } from '@hookform/resolvers/zod';
import { changePasswordBody } from '#contract/auth.ts';

/** Checks the fields for a new password by the contract. */
export const passwordResolver = zodResolver(changePasswordBody);
