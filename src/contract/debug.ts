import { z } from 'zod';
import {
  id,
  indexFreshness,
  MAX_LIST,
  MAX_PAGE,
  oid,
  paging,
  revision,
  sentence,
  timestamp,
  workingBranchField,
} from './common.ts';
import { changedSince, citedCommit, guard } from './error-findings.ts';
import { answerLabel, errorKind, errorState } from './error-groups.ts';
import { issueKind, issueState } from './issues.ts';
import { hunk } from './projects.ts';
import { MAX_SESSION_PROOFS, patchProof, provenCommit } from './proofs.ts';
import { ANSWER_RATE_LIMITS } from './rate-limits.ts';
import { route } from './route.ts';

/** Places, suspects, pieces of evidence and so on of one answer, each. */
export const MAX_ANSWER_ITEMS = 100;

export const debugBody = z.object({
  error_message: z.string().trim().min(1, 'error_message_empty').max(100_000),
  code_snippet: z.string().max(100_000).nullish(),
  file_path: z.string().max(1024).nullish(),
  additional_context: z.string().max(20_000).nullish(),
  project_id: z.string().min(1, 'project_not_chosen').max(64),
  /** Revision that was running at the failure: no later commit is suspected. The indexed head when absent. */
  revision: revision.nullish(),
  working_branch: workingBranchField,
});

/** Outcome of a fix: in place, unless it was reverted or its lines were fixed again within 90 days. */
const fixOutcome = z.object({
  state: z.enum(['in_place', 'reverted', 'fixed_again', 'too_recent']),
  /** Days in place, or days until it was undone. */
  days: z.number(),
  undone_by: z.string().optional(),
});
export type FixOutcome = z.infer<typeof fixOutcome>;

const evidence = z.object({
  /** `e1`, `e2`, …: the number that the solution cites. */
  id: z.string(),
  kind: z.enum([
    ...(['frame', 'origin', 'place', 'suspect', 'related', 'precedent', 'introduced', 'patch'] as const),
    'changed_since',
  ]),
  path: z.string().optional(),
  lines: z.tuple([z.number(), z.number()]).optional(),
  commit: z.string().optional(),
  quote: z.string(),
  why: sentence,
});
export type Evidence = z.infer<typeof evidence>;

const place = z.object({
  path: z.string(),
  start_line: z.number(),
  end_line: z.number(),
  symbol: z.string().nullish(),
  score: z.number(),
  why: sentence,
});
export type Place = z.infer<typeof place>;

const suspect = citedCommit.extend({
  score: z.number(),
  why: sentence,
  path: z.string().nullable(),
  hunk: hunk.nullable(),
});
export type Suspect = z.infer<typeof suspect>;

const similarError = z.object({
  content: z.string(),
  similarity: z.number(),
  hash: z.string().optional(),
  session_id: z.string().optional(),
  /** Imported issue that reports a similar error; `hash` is then a commit that belongs to it. */
  issue: z.object({ kind: issueKind, number: z.number(), state: issueState }).nullish(),
  /** True unless the fix was reverted or its lines were fixed again within 90 days. */
  still_in_place: z.boolean().optional(),
  outcome: fixOutcome.optional(),
  author: z.string().optional(),
  timestamp: z.string().optional(),
  path: z.string().nullish(),
  hunk: hunk.nullish(),
  /** Answer of an earlier session that was marked helpful or whose error a commit resolved. */
  earlier_answer: z.object({ cause: z.string(), solution: z.string() }).nullish(),
});
export type SimilarError = z.infer<typeof similarError>;

/** A commit that changed the lines which an answer points at, with that change. */
const fixingCommit = citedCommit.extend({ path: z.string(), hunk });
export type FixingCommit = z.infer<typeof fixingCommit>;

/** `suggested`: committed after the session, and not reviewed by a member yet. */
const resolution = fixingCommit.extend({ state: z.enum(['suggested', 'confirmed', 'rejected']) });
export type Resolution = z.infer<typeof resolution>;

/** One step of the answer's timeline, oldest first. */
const timelineStep = z.object({
  kind: z.enum(['introduced', 'fixed_before', 'suspect', 'first_seen', 'now']),
  timestamp: z.string(),
  commit: citedCommit.nullable(),
  why: sentence,
  outcome: fixOutcome.optional(),
  path: z.string().nullish(),
  lines: z.tuple([z.number(), z.number()]).nullish(),
  hunk: hunk.nullish(),
  evidence: z.array(z.string()).max(MAX_ANSWER_ITEMS),
});
export type TimelineStep = z.infer<typeof timelineStep>;

export const feedback = z.object({
  id: z.string(),
  helpful: z.boolean(),
  comments: z.string().nullable(),
  created_at: timestamp,
});
export type Feedback = z.infer<typeof feedback>;

