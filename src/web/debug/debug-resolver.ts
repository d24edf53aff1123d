import { debugBody } from '#contract/debug.ts';
import { formResolver } from '../parts/form-resolver.ts';

/** Validates the form of an error; loaded on first validation. */
export const debugResolver = formResolver(debugBody);
