import { z } from 'zod';
import { id, MAX_PAGE, oid, okReply, queryInt, timestamp } from './common.ts';
import { errorEventDetail, errorEventRow, eventLevel } from './error-events.ts';
import { ANSWER_RATE_LIMITS } from './rate-limits.ts';
import { releaseName } from './releases.ts';
import { route } from './route.ts';

/**
 * State of all occurrences of one error. `regressed`: came back after it was solved. `snoozed`: open again at a time, after a
 * number of events or with an event of a newer release. `ignored`: counted, and notifies no one.
 */
export const errorState = z.enum(['open', 'solved', 'regressed', 'snoozed', 'ignored']);
export type ErrorState = z.infer<typeof errorState>;

/**
 * Nature of an error. `defect`: a fault of the project's code; only then is a commit accused. `raised_on_purpose`: a guard of
 * the project. `caller`: an unguarded misuse by the caller. `environment`: the machine or its set-up. `other_project`: the
 * frames belong to another project of the caller's.
 */
export const errorKind = z.enum(['regression', 'guard', 'usage', 'environment', 'foreign', 'vague']);

/** Kind of an error as shown: a regression that accuses no commit is a defect. */
const verdictKind = z.enum([...errorKind.options, 'defect']);
export type VerdictKind = z.infer<typeof verdictKind>;

/** Weeks of the occurrences that a list shows. */
export const OCCURRENCE_WEEKS = 12;
/** Hours and days of the occurrences that the page of an error shows. */
export const OCCURRENCE_HOURS = 48;
export const OCCURRENCE_DAYS = 90;
/** Tags of an error, and values of each, that are counted. */
export const MAX_TAGS = 30;
export const MAX_TAG_VALUES = 20;
/** Characters of the name or the value of a tag. */
export const MAX_TAG_LENGTH = 200;
const MAX_SESSIONS = 20;

const member = z.object({ id: z.string(), username: z.string() });

/** State of an error with what belongs to it; may be sent back to undo a change. */
const triage = z.object({
  state: errorState,
  assignee: member.nullable(),
  /** Release that solves the error: an older one that still has it is no regression. Only when solved. */
  solved_in: z.string().nullable(),
  /** Release before the one that solves the error: only an event of a later one is a regression. Only when solved. */
  solved_after: z.string().nullable(),
  /** Only when snoozed. */
  snooze: z
    .object({
      until: timestamp.nullable(),
      events: z.number().nullable(),
      after_release: z.string().nullable(),
    })
    .nullable(),
});

export const errorGroup = triage.extend({
  id: z.string(),
  project_id: z.string(),
  project_name: z.string(),
  /** First line of the newest error. */
  title: z.string(),
  /** Function and file of the innermost frame of the project; null where no frame is known. */
  culprit: z.string().nullable(),
  /** Kind of the newest answer; null without one, and in older answers. */
  kind: verdictKind.nullable(),
  /** Of the newest event; null where no event has arrived. */
  level: eventLevel.nullable(),
  /** Null while the first state holds. */
  state_changed_at: timestamp.nullable(),
  count: z.number(),
  /** Of `count`, those that arrived as events; the others were pasted. */
  event_count: z.number(),
  first_seen: timestamp,
  last_seen: timestamp,
  /** Releases of the first and of the newest event. */
  first_release: z.string().nullable(),
  last_release: z.string().nullable(),
  /** Newest answer; null while the error has none. */
  session_id: z.string().nullable(),
  /** Progress of the first answer: `waiting` for its turn, or `failed`. */
  investigation: z.enum(['waiting', 'running', 'done', 'failed']),
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
  /** Part of the title or of the place. */
  q: z.string().max(200).optional(),
  /** A member's id, `me`, or `none`. */
  assignee: id.optional(),
  /** Errors with events of this release. */
  release: releaseName.optional(),
  /** Errors whose first event is of this release. */
  new_in: releaseName.optional(),
  /** Solved errors that came back in this release. */
  regressed_in: releaseName.optional(),
  environment: z.string().min(1).max(MAX_TAG_LENGTH).optional(),
  /** `name:value`. */
  tag: z
    .string()
    .max(2 * MAX_TAG_LENGTH + 1)
    .regex(/^[^:]{1,200}:/, 'tag_format')
    .optional(),
  /** Errors seen since this time. */
  since: timestamp.max(40).optional(),
  sort: z.enum(['last_seen', 'first_seen', 'count']).default('last_seen'),
  cursor: z.string().max(200).optional(),
  limit: queryInt({ min: 1, max: MAX_PAGE, default: 50 }),
});

const errorPage = z.object({
  errors: z.array(errorGroup).max(MAX_PAGE),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
});

/** Change of an error. `assignee` is the id of a member; fields that are absent stay. */
const change = z
  .object({
    state: errorState.optional(),
    assignee: id.nullable().optional(),
    /** With the state `solved`. */
    solved_in: releaseName.nullable().optional(),
    /** With the state `solved`, for the next release, whatever its name: the release before it. */
    solved_after: releaseName.nullable().optional(),
    /** With the state `snoozed`: until a time, for this many further events, or until an event of a release after this one. */
    snooze: z
      .object({
        until: timestamp.max(40).nullable().optional(),
        events: z.int().min(1).max(1_000_000).nullable().optional(),
        after_release: releaseName.nullable().optional(),
      })
      .nullable()
      .optional(),
  })
  .refine(({ state, assignee }) => state !== undefined || assignee !== undefined, 'change_empty')
  .refine(
    ({ state, solved_in, solved_after }) => !(solved_in || solved_after) || state === 'solved',
    'solved_in_without_state',
  )
  .refine(({ solved_in, solved_after }) => !(solved_in && solved_after), 'solved_in_two_ways')
  .refine(
    ({ state, snooze }) =>
      (state === 'snoozed') === Boolean(snooze?.until || snooze?.events || snooze?.after_release),
    'snooze_without_end',
  );
