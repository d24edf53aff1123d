import { z } from 'zod';
import { id, oid, okReply, revision, timestamp } from './common.ts';
import { route } from './route.ts';

const MAX_COMMAND_LENGTH = 2_000;
const MAX_SCRIPT_LENGTH = 64 * 1024;
const MAX_PATCH_LENGTH = 2 ** 20;
/** Bytes of an uploaded log of `git bisect`. */
const MAX_BISECT_LOG_LENGTH = 2 ** 20;
/** Executions of one proof. */
export const MAX_PROOF_RUNS = 500;
/** Commits of an inconclusive bisection that a reply names. */
const MAX_PROOF_CANDIDATES = 100;
/** Proofs of one session that a reply lists. */
export const MAX_SESSION_PROOFS = 50;
const MAX_PROPOSED_COMMANDS = 10;

const proofKind = z.enum(['reproduce', 'bisect', 'verify']);
export type ProofKind = z.infer<typeof proofKind>;

/** `server`: run here. `upload`: concluded from the log of a `git bisect` on another machine. */
const proofSource = z.enum(['server', 'upload']);

export const proofState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);
export type ProofState = z.infer<typeof proofState>;

/** One line for `sh -c`, run in the root of the checkout. */
export const commandLine = z
  .string()
  .trim()
  .min(1, 'command_empty')
  .max(MAX_COMMAND_LENGTH)
  .regex(/^[^\p{Cc}]*$/u, 'command_one_line');

/**
 * Conclusion of a proof.
 *
 * - `reproduced`, `other_message`, `passes`: the command fails with the message of the error, with another one, or not at all
 * - `proven`, `proven_failure`: one commit is the first bad one, of the error or of a failure with another message
 * - `inconclusive`: several candidates remain
 * - `fails_before`: the command already fails at the good revision
 * - `verified`, `still_fails`, `check_worse`: red before and green after the patch, with the wider command no
 *   worse; or what of it does not hold
 * - `flaky`: the command passes and fails at the same revision
 * - `untestable`: it cannot run at the revision
 */
const proofEnding = z.enum([
  ...['reproduced', 'other_message', 'passes'],
  ...['proven', 'proven_failure', 'inconclusive', 'fails_before'],
  ...['verified', 'still_fails', 'check_worse'],
  ...['flaky', 'untestable'],
] as const);
export type ProofEnding = z.infer<typeof proofEnding>;

const proofSkipReason = z.enum([
  ...['exit_code', 'killed', 'time', 'memory', 'output', 'no_tests', 'build', 'other_failure', 'checkout'],
] as const);

const proofOutcome = z.enum(['good', 'bad', 'skip']);

/** One execution of the command at a commit. */
const proofRun = z.object({
  /** Counts the executions of the proof from 1. */
  number: z.number(),
  /** Full hash. */
  commit: z.string(),
  outcome: proofOutcome,
  ms: z.number(),
  /** Purpose of the run: an end of the range, a suspect, a step between, a repetition, or a side of a patch. */
  purpose: z.enum(['bad', 'good', 'suspect', 'bisect', 'repeat', 'patched', 'check', 'check_patched']),
  /** Subject of the commit. */
  message: z.string(),
  /** Reason why the revision cannot be tested; null unless the outcome is `skip`. */
  skip_reason: proofSkipReason.nullable(),
  has_log: z.boolean(),
});
export type ProofRun = z.infer<typeof proofRun>;

const proofResult = z.object({
  /** Full hash of the commit that is proven to have introduced the failure. */
  first_bad: z.string().nullable(),
  runs: z.array(proofRun).max(MAX_PROOF_RUNS),
  /** Outcomes that were known from earlier runs of the same command on the same tree, and cost no run. */
  reused: z.array(z.object({ commit: z.string(), outcome: proofOutcome })).max(MAX_PROOF_RUNS),
  /** Commit that is being tested. */
  current: z.object({ commit: z.string(), message: z.string(), started_at: timestamp }).nullable(),
  /** Estimate of the runs that are left; null when unknown, and at the end. */
  runs_left: z.number().nullable(),
  /** Null while the proof runs. */
  ending: proofEnding.nullable(),
  /** Commits that remain when a bisection is inconclusive, most probable first. */
  candidates: z.array(z.string()).max(MAX_PROOF_CANDIDATES),
  /** Of a patch: fails without it, passes with it, and the wider command is no worse. */
  verified: z.boolean().optional(),
  /** First lines of the failure. */
  failure: z.string().nullable(),
});

