import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query';
import { createContext, type LoaderFunctionArgs, type Params } from 'react-router';
import { getAccessToken } from './access-token.ts';
import { apiQuery } from './api-query.ts';

/** Cache of queries, for the loaders of routes. */
export const queryClientContext = createContext<QueryClient>();

/** Any query; the options of each have a type of their own. */
// biome-ignore lint/suspicious/noExplicitAny: replies are read by the components that use the same options.
type AnyQuery = FetchQueryOptions<any, any, any, any>;

/**
 * Loader of a route that starts queries of its page while the page's scripts load: `loader: prefetch(({ id }) => [apiQuery(…)])`.
 * Waits for none; the page shows their states.
 */
export function prefetch(queries: (params: Params, search: URLSearchParams) => AnyQuery[]) {
  return ({ params, request, context }: LoaderFunctionArgs): null => {
    if (getAccessToken() === null) return null;
    const client = context.get(queryClientContext);
    const { searchParams } = new URL(request.url);
    for (const query of queries(params, searchParams)) void client.prefetchQuery(query);
    return null;
  };
}

/** Loader of a page of one project. */
export const prefetchProject = prefetch(({ id = '' }) => [apiQuery('GET /projects/:id', { params: { id } })]);
