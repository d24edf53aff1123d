import { z } from 'zod';
import { id, MAX_LIST, MAX_PAGE, paging, queryInt, sentence, timestamp } from './common.ts';
import { CARD_WEEKS } from './project-overview.ts';
import { projectSettings } from './project-settings.ts';
import { route } from './route.ts';

export const projectStatus = z.enum(['queued', 'cloning', 'reading', 'indexing', 'ready', 'failed']);
export type ProjectStatus = z.infer<typeof projectStatus>;

/** Current background activity with its progress; `total` is null while unknown. */
const activity = z.object({
  phase: z.enum(['queued', 'cloning', 'fetching', 'commits', 'passages', 'publishing', 'hunks', 'vectors']),
  done: z.number(),
  total: z.number().nullable(),
  unit: z.enum(['objects', 'commits', 'files', 'passages', 'steps']),
});
export type Activity = z.infer<typeof activity>;

const skipReason = z.enum([
  'binary',
  'too_large',
  'generated',
  'vendored',
  'symlink',
  'submodule',
  'invalid_path',
  'path_too_long',
  'over_limit',
  'excluded',
]);
export type SkipReason = z.infer<typeof skipReason>;

/** indexed + skipped = files, always. */
const coverage = z.object({
  files: z.number(),
  indexed: z.number(),
  skipped: z.number(),
  reasons: z.partialRecord(skipReason, z.number()),
  passages: z.number(),
  commits: z.number(),
  /** The oldest commits, where the history exceeds what an index may take. */
  commits_omitted: z.number().optional(),
  /** True where the repository is a shallow clone: it has no older commits. */
  shallow: z.boolean().optional(),
  /** Changes of files whose path is too long, and those beyond the limit of one commit. */
  changes_omitted: z.number().optional(),
});
export type Coverage = z.infer<typeof coverage>;

/** Parts of a first index that are still being read: commits before the newest ones, and symbols. */
const pendingPart = z.enum(['commits', 'symbols']);
export type PendingPart = z.infer<typeof pendingPart>;
export const pendingParts = z.array(pendingPart).max(pendingPart.options.length);

/** Searchable part of a project before its first index is complete: all files of this commit. */
const partialIndex = z.object({ commit: z.string(), pending: pendingParts });
export type PartialIndex = z.infer<typeof partialIndex>;

const permissions = {
  /** Editors may push their branches to the repository. */
  may_push: z.boolean(),
  /** They may push to its default branch as well. */
  may_push_default: z.boolean(),
  /** Editors may run commands of the repository in the sandbox. */
  may_run: z.boolean(),
};

export const project = z.object({
  id: z.string(),
  name: z.string(),
  git_url: z.string(),
  description: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  role: z.enum(['owner', 'editor', 'viewer']),
  status: projectStatus,
  activity: activity.nullable(),
  /** Reason for the failure of the last run; null after a success. */
  failure: sentence.nullable(),
  branch: z.string().nullable(),
  indexed_commit: z.string().nullable(),
  indexed_at: timestamp.nullable(),
  /** Present while the first index is not complete and its files can be searched already. */
  partial_index: partialIndex.optional(),
  coverage: coverage.nullable(),
  /** Time of the last fetch. */
  fetched_at: timestamp.nullable(),
  /** Fetched commits that are not indexed; null before the first fetch. */
  behind: z.number().nullable(),
  /** Commits by week, the current week last; null before the history is indexed. */
  weeks: z.array(z.number()).max(CARD_WEEKS).nullable(),
  ...permissions,
  /** True while the project exceeds the plan of its owner: it can be read and removed, but not changed or refreshed. */
  read_only_by_plan: z.boolean().optional(),
});
export type Project = z.infer<typeof project>;

/** Lines of a file that one reply shows. */
export const MAX_FILE_LINES = 2_000;
/** Bytes of a file above which it is listed but not shown: those of the largest program that is indexed. */
export const MAX_SHOWN_FILE_BYTES = 4 * 2 ** 20;
/** Parents that a reply shows of one commit; more than any real merge has. */
export const MAX_PARENTS = 1000;
/** Paths that a reply shows of one commit. */
export const MAX_FILES_CHANGED = 300;

/** Branches and tags that a reply shows of one commit. */
const MAX_REFS = 20;

