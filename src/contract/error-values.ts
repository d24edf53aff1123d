import { z } from 'zod';
import { id } from './common.ts';
import { MAX_TAG_LENGTH } from './error-groups.ts';
import { route } from './route.ts';

const MAX_FILTER_VALUES = 20;

const query = z.object({
  field: z.enum(['release', 'environment', 'tag']),
  /** Part of the value; for tags the beginning of a name, or `name:` and part of the value. */
  q: z
    .string()
    .max(2 * MAX_TAG_LENGTH + 1)
    .default(''),
});

/** Values with the number of their events, most frequent first. Without a colon in `q`, tags are listed by name: `browser:`. */
const reply = z.object({
  values: z.array(z.object({ value: z.string(), count: z.number() })).max(MAX_FILTER_VALUES),
});

export const errorValueRoutes = {
  list: route({
    method: 'GET',
    path: '/errors/values',
    apiKey: 'read',
    summary: 'List releases, environments or tags of errors, to filter by',
    query: query.extend({ project_id: id.optional() }),
    reply,
  }),
  ofProject: route({
    method: 'GET',
    path: '/projects/:id/errors/values',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List releases, environments or tags of the errors of a project, to filter by',
    params: z.object({ id }),
    query,
    reply,
  }),
};
