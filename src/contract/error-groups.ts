import { z } from 'zod';
import { id, MAX_PAGE, oid, okReply, queryInt, timestamp } from './common.ts';
import { route } from './route.ts';

/** State of all sessions of one error: `regressed` is an error that came back after it was solved. */
export const errorState = z.enum(['open', 'solved', 'regressed']);
export type ErrorState = z.infer<typeof errorState>;

/**
 * Nature of an error. `defect`: a fault of the project's code; only then is a commit accused. `raised_on_purpose`: a guard of
 * the project. `caller`: an unguarded misuse by the caller. `environment`: the machine or its set-up. `other_project`: the
 * frames belong to another project of the caller's.
 */
export const errorKind = z.enum([
  'defect',
  'raised_on_purpose',
  'caller',
  'environment',
  'other_project',
  'unclear',
]);

/** Kind of an error as shown: a defect with an accused commit is a regression. */
const verdictKind = z.enum(['regression', ...errorKind.options]);
export type VerdictKind = z.infer<typeof verdictKind>;

/** Weeks of the occurrences that a list shows. */
export const OCCURRENCE_WEEKS = 12;

const errorGroup = z.object({
  id: z.string(),
  project_id: z.string(),
  project_name: z.string(),
  /** First line of the newest error. */
  title: z.string(),
  /** Kind of the newest answer; null in older answers. */
  kind: verdictKind.nullable(),
  state: errorState,
  /** Null while the first state holds. */
  state_changed_at: timestamp.nullable(),
  count: z.number(),
  first_seen: timestamp,
  last_seen: timestamp,
  /** Newest session of the error. */
  session_id: z.string(),
  /** Occurrences by week, the current one last. */
  weeks: z.array(z.number()).max(OCCURRENCE_WEEKS),
  /** A commit may have fixed it; a member has to confirm that. */
  fix_suggested: z.boolean(),
});
export type ErrorGroup = z.infer<typeof errorGroup>;

const filters = z.object({
  /** `unsolved`: open or regressed. */
  state: z.enum(['unsolved', ...errorState.options]).optional(),
  kind: verdictKind.optional(),
  /** Part of the title. */
  q: z.string().max(200).optional(),
  cursor: z.string().max(200).optional(),
  limit: queryInt({ min: 1, max: MAX_PAGE, default: 50 }),
});

const errorPage = z.object({
  errors: z.array(errorGroup).max(MAX_PAGE),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
});

const stateChange = z.object({ id: z.string(), state: errorState, previous_state: errorState });

/** A place of an answer, as a member marks it. */
const labelledPlace = z.object({ path: z.string().min(1).max(4096), line: z.number().int().min(1) });
export type LabelledPlace = z.infer<typeof labelledPlace>;

export const answerLabel = z.object({ commit: oid.nullable(), place: labelledPlace.nullable() });

export const errorGroupRoutes = {
  list: route({
    method: 'GET',
    path: '/errors',
    apiKey: 'read',
    summary: "List errors of the caller's projects, last seen first",
    query: filters.extend({ project_id: id.optional() }),
    reply: errorPage.extend({
      /** Errors by state in the chosen project, whatever the other filters; on the first page only. */
      counts: z.object({ open: z.int(), solved: z.int(), regressed: z.int() }).nullable(),
    }),
  }),
  ofProject: route({
    method: 'GET',
    path: '/projects/:id/errors',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List errors of a project, last seen first',
    params: z.object({ id }),
    query: filters,
    reply: errorPage,
  }),
  setState: route({
    method: 'PATCH',
    path: '/projects/:id/errors/:error',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Resolve or reopen an error',
    params: z.object({ id, error: id }),
    body: z.object({ state: errorState }),
    reply: stateChange,
  }),
  setStates: route({
    method: 'PATCH',
    path: '/errors',
    apiKey: 'write',
    summary: 'Resolve or reopen errors of several projects; all or none',
    body: z.object({
      changes: z
        .array(z.object({ id, state: errorState }))
        .min(1)
        .max(MAX_PAGE),
    }),
    reply: z.object({ errors: z.array(stateChange).max(MAX_PAGE) }),
  }),
  label: route({
    method: 'PUT',
    path: '/debug/sessions/:id/label',
    apiKey: 'write',
    summary:
      'Mark the commit or the place of an answer that turned out to be right; replaces the former mark',
    params: z.object({ id }),
    body: answerLabel,
    reply: okReply,
  }),
  release: route({
    method: 'GET',
    path: '/debug/sessions/:id/release',
    apiKey: 'read',
    summary:
      'Get the first release that contains the suspect of an answer, or else the commit that introduced its lines',
    params: z.object({ id }),
    reply: z.object({
      /** Null where no tag contains the commit, or git took too long. */
      release: z.object({ name: z.string(), timestamp }).nullable(),
      commit: z.string().nullable(),
    }),
  }),
};
