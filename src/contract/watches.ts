import { z } from 'zod';
import { id, okReply, timestamp } from './common.ts';
import { route } from './route.ts';
import { SEARCH_MATCHES } from './search-query.ts';

/** Watches of one user. */
export const MAX_WATCHES = 100;
/** Characters of a query, a path, a name or an id. */
const MAX_WATCH_VALUE = 500;

/** Subject of a watch: a search, a file or folder, a function, a person, or an error. */
const WATCH_KINDS = ['query', 'path', 'function', 'author', 'error'] as const;
const watchKind = z.enum(WATCH_KINDS);
export type WatchKind = z.infer<typeof watchKind>;

/** A watch as a notification names it, also after it was deleted. */
export const watchRef = z.object({ id: z.string(), kind: watchKind, label: z.string() });
export type WatchRef = z.infer<typeof watchRef>;

const watch = z.object({
  id: z.string(),
  project_id: z.string(),
  project_name: z.string(),
  kind: watchKind,
  /** The query, the path, the full name of the function, the name or email of the author, or the id of the error. */
  value: z.string(),
  /** File of a function; null for other kinds. */
  path: z.string().nullable(),
  /** For people: `value`, or the title of the error. */
  label: z.string(),
  match: z.enum(SEARCH_MATCHES),
  created_at: timestamp,
  /** Time of the newest notification; null before the first. */
  last_match_at: timestamp.nullable(),
});
export type Watch = z.infer<typeof watch>;

export const watchRoutes = {
  list: route({
    method: 'GET',
    path: '/watches',
    summary: "List the caller's watches, newest first",
    query: z.object({ project_id: id.optional() }),
    reply: z.object({ watches: z.array(watch).max(MAX_WATCHES) }),
  }),
  create: route({
    method: 'POST',
    path: '/watches',
    summary: 'Watch a query, path, function, author or error of a project',
    description:
      'New commits and new errors that match notify the caller. `value` is a search, a file or folder (also with `*`), the name of a function with its file in `path`, a part of the name or email of an author, or the id of an error. The same watch again is returned as it is.',
    body: z.object({
      project_id: id,
      kind: watchKind,
      value: z.string().trim().min(1, 'watch_value_empty').max(MAX_WATCH_VALUE),
      path: z.string().min(1).max(MAX_WATCH_VALUE).nullish(),
      match: z.enum(SEARCH_MATCHES).default('words'),
    }),
    reply: watch,
    status: 201,
  }),
  remove: route({
    method: 'DELETE',
    path: '/watches/:id',
    allowedWhenDiskFull: true,
    summary: 'Delete a watch',
    params: z.object({ id }),
    reply: okReply,
  }),
};