const branchOrTag = z.object({ name: z.string(), kind: z.enum(['branch', 'tag']) });
export type CommitRef = z.infer<typeof branchOrTag>;

const commit = z.object({
  id: z.string(),
  hash: z.string(),
  message: z.string(),
  author: z.string(),
  /** ISO 8601; a broken date in the repository arrives as an empty string. */
  timestamp: z.string(),
  /** The first of them; paths of more than 1,024 bytes are left out. */
  files_changed: z.array(z.string()).max(MAX_FILES_CHANGED),
  /** Total of changed files; a lower bound where there are too many to count. */
  files_changed_count: z.number().optional(),
  /** ISO 8601; the time by which lists are ordered, later than `timestamp` for a commit that was applied or rebased. */
  committed_at: z.string().optional(),
  /** Full hashes. */
  parents: z.array(z.string()).max(MAX_PARENTS).optional(),
  /** Branches and tags at this commit. */
  refs: z.array(branchOrTag).max(MAX_REFS).optional(),
});
export type Commit = z.infer<typeof commit>;

export const commitPage = z.object({
  commits: z.array(commit).max(MAX_PAGE),
  total: z.number(),
  has_more: z.boolean(),
  /** Older commits that the owner's plan excludes from the list. They are indexed all the same. */
  hidden_by_plan: z.number(),
});

/** Of one reply. A diff is cut by bytes long before it has so many lines. */
export const MAX_DIFF_HUNKS = 5000;
const MAX_DIFF_LINES = 50_000;

const diffLine = z.object({ kind: z.enum(['context', 'add', 'delete']), text: z.string() });
export const hunk = z.object({
  old_start: z.number(),
  old_lines: z.number(),
  new_start: z.number(),
  new_lines: z.number(),
  header: z.string(),
  lines: z.array(diffLine).max(MAX_DIFF_LINES),
});
export type Hunk = z.infer<typeof hunk>;
export const fileDiff = z.object({
  old_path: z.string().nullable(),
  new_path: z.string().nullable(),
  binary: z.boolean(),
  truncated: z.boolean(),
  hunks: z.array(hunk).max(MAX_DIFF_HUNKS),
});
export type FileDiff = z.infer<typeof fileDiff>;

export const projectParams = z.object({ id });

/** `2024-05-31`, in UTC. */
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'date_format');

/** Filters of a list of commits; a commit must match all of them. */
export const commitFilters = z.object({
  /** Part of the author's name or email. */
  author: z.string().trim().max(200).optional(),
  /** A file, through its renames, or a folder. */
  path: z.string().trim().max(1024).optional(),
  /** Words of the message, all of them, or the beginning of a hash. */
  q: z.string().trim().max(200).optional(),
  /** By commit date, both days included. */
  since: day.optional(),
  until: day.optional(),
  kind: z.enum(['fix', 'revert', 'merge']).optional(),
});
export type CommitFilters = z.infer<typeof commitFilters>;

/** Credential of a private repository: an HTTPS token, or an SSH key, which the server generates unless one is given. */
export const credentialBody = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('token'),
    username: z
      .string()
      .trim()
      .regex(/^[^\p{Cc}:]*$/u, 'git_username_format')
      .max(200)
      .nullish(),
    token: z
      .string()
      .trim()
      .min(1, 'git_token_empty')
      .max(4096)
      .regex(/^\P{Cc}*$/u, 'git_token_format'),
  }),
  z.object({ kind: z.literal('ssh'), private_key: z.string().trim().max(20_000).nullish() }),
]);
export type CredentialBody = z.infer<typeof credentialBody>;

export const createProjectBody = z.object({
  name: z.string().trim().min(1, 'project_name_empty').max(100),
  git_url: z.string().trim().min(1, 'git_url_empty').max(2048, 'git_url_too_long'),
  description: z.string().trim().max(1000).nullish(),
  credential: credentialBody.nullish(),
});