/** A run of the language model, and the verdict on its answer. */
export const modelRun = z.object({
  model: z.string(),
  /** Tokens; null where the provider does not report them. */
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  /** Reason for falling back to the answer without a model; null when the answer of the model is shown. */
  failure: sentence.nullable(),
  /** `repaired`: the second patch passed. `rejected`: no patch passed; the solution quotes the last one as text. */
  patch: z.enum(['none', 'verified', 'repaired', 'rejected']),
});
export type ModelRun = z.infer<typeof modelRun>;

/** See `errorKind`. */
export type ErrorKind = z.infer<typeof errorKind>;

/** Another project of the caller's that the error matches. */
const otherProject = z.object({
  id: z.string(),
  name: z.string(),
  matched_frames: z.number(),
  /** Frames of the trace that are not of a runtime. */
  frames: z.number(),
});

/** A fact of the environment that the error text states, with what the project requires. */
const environmentFact = z.object({
  fact: z.enum([
    'runtime',
    'module',
    'file',
    'port',
    'permission',
    'memory',
    'disk',
    'encoding',
    'network',
    'platform',
  ]),
  found: z.string(),
  /** Requirement of the project; null where it states none. */
  required: z.string().nullable(),
  /** Source of the requirement: a path or a commit. */
  source: z.string().nullable(),
});
export type EnvironmentFact = z.infer<typeof environmentFact>;

/** A person who changed the place of an error. */
const contributor = z.object({ name: z.string(), commits: z.number(), last_active: z.string() });

const probability = z.number().nullable();

export const debugAnswer = z.object({
  id: z.string(),
  number: z.number(),
  /** Markdown. Citations are `path:line-line @ commit` and commits, all resolved. */
  solution: z.string(),
  /** Probability of the headline's own claim, 0 to 1; 0 where nothing is claimed. */
  confidence: z.number(),
  /** True when neither a place nor a cause is stated. */
  abstained: z.boolean(),
  /** Absent in older answers, as are the fields up to `related_sessions`. */
  kind: errorKind.optional(),
  /** The next likely kind, where it is likely enough to be stated; absent in older answers. */
  alternative: z.object({ kind: errorKind, confidence: z.number() }).nullish(),
  /** Probability that the right file is among the first three places; null when none is stated. */
  place_confidence: z.number().nullish(),
  /** Probability that the first suspect caused the error; null when none is accused. */
  cause_confidence: z.number().nullish(),
  /** The same with that of the patch, null where none is measured. */
  probabilities: z.object({ place: probability, cause: probability, patch: probability }).optional(),
  guard: guard.nullish(),
  /** No commit is accused then: the version that failed is older than the indexed one. */
  changed_since: changedSince.nullish(),
  /** Of an answer at a past revision: the newer change of the line that fails there. */
  changed_later: changedSince.nullish(),
  other_project: otherProject.nullish(),
  environment: z.array(environmentFact).max(MAX_ANSWER_ITEMS).optional(),
  who_to_ask: z.array(contributor).max(MAX_ANSWER_ITEMS).optional(),
  /** Paths of tests that cover the first place. */
  tests: z.array(z.string()).max(MAX_ANSWER_ITEMS).optional(),
  /** Ids of earlier sessions of the same or a similar error. */
  related_sessions: z.array(z.string()).max(MAX_ANSWER_ITEMS).optional(),
  /** Adjustment of the confidence by this project's back-test and feedback, in log odds; absent in older answers. */
  calibration: z.object({ log_odds_offset: z.number(), sample_count: z.number() }).nullish(),
  context: z.object({
    similar_errors: z.array(similarError).max(MAX_ANSWER_ITEMS),
    code_suggestions: z.array(z.string()).max(MAX_ANSWER_ITEMS),
  }),
  root_cause: sentence.nullable(),
  places: z.array(place).max(MAX_ANSWER_ITEMS),
  /** Commits accused of the error; empty below the threshold, and for every kind but a regression. */
  suspect_commits: z.array(suspect).max(MAX_ANSWER_ITEMS),
  /** Commits that changed the place of the error, none of which is accused; absent in older answers. */
  related_commits: z.array(suspect).max(MAX_ANSWER_ITEMS).optional(),
  patch: z.string().nullable(),
  evidence: z.array(evidence).max(MAX_ANSWER_ITEMS),
  timeline: z.array(timelineStep).max(MAX_ANSWER_ITEMS),
  indexed_commit: z.string(),
  took_ms: z.number(),
  /** Commit that a proof shows to have introduced the error; it replaces `cause_confidence`, which is then null. */
  proven: provenCommit.nullish(),
  /** Absent where no model was asked. */
  model_run: modelRun.nullish(),
  /** Freshness of the index at the time of the answer; absent for a past revision, and in older answers. */
  freshness: indexFreshness.nullish(),
});
export type DebugAnswer = z.infer<typeof debugAnswer>;

/**
 * Server-sent events of a request with `Accept: text/event-stream`: progress steps and early findings, then
 * the whole reply as `done`, or `error` in the shape of every error.
 */
