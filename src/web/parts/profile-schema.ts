import { zodResolver } from '@hookform/resolvers/zod';
import { updateProfileBody } from '#contract/account.ts';

/** Checks fields of the profile by the contract. */
export const profileResolver = zodResolver(updateProfileBody);
