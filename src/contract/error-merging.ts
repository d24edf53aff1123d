import { z } from 'zod';
import { id } from './common.ts';
import { errorGroup, MAX_ERROR_KEYS } from './error-groups.ts';
import { route } from './route.ts';

/** Errors that one call merges. */
const MAX_MERGED = 50;
const MAX_SIMILAR = 5;

const params = z.object({ id, error: id });

const similarError = z.object({
  error: errorGroup,
  /** Features in common: the type, the words of the message, the function or the file. */
  shared: z.array(z.enum(['type', 'message', 'function', 'file'])).max(4),
});
export type SimilarErrorGroup = z.infer<typeof similarError>;

export const errorMergingRoutes = {
  similar: route({
    method: 'GET',
    path: '/projects/:id/errors/:error/similar',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List errors of the project that resemble this one, most similar first',
    params,
    reply: z.object({ errors: z.array(similarError).max(MAX_SIMILAR) }),
  }),
  merge: route({
    method: 'POST',
    path: '/projects/:id/errors/:error/merge',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Merge other errors of the project into this one; a split with the fingerprints undoes it',
    params,
    body: z.object({ errors: z.array(id).min(1).max(MAX_MERGED) }),
    reply: z.object({
      id: z.string(),
      merged: z
        .array(z.object({ id: z.string(), keys: z.array(z.string()).max(MAX_ERROR_KEYS) }))
        .max(MAX_MERGED),
    }),
  }),
  split: route({
    method: 'POST',
    path: '/projects/:id/errors/:error/split',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Split fingerprints or one event of an error off; a merge undoes it',
    params,
    body: z
      .object({
        keys: z.array(z.string().min(1).max(64)).min(1).max(MAX_ERROR_KEYS).optional(),
        /** An event, which gets a fingerprint of its own; later events like it stay with this error. */
        event: id.optional(),
        /** An error that was merged into this one and gets its fingerprints back; a new one when absent. */
        into: id.optional(),
      })
      .refine(({ keys, event }) => (keys === undefined) !== (event === undefined), 'split_keys_or_event')
      .refine(({ event, into }) => event === undefined || into === undefined, 'split_keys_or_event'),
    reply: z.object({ id: z.string(), keys: z.array(z.string()).max(MAX_ERROR_KEYS) }),
  }),
};
