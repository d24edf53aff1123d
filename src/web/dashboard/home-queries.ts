import { apiQuery } from '../api-query.ts';

/** Errors that Home shows. */
const MAX_ERRORS = '6';

/** Queries of Home, started by its route. */
export const homeQueries = {
  errors: apiQuery('GET /errors', { query: { state: 'unsolved', limit: MAX_ERRORS } }),
  projects: apiQuery('GET /projects'),
  changes: apiQuery('GET /home'),
};