/** A commit that was proven to have introduced an error, and the command that shows it. */
export const provenCommit = z.object({
  proof_id: z.string(),
  commit: z.object({ hash: z.string(), message: z.string(), author: z.string(), timestamp: z.string() }),
  command: z.string(),
  source: proofSource,
});
export type ProvenCommit = z.infer<typeof provenCommit>;

/** A patch that a command shows to work: it fails without the patch and passes with it. */
export const patchProof = z.object({
  proof_id: z.string(),
  command: z.string(),
  /** Wider command that fails in no further test; null where none was run. */
  check: z.string().nullable(),
});
export type PatchProof = z.infer<typeof patchProof>;

/** Patch that a proof verifies: of the answer, given as text, the revert of a commit, or the caller's branch. */
const patchSource = z.enum(['patch', 'revert', 'branch']);

const proofSummary = z.object({
  id: z.string(),
  session_id: z.string(),
  project_id: z.string(),
  kind: proofKind,
  state: proofState,
  ending: proofEnding.nullable(),
  first_bad: z.string().nullable(),
  created_at: timestamp,
  /** User who started it; null after the account was deleted. */
  author: z.string().nullable(),
});
export type ProofSummary = z.infer<typeof proofSummary>;

const proof = proofSummary.extend({
  result: proofResult.nullable(),
  /** Conclusion or failure in the reader's language. */
  message: z.string().optional(),
  command: z.string(),
  setup: z.string().nullable(),
  /** Wider command that a patch must not make worse. */
  check: z.string().nullable(),
  /** File that was added to every checkout. */
  script: z.object({ path: z.string(), text: z.string() }).nullable(),
  /** Full hashes of the ends; `good` is null where none was needed. */
  good: z.string().nullable(),
  bad: z.string(),
  patch: z.object({ source: patchSource, text: z.string() }).nullable(),
  source: proofSource,
  /** Proofs that are ahead in the queue; 0 unless queued. */
  ahead: z.number(),
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  /** True when the caller may cancel it. */
  is_cancellable: z.boolean(),
});
export type Proof = z.infer<typeof proof>;

const proofBody = z.object({
  kind: proofKind,
  /** Passes with exit code 0, cannot be tested with 125, fails with any other: as for `git bisect run`. */
  command: commandLine,
  /** Runs once per state of the lockfiles, with network to the hosts that the project's owner lists; the project's unless given. */
  setup: commandLine.nullish(),
  /** Wider command that a patch must not make worse; the project's unless given. */
  check: commandLine.nullish(),
  /** Revision at which the command passes; searched for unless given. */
  good: revision.nullish(),
  /** Revision at which it fails; the indexed head unless given. */
  bad: revision.nullish(),
  /** File that is added to every checkout, such as a failing test. */
  script: z
    .object({ path: z.string().min(1).max(1024), text: z.string().min(1).max(MAX_SCRIPT_LENGTH) })
    .nullish(),
  /** Patch to verify, as a unified diff. */
  patch: z.string().min(1).max(MAX_PATCH_LENGTH).nullish(),
  /** Full hash of a commit whose revert is verified. */
  revert: oid.nullish(),
  /** The caller's branch, whose changes are verified. */
  branch: z.string().trim().min(1).max(250).nullish(),
});
export type ProofRequest = z.input<typeof proofBody>;

/** Reason for which nothing can run; `ready` when it can. */
const proofReadiness = z.enum([
  ...['ready', 'not_allowed'],
  // Reasons of the sandbox; `errors.sandbox_<reason>` says what to do.
  ...['off', 'public_instance', 'not_enabled', 'not_linux', 'no_bubblewrap', 'no_util_linux', 'refused'],
] as const);

