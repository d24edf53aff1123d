import { z } from 'zod';
import { id, okReply, timestamp } from './common.ts';
import { route } from './route.ts';
import { SEARCH_MATCHES } from './search-query.ts';

/** Saved searches of one user. */
export const MAX_SAVED_SEARCHES = 100;

const savedSearch = z.object({
  id: z.string(),
  name: z.string(),
  query: z.string(),
  match: z.enum(SEARCH_MATCHES),
  created_at: timestamp,
});
export type SavedSearch = z.infer<typeof savedSearch>;

export const savedSearchRoutes = {
  list: route({
    method: 'GET',
    path: '/search/saved',
    summary: "List the caller's saved searches by name",
    reply: z.array(savedSearch).max(MAX_SAVED_SEARCHES),
  }),
  save: route({
    method: 'POST',
    path: '/search/saved',
    summary: 'Save a search; one of the same name is replaced',
    body: z.object({
      name: z.string().trim().min(1, 'saved_search_name').max(80),
      query: z.string().trim().min(1, 'query_empty').max(2_000),
      match: z.enum(SEARCH_MATCHES).default('words'),
    }),
    reply: savedSearch,
    status: 201,
  }),
  remove: route({
    method: 'DELETE',
    path: '/search/saved/:id',
    summary: 'Delete a saved search',
    params: z.object({ id }),
    reply: okReply,
    allowedWhenDiskFull: true,
  }),
};
