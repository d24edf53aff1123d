import { zodResolver } from '@hookform/resolvers/zod';
import { updateProfileBody } from '#contract/account.ts';

/** Validates profile fields by the contract. */
export const profileResolver = zodResolver(updateProfileBody);