export type DebugEvents = {
  /**
   * `retrieving`: searches the history. `waiting`: the model has not replied yet. `generating`: it replies.
   * `checking_patch`: tries its patch. `repairing_patch`: requests a corrected patch.
   */
  step: { step: 'retrieving' | 'waiting' | 'generating' | 'checking_patch' | 'repairing_patch' };
  /** Result from the evidence alone; sent before a model is called. */
  findings: Pick<DebugAnswer, 'root_cause' | 'confidence' | 'abstained'>;
};

const sessionRow = z.object({
  id: z.string(),
  number: z.number(),
  project_id: z.string(),
  project_name: z.string(),
  /** First line of the error. */
  title: z.string(),
  state: errorState,
  confidence: z.number(),
  created_at: timestamp,
  helpful: z.boolean().nullable(),
  author: z.string(),
});
export type SessionRow = z.infer<typeof sessionRow>;

const session = z.object({
  id: z.string(),
  number: z.number(),
  project_id: z.string(),
  project_name: z.string(),
  state: errorState,
  created_at: timestamp,
  request: debugBody,
  answer: debugAnswer,
  feedback: z.array(feedback).max(MAX_LIST),
  /** The error that it belongs to, with its occurrences in the project. */
  error: z.object({
    id: z.string(),
    count: z.number(),
    first_seen: timestamp,
    last_seen: timestamp,
    /** May resolve and reopen it. */
    is_editable: z.boolean(),
  }),
  /** The commit that resolved it, or the newest that may have. */
  resolution: resolution.nullable(),
  /** Proofs of the answer, newest first; absent in older replies, as is the next. */
  proofs: z
    .array(z.object({ id: z.string() }))
    .max(MAX_SESSION_PROOFS)
    .optional(),
  /** The verification of the answer's patch. */
  verified: patchProof.nullish(),
  /** The caller's own mark; null while there is none. */
  label: answerLabel.nullable(),
  /** The caller's chat that follows it up; null while there is none. */
  thread_id: z.string().nullable(),
});

/** Projects that an error is compared with: the most recently used ones. */
export const MAX_MATCHED_PROJECTS = 10;

const projectScore = otherProject.extend({
  /** Sum of the evidence; 0 when nothing matches. */
  score: z.number(),
  /** True when the evidence suffices to choose the project. */
  is_match: z.boolean(),
});
export type ProjectScore = z.infer<typeof projectScore>;

// Each character of the longest texts may take four bytes.
const debugRoute = { body: debugBody, bodyLimit: 2 ** 20, reply: debugAnswer };

export const debugRoutes = {
  debug: route({
    method: 'POST',
    path: '/debug',
    apiKey: 'read',
    projectFrom: 'body',
    rateLimits: ANSWER_RATE_LIMITS,
    summary: 'Investigate an error: cause, suspect commit, similar fixes and a patch',
    ...debugRoute,
  }),
  rag: route({
    method: 'POST',
    path: '/debug/rag',
    apiKey: 'read',
    projectFrom: 'body',
    rateLimits: ANSWER_RATE_LIMITS,
    summary: 'Same as `POST /debug`',
    ...debugRoute,
  }),
  match: route({
    method: 'POST',
    path: '/debug/match',
    apiKey: 'read',
    rateLimits: ANSWER_RATE_LIMITS,
    summary: "Find which of the caller's recently used projects an error belongs to, best first",
    body: debugBody.pick({ error_message: true }),
    bodyLimit: 2 ** 20,
    reply: z.object({ projects: z.array(projectScore).max(MAX_MATCHED_PROJECTS) }),
  }),
  sessions: route({
    method: 'GET',
    path: '/debug/sessions',
    apiKey: 'read',
    summary: "List debug sessions of the caller's projects, newest first",
    query: paging.extend({ project_id: id.optional() }),
    reply: z.object({
      sessions: z.array(sessionRow).max(MAX_PAGE),
      total: z.number(),
      has_more: z.boolean(),
    }),
  }),
  session: route({
    method: 'GET',
    path: '/debug/sessions/:id',
    apiKey: 'read',
    summary: "Get a debug session by its id or by the caller's number",
    params: z.object({ id }),
    reply: session,
  }),
  reviewResolution: route({
    method: 'POST',
    path: '/debug/sessions/:id/resolution',
    apiKey: 'write',
    summary: 'Confirm or reject the commit that is suggested as the fix of a session',
    params: z.object({ id }),
    body: z.object({ commit: oid, resolved: z.boolean() }),
    reply: z.object({ ok: z.literal(true) }),
  }),
  followUp: route({
    method: 'POST',
    path: '/debug/sessions/:id/thread',
    apiKey: 'write',
    summary:
      "Get or create the caller's follow-up thread of a session, which begins with the error and its answer",
    params: z.object({ id }),
    reply: z.object({ id: z.string() }),
  }),
};