export const projectRoutes = {
  list: route({
    method: 'GET',
    path: '/projects',
    apiKey: 'read',
    projectFrom: 'key',
    summary: 'List projects of the signed-in user, newest first',
    reply: z.array(project).max(MAX_LIST),
    maxReplyBytes: 8 * 2 ** 20,
  }),
  create: route({
    method: 'POST',
    path: '/projects',
    apiKey: 'write',
    feature: 'project_creation',
    summary: 'Create a project; indexing starts in the background',
    body: createProjectBody,
    reply: project.extend({
      /** Another project of the caller with the same URL, if there is one. */
      duplicate_of: z.object({ id: z.string(), name: z.string() }).nullable(),
    }),
    status: 201,
  }),
  get: route({
    method: 'GET',
    path: '/projects/:id',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get a project with status, activity and coverage',
    params: projectParams,
    reply: project,
  }),
  update: route({
    method: 'PATCH',
    path: '/projects/:id',
    summary: 'Update the name, description, URL or settings of a project (owners only)',
    description:
      'Another address is tried at once, and read in the background when it answers. A credential that was stored for another URL is forgotten. Another branch or other excluded paths are indexed at once.',
    params: projectParams,
    body: createProjectBody.extend({ ...projectSettings.shape, ...permissions }).partial(),
    reply: project,
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: 'Delete a project with all its data (owners only)',
    params: projectParams,
    reply: z.object({ ok: z.literal(true) }),
  }),
  refresh: route({
    method: 'POST',
    path: '/projects/:id/refresh',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Fetch new commits and index the changes; also retries after a failure',
    params: projectParams,
    reply: project,
    status: 202,
  }),
  commits: route({
    method: 'GET',
    path: '/projects/:id/commits',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List commits of the default branch, newest first, optionally filtered',
    params: projectParams,
    query: paging.extend(commitFilters.shape),
    reply: commitPage,
  }),
  commit: route({
    method: 'GET',
    path: '/projects/:id/commits/:sha',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get a commit with its diff; accepts abbreviated hashes of at least 7 digits',
    params: z.object({ id, sha: z.string().regex(/^[0-9a-f]{7,64}$/, 'commit_hash_short') }),
    query: z.object({
      /** Number of the parent that the diff compares with, from 1. */
      parent: queryInt({ min: 1, max: MAX_PARENTS, default: 1 }),
      whitespace: z.enum(['show', 'ignore']).default('show'),
    }),
    reply: commit.extend({
      body: z.string(),
      committer: z.string(),
      parents: z.array(z.string()).max(MAX_PARENTS),
      /** Number of the parent that `files` and `totals` compare with; 0 for a commit without parents. */
      parent: z.number(),
      /** Of the whole diff; null where git took too long. */
      totals: z.object({ files: z.number(), added: z.number(), deleted: z.number() }).nullable(),
      files: z.array(fileDiff).max(MAX_FILES_CHANGED),
    }),
  }),
  skipped: route({
    method: 'GET',
    path: '/projects/:id/skipped',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List files that are not indexed, with the reason',
    params: projectParams,
    query: paging,
    reply: z.object({
      files: z
        .array(z.object({ path: z.string(), reason: skipReason, size: z.number().nullable() }))
        .max(MAX_PAGE),
      total: z.number(),
      has_more: z.boolean(),
    }),
  }),
  file: route({
    method: 'GET',
    path: '/projects/:id/files/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get lines of a file at a commit with the date of their last change',
    params: z.object({ id, '*': z.string().min(1).max(1024) }),
    query: z.object({
      ref: z.string().max(200).optional(),
      from: z
        .string()
        .regex(/^\d{1,7}$/)
        .transform(Number)
        .optional(),
      to: z
        .string()
        .regex(/^\d{1,7}$/)
        .transform(Number)
        .optional(),
    }),
    // A file of 4 MiB, half of whose characters are two in JSON.
    maxReplyBytes: 8 * 2 ** 20,
    reply: z.object({
      path: z.string(),
      commit: z.string(),
      /** Number of the first line in `lines`, counted from 1. */
      start: z.number(),
      total_lines: z.number(),
      lines: z.array(z.string()).max(MAX_FILE_LINES),
      /** One entry a run of lines: who wrote them last. Empty when blame took too long. */
      blame: z
        .array(
          z.object({
            start: z.number(),
            lines: z.number(),
            hash: z.string(),
            author: z.string(),
            timestamp: z.string(),
            summary: z.string(),
          }),
        )
        .max(MAX_FILE_LINES),
    }),
  }),
};