const proofPlan = z.object({
  readiness: proofReadiness,
  /** Missing condition and the remedy, in the reader's language; null when it can run. */
  message: z.string().nullable(),
  /** Commands that may show the error, the best first. */
  commands: z
    .array(
      z.object({
        command: z.string(),
        /** Test runner, such as `pytest`. */
        runner: z.string(),
        /** File of the repository from which it was found. */
        path: z.string().nullable(),
      }),
    )
    .max(MAX_PROPOSED_COMMANDS),
  setup: z.string().nullable(),
  check: z.string().nullable(),
  /** Hosts that the set-up command may reach. */
  hosts: z.array(z.string()).max(50),
  /** Full hash of the indexed head. */
  bad: z.string(),
  /** Parent of the first suspect: the good end that is tried first. */
  good: z.string().nullable(),
  /** Suspects in the order in which they are tried. */
  suspects: z.array(z.object({ hash: z.string(), message: z.string() })).max(20),
  limits: z.object({ run_seconds: z.number(), memory_mb: z.number(), processes: z.number() }),
  /** Branches of the caller with changes that can be verified. */
  branches: z.array(z.string()).max(100),
});
export type ProofPlan = z.infer<typeof proofPlan>;

const sessionParams = z.object({ id });
const proofParams = z.object({ id });

export const proofRoutes = {
  start: route({
    method: 'POST',
    path: '/debug/:id/proofs',
    apiKey: 'write',
    status: 201,
    bodyLimit: 2 * MAX_PATCH_LENGTH,
    rateLimits: [{ bucket: 'proofs', limit: 'proofsPerUser', per: 'user' }],
    summary: 'Prove an answer by running a command of the repository in a sandbox',
    description:
      'The call is the confirmation: it runs code of the repository, without network and apart from the server. The owner of the project allows it with `may_run`.',
    params: sessionParams,
    body: proofBody,
    reply: z.object({ id: z.string() }),
  }),
  upload: route({
    method: 'POST',
    path: '/debug/:id/proofs/log',
    apiKey: 'write',
    status: 201,
    bodyLimit: 2 * MAX_BISECT_LOG_LENGTH,
    rateLimits: [{ bucket: 'proofs', limit: 'proofsPerUser', per: 'user' }],
    summary: 'Upload the output of `git bisect log` of a bisection on another machine',
    params: sessionParams,
    body: z.object({ log: z.string().min(1).max(MAX_BISECT_LOG_LENGTH), command: commandLine }),
    reply: z.object({ id: z.string() }),
  }),
  list: route({
    method: 'GET',
    path: '/debug/:id/proofs',
    apiKey: 'read',
    summary: 'List the proofs of a debug session, newest first',
    params: sessionParams,
    reply: z.object({ proofs: z.array(proofSummary).max(MAX_SESSION_PROOFS) }),
  }),
  script: route({
    method: 'POST',
    path: '/debug/:id/proofs/script',
    apiKey: 'read',
    summary: 'Write a script that finds the first bad commit on another machine and prints its log',
    params: sessionParams,
    body: proofBody.pick({ command: true, setup: true, good: true, bad: true }),
    reply: z.object({ script: z.string() }),
  }),
  plan: route({
    method: 'GET',
    path: '/debug/:id/proofs/plan',
    apiKey: 'read',
    summary: 'Propose commands and ends for a proof, and say whether it can run here',
    params: sessionParams,
    reply: proofPlan,
  }),
  get: route({
    method: 'GET',
    path: '/proofs/:id',
    apiKey: 'read',
    summary: 'Get a proof with its runs so far',
    params: proofParams,
    reply: proof,
  }),
  log: route({
    method: 'GET',
    path: '/proofs/:id/runs/:number/log',
    apiKey: 'read',
    summary: 'Get the output of one run',
    params: z.object({ id, number: z.string().regex(/^[1-9]\d{0,3}$/, 'whole_number') }),
    reply: z.object({ text: z.string(), is_truncated: z.boolean() }),
  }),
  cancel: route({
    method: 'POST',
    path: '/proofs/:id/cancel',
    apiKey: 'write',
    allowedWhenDiskFull: true,
    summary: 'Cancel a proof; what runs is killed',
    params: proofParams,
    reply: okReply,
  }),
};
