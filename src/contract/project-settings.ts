import { z } from 'zod';
import { id, MAX_PAGE, oid, paging, sentence, timestamp } from './common.ts';
import { commandLine } from './proofs.ts';
import { route } from './route.ts';

/** Hours between scheduled refreshes. */
const REFRESH_HOURS = [1, 6, 24, 168] as const;
const refreshHours = z.literal(REFRESH_HOURS);
export type RefreshHours = z.infer<typeof refreshHours>;

const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 200;
const MAX_INSTRUCTIONS = 8000;
const MAX_SETUP_HOSTS = 20;
/** Branches that a picker offers. */
const MAX_BRANCHES = 2000;

/** As in `.gitignore`, without negation; at least one character other than wildcards, so that it never matches all. */
const pathPattern = z
  .string()
  .trim()
  .min(1)
  .max(MAX_PATTERN_LENGTH)
  .regex(/^[^\p{Cc}\\!][^\p{Cc}\\]*$/u, 'path_pattern_format')
  .regex(/[^*?/.\s]/, 'path_pattern_all');
const pathPatterns = z.array(pathPattern).max(MAX_PATTERNS);

/** A folder as traces print it, and the folder of the repository that is deployed there. */
const pathMapping = z.object({
  from: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .regex(/^\P{Cc}*$/u, 'path_mapping_format'),
  /** Empty for the root of the repository. */
  to: z
    .string()
    .trim()
    .max(500)
    .regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\p{Cc}\\]*$/u, 'path_mapping_target'),
});
export type PathMapping = z.infer<typeof pathMapping>;

const branchName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\s~^:?*[\\-][^\p{Cc}\s~^:?*[\\]*$/u, 'branch_name_format');

/** `name`, `name:port`, or `.domain` for all names below it. */
const setupHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(260)
  .regex(
    /^\.?(?=.{1,253}(?::|$))[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/,
    'host_format',
  );

/** Settings of a project beside its name and URL. */
export const projectSettings = z.object({
  /** Branch to index; null for the default branch of the remote. */
  chosen_branch: branchName.nullable(),
  refresh_hours: refreshHours.nullable(),
  /** Not indexed, and listed as skipped. */
  excluded_paths: pathPatterns,
  /** Indexed, and never sent to a language model or an embedding model. */
  model_excluded_paths: pathPatterns,
  path_mappings: z.array(pathMapping).max(50),
  /** Command that prepares a checkout for tests, once per state of its lockfiles; null for none. */
  setup_command: commandLine.nullable(),
  /** Hosts that the set-up command may reach by https; nothing else has a network. */
  setup_hosts: z.array(setupHost).max(MAX_SETUP_HOSTS),
  /** Wider test command that a patch must not make worse. */
  check_command: commandLine.nullable(),
  /** Context of answers by a language model: data, which grants no rights. */
  instructions: z.string().trim().max(MAX_INSTRUCTIONS).nullable(),
});
export type ProjectSettings = z.infer<typeof projectSettings>;

/** Causes of a run of the ingest job. */
const ingestReason = z.enum(['added', 'manual', 'push', 'schedule', 'settings', 'repair']);
export type IngestReason = z.infer<typeof ingestReason>;

const ingestDetails = z.object({
  reason: ingestReason,
  /** The indexed commit, and the one before. */
  commit: oid.nullish(),
  previous: oid.nullish(),
  /** Commits that this run added; null when the history was rewritten. */
  new_commits: z.number().nullish(),
  files: z.number().nullish(),
  skipped: z.number().nullish(),
});
export type IngestDetails = z.infer<typeof ingestDetails>;

const ingestRun = z.object({
  id: z.string(),
  kind: z.enum(['refresh', 'import']),
  state: z.enum(['running', 'done', 'failed']),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  /** Milliseconds by phase. */
  phases: z.object({ clone: z.number(), commits: z.number(), passages: z.number() }).partial().nullable(),
  failure: sentence.nullable(),
  details: ingestDetails.nullable(),
});
export type IngestRunEntry = z.infer<typeof ingestRun>;

const params = z.object({ id });

export const projectSettingsRoutes = {
  get: route({
    method: 'GET',
    path: '/projects/:id/settings',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get the settings of a project; PATCH /projects/{id} changes them',
    params,
    reply: projectSettings.extend({
      /** Branches at the last fetch. */
      branches: z.array(z.string()).max(MAX_BRANCHES),
      /** `AGENTS.md` and similar files at the indexed commit, which are context of model answers too. */
      guidance_files: z.array(z.string()).max(20),
      /** Indexed files that the patterns match, for the stored patterns. */
      matches: z.object({ excluded: z.number(), model_excluded: z.number() }),
    }),
  }),
  runs: route({
    method: 'GET',
    path: '/projects/:id/runs',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List indexing runs of a project with phases, times and reasons, newest first',
    params,
    query: paging,
    reply: z.object({
      runs: z.array(ingestRun).max(MAX_PAGE),
      total: z.number(),
      has_more: z.boolean(),
    }),
  }),
};
