import { createProjectBody } from '#contract/projects.ts';
import { formResolver } from './form-resolver.ts';

/** Validates the form that connects a repository; loaded on first validation. */
export const connectResolver = formResolver(createProjectBody);