export type ErrorChange = z.infer<typeof change>;

const stateChange = triage.extend({
  id: z.string(),
  previous_state: errorState,
  /** Everything as it was, to undo the change. */
  previous: triage,
});
export type ErrorChangeResult = z.infer<typeof stateChange>;

/** Fingerprints of one error. */
export const MAX_ERROR_KEYS = 200;

/** A fingerprint of an error. Merging gives an error the fingerprints of another. */
const errorKey = z.object({
  key: z.string(),
  title: z.string(),
  count: z.number(),
  first_seen: timestamp,
  last_seen: timestamp,
});

const shares = z.array(z.object({ value: z.string(), count: z.number() })).max(MAX_TAG_VALUES);

const errorDetail = z.object({
  error: errorGroup,
  /** False for viewers. */
  is_editable: z.boolean(),
  /** Occurrences by hour and by day of UTC, the current one last. */
  hours: z.array(z.number()).max(OCCURRENCE_HOURS),
  days: z.array(z.number()).max(OCCURRENCE_DAYS),
  /** Most frequent values of each tag. */
  tags: z.array(z.object({ name: z.string(), count: z.number(), values: shares })).max(MAX_TAGS),
  /** Newest first. */
  releases: z
    .array(z.object({ version: z.string(), count: z.number(), first_seen: timestamp, last_seen: timestamp }))
    .max(MAX_TAG_VALUES),
  environments: shares,
  /** Newest event; null where none has arrived, and after its retention. */
  latest: errorEventDetail.nullable(),
  /** More than one after a merge; these can be split. */
  keys: z.array(errorKey).max(MAX_ERROR_KEYS),
  /** Answers, newest first. */
  sessions: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        kind: verdictKind.nullable(),
        author: z.string(),
        created_at: timestamp,
      }),
    )
    .max(MAX_SESSIONS),
});
export type ErrorDetail = z.infer<typeof errorDetail>;

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
      counts: z
        .object({
          open: z.int(),
          solved: z.int(),
          regressed: z.int(),
          snoozed: z.int(),
          ignored: z.int(),
        })
        .nullable(),
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
  get: route({
    method: 'GET',
    path: '/projects/:id/errors/:error',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get an error with its chart, tags, releases, environments and newest event',
    description: 'The id of an error that was merged gets the one it was merged into.',
    params: z.object({ id, error: id }),
    reply: errorDetail,
  }),
  events: route({
    method: 'GET',
    path: '/projects/:id/errors/:error/events',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List events of an error, last occurrence first',
    params: z.object({ id, error: id }),
    query: z.object({
      cursor: z.string().max(200).optional(),
      limit: queryInt({ min: 1, max: MAX_PAGE, default: 50 }),
    }),
    reply: z.object({ events: z.array(errorEventRow).max(MAX_PAGE), next_cursor: z.string().nullable() }),
  }),
  event: route({
    method: 'GET',
    path: '/projects/:id/errors/:error/events/:event',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get an event of an error',
    params: z.object({ id, error: id, event: id }),
    reply: errorEventDetail.extend({
      /** Its neighbours in time; null at the ends. */
      newer: z.string().nullable(),
      older: z.string().nullable(),
    }),
  }),
  setState: route({
    method: 'PATCH',
    path: '/projects/:id/errors/:error',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Resolve, reopen, snooze, ignore or assign an error',
    params: z.object({ id, error: id }),
    body: change,
    reply: stateChange,
  }),
  setStates: route({
    method: 'PATCH',
    path: '/errors',
    apiKey: 'write',
    summary: 'Resolve, reopen, snooze, ignore or assign errors of several projects; all or none',
    body: z.object({
      changes: z.array(change.safeExtend({ id })).min(1).max(MAX_PAGE),
    }),
    reply: z.object({ errors: z.array(stateChange).max(MAX_PAGE) }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id/errors/:error',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: 'Delete an error with its events, counts and answers; a further event begins a new error',
    params: z.object({ id, error: id }),
    reply: okReply,
  }),
  removeMany: route({
    method: 'POST',
    path: '/errors/delete',
    apiKey: 'write',
    allowedWhenDiskFull: true,
    summary: 'Delete errors of several projects with their events, counts and answers; all or none',
    body: z.object({ errors: z.array(id).min(1).max(MAX_PAGE) }),
    reply: z.object({ deleted: z.number() }),
  }),
  investigate: route({
    method: 'POST',
    path: '/projects/:id/errors/:error/investigation',
    apiKey: 'write',
    projectFrom: 'path',
    rateLimits: ANSWER_RATE_LIMITS,
    summary: 'Investigate an error now that waits for its first answer, or whose investigation failed',
    params: z.object({ id, error: id }),
    reply: okReply,
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
      'Get the first release with the suspect of an answer, or else with the commit that introduced its lines: of the events, else by tag',
    params: z.object({ id }),
    reply: z.object({
      /** Null where no event names a release and no tag contains the commit, or git took too long. */
      release: z.object({ name: z.string(), timestamp }).nullable(),
      commit: z.string().nullable(),
    }),
  }),
};
