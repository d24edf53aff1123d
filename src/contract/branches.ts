import { z } from 'zod';
import { codeHostKind } from './code-hosts.ts';
import { id, MAX_LIST, MAX_PAGE, oid, okReply, paging, sentence, timestamp } from './common.ts';
import { MAX_EDITED_BYTES } from './ide.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';

/** Commits of one push. */
export const MAX_PUSHED_COMMITS = 200;
/** Changed files that a reply lists of a branch or a push. */
const MAX_CHANGED_FILES = 300;
/** Files that conflict in one merge. */
export const MAX_CONFLICTS = 100;
/** Choices for the files of a merge, or of all commits of a rebase. */
const MAX_RESOLUTIONS = 300;
/** Branches of one member. */
const MAX_BRANCHES = 200;

const branchName = z.string().min(1).max(200);
const branchParams = z.object({ id, branch: branchName });

const pushedCommit = z.object({
  hash: z.string(),
  /** First line of the message. */
  message: z.string(),
  author: z.string(),
  timestamp: z.string(),
});
export type PushedCommit = z.infer<typeof pushedCommit>;

const changedFile = z.object({
  path: z.string(),
  /** Lines; null for a binary file. */
  additions: z.number().nullable(),
  deletions: z.number().nullable(),
});

const pushState = z.enum(['queued', 'running', 'done', 'failed']);
export type PushState = z.infer<typeof pushState>;

const push = z.object({
  id: z.string(),
  branch: z.string(),
  /** Branch at the git server. */
  target: z.string(),
  head: z.string(),
  commits: z.array(pushedCommit).max(MAX_PUSHED_COMMITS),
  state: pushState,
  outcome: z.enum(['created', 'updated', 'replaced', 'unchanged']).nullable(),
  failure: sentence.nullable(),
  /** Words of the git server. */
  message: z.string().nullable(),
  /** Page of the pushed branch, or of the pull request that the git server proposes. */
  url: z.string().nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type Push = z.infer<typeof push>;

const pullRequestState = z.enum(['open', 'merged', 'closed']);
export type PullRequestState = z.infer<typeof pullRequestState>;

const pullRequest = z.object({
  id: z.string(),
  number: z.number(),
  url: z.string(),
  branch: z.string(),
  target: z.string(),
  title: z.string(),
  state: pullRequestState,
  /** Result of the checks of its newest commit; null where there are none. */
  checks: z.enum(['pending', 'passed', 'failed']).nullable(),
  merge_commit: z.string().nullable(),
  /** The debug session that it fixes; null for members who may not see it. */
  session_id: z.string().nullable(),
  /** Reason for which the host could not be asked lately. */
  failure: sentence.nullable(),
  created_at: timestamp,
  checked_at: timestamp,
});
export type PullRequest = z.infer<typeof pullRequest>;

const ownBranch = z.object({
  name: z.string(),
  head: z.string(),
  last_commit: pushedCommit,
  /** Commits that the default branch of the repository lacks, and that this branch lacks; null when not counted in time. */
  ahead: z.number().nullable(),
  behind: z.number().nullable(),
  /** Commits that no branch of the git server has. */
  unpushed: z.number().nullable(),
  /** The branch of the repository that it is compared with. */
  upstream: z.string(),
  /** The latest successful push. */
  pushed: z.object({ target: z.string(), head: z.string(), at: timestamp }).nullable(),
  pull_request: pullRequest.nullable(),
  session_id: z.string().nullable(),
  created_at: timestamp,
});
export type OwnBranch = z.infer<typeof ownBranch>;

/** A branch with commits that the index lacks. */
const workingBranch = z.object({
  name: z.string(),
  /** Its commits that the index lacks. */
  changes: z.number(),
  /** Indexed commits that it lacks; answers then include it on request only. */
  behind: z.number(),
});
export type WorkingBranch = z.infer<typeof workingBranch>;

const conflict = z.object({
  path: z.string(),
  /**
   * Text of each version: the branch's (`ours`), the other side's (`theirs`) and their common ancestor's. Null where the file
   * is missing there, is too large or not UTF-8.
   */
  base: z.string().nullable(),
  ours: z.string().nullable(),
  theirs: z.string().nullable(),
  /** False for a file that can't be resolved as text: binary, too large, a link. */
  resolvable: z.boolean(),
  /** Sides that deleted the file. */
  missing: z.object({ ours: z.boolean(), theirs: z.boolean() }),
});
export type BranchConflict = z.infer<typeof conflict>;

const conflictList = {
  conflicts: z.array(conflict).max(MAX_CONFLICTS),
  /** Conflicting files beyond the limit. */
  conflicts_omitted: z.number(),
};

const resolution = z.object({
  path: z.string().min(1).max(1024),
  /** Text of the file; null deletes it. */
  content: z.string().max(MAX_EDITED_BYTES).nullish(),
  /** Takes the file of one side instead, also one that is no text. */
  take: z.enum(['ours', 'theirs']).nullish(),
  /** Commit of a rebase whose conflict it resolves (`stopped_at`). */
  commit: oid.nullish(),
});
export type ConflictResolution = z.infer<typeof resolution>;

const resolutions = z.array(resolution).max(MAX_RESOLUTIONS).nullish();

const branchUpdate = z.object({
  state: z.enum(['updated', 'up_to_date', 'conflicts']),
  /** Head of the branch. */
  head: z.string(),
  /** Commit of the repository that was merged or rebased on. */
  upstream: z.string(),
  ...conflictList,
  /** Commit at which a rebase stopped. */
  stopped_at: pushedCommit.nullable(),
  /** Its number among the commits of the rebase. */
  steps: z.object({ step: z.number(), total: z.number() }).nullable(),
});
export type BranchUpdate = z.infer<typeof branchUpdate>;

/** A text may take six bytes a character in JSON, and each conflict has three. */
const UPDATE_REPLY_BYTES = 16 * 2 ** 20;

export const branchRoutes = {
  list: route({
    method: 'GET',
    path: '/projects/:id/branches',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "List the caller's own branches with their distance to the default branch",
    params: projectParams,
    query: z.object({ session_id: id.optional() }),
    reply: z.object({ branches: z.array(ownBranch).max(MAX_BRANCHES) }),
  }),
  working: route({
    method: 'GET',
    path: '/projects/:id/working-branch',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "Get the caller's working branch, which their search, chat and debug answers include",
    params: projectParams,
    reply: z.object({ branch: workingBranch.nullable(), upstream: z.string().nullable() }),
  }),
  patch: route({
    method: 'GET',
    path: '/projects/:id/branches/:branch/patch',
    apiKey: 'read',
    projectFrom: 'path',
    kind: 'file',
    summary: 'Download a branch as patches (`git am`), as one diff (`git apply`) or as a git bundle',
    params: branchParams,
    query: z.object({ format: z.enum(['mbox', 'diff', 'bundle']).default('mbox') }),
    reply: z.any(),
  }),
  rename: route({
    method: 'PATCH',
    path: '/projects/:id/branches/:branch',
    apiKey: 'write',
    projectFrom: 'path',
    summary: "Rename one of the caller's branches; a branch that was pushed keeps its name at the git server",
    params: branchParams,
    body: z.object({ name: branchName }),
    reply: z.object({ name: z.string() }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id/branches/:branch',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: "Delete one of the caller's branches with its commits; the git server keeps what was pushed",
    params: branchParams,
    query: z.object({ head: oid.optional() }),
    reply: okReply,
  }),
  update: route({
    method: 'POST',
    path: '/projects/:id/branches/:branch/update',
    apiKey: 'write',
    projectFrom: 'path',
    feature: 'file_saving',
    summary: "Bring one of the caller's branches up to date with the default branch, by merge or rebase",
    description:
      'With conflicts nothing is written: the reply has the three versions of each file. Send it again with `head`, `upstream` and a resolution for each of them; a rebase may then stop at a later commit, and is sent again with the resolutions of both.',
    params: branchParams,
    body: z.object({
      method: z.enum(['merge', 'rebase']),
      head: oid.nullish(),
      upstream: oid.nullish(),
      resolutions,
    }),
    bodyLimit: 8 * 2 ** 20,
    reply: branchUpdate,
    maxReplyBytes: UPDATE_REPLY_BYTES,
  }),
  revert: route({
    method: 'POST',
    path: '/projects/:id/commits/:sha/revert',
    apiKey: 'write',
    projectFrom: 'path',
    feature: 'file_saving',
    summary:
      "Revert a commit on one of the caller's branches, which is created at the indexed commit if it is new",
    description:
      'With conflicts nothing is written: the reply has the three versions of each file. Send it again with `head` and a resolution for each of them.',
    params: z.object({ id, sha: z.string().min(1).max(64) }),
    body: z.object({
      /** The working branch when absent. */
      branch: branchName.nullish(),
      head: oid.nullish(),
      resolutions,
      /** Debug session that it fixes. */
      session_id: id.nullish(),
    }),
    bodyLimit: 8 * 2 ** 20,
    reply: z.object({
      state: z.enum(['reverted', 'conflicts']),
      branch: z.string(),
      /** Head of the branch: the revert, or what it is to be made on. */
      head: z.string(),
      ...conflictList,
    }),
    maxReplyBytes: UPDATE_REPLY_BYTES,
  }),
};

const pushBody = z.object({
  branch: branchName,
  /** Branch at the git server. */
  target: branchName,
  /** Commits of the branch that are sent alone; the whole branch when absent. */
  commits: z.array(oid).min(1).max(MAX_PUSHED_COMMITS).nullish(),
});

const pushPreview = z.object({
  branch: z.string(),
  target: z.string(),
  /** Host and URL of the repository. */
  host: z.string(),
  url: z.string(),
  /** Credential that the git server sees; `name` is the username of a token or the fingerprint of a key. */
  credential: z.object({ kind: z.enum(['anonymous', 'token', 'ssh']), name: z.string().nullable() }),
  default_branch: z.string().nullable(),
  /** Head of the target at the git server; null: the push creates it. */
  remote_head: z.string().nullable(),
  head: z.string(),
  commits: z.array(pushedCommit).max(MAX_PUSHED_COMMITS),
  /** Commits of the branch that may be chosen one by one, oldest first. */
  choosable: z.array(pushedCommit).max(MAX_PUSHED_COMMITS),
  files: z.array(changedFile).max(MAX_CHANGED_FILES),
  file_count: z.number(),
  /** True where commits at the git server would be replaced, which needs a second confirmation. */
  replaces: z.boolean(),
  /** Reason for which it can't be pushed as it is. */
  blocked: sentence.nullable(),
});
export type PushPreview = z.infer<typeof pushPreview>;

export const pushRoutes = {
  preview: route({
    method: 'POST',
    path: '/projects/:id/pushes/preview',
    apiKey: 'write',
    projectFrom: 'path',
    feature: 'pushing',
    summary: 'Show what a push would send, where and as whom; asks the git server and sends nothing',
    params: projectParams,
    body: pushBody,
    reply: pushPreview,
  }),
  create: route({
    method: 'POST',
    path: '/projects/:id/pushes',
    apiKey: 'write',
    projectFrom: 'path',
    feature: 'pushing',
    summary: "Push one of the caller's branches, or chosen commits of it, to the repository",
    description:
      'Sends nothing but fast-forwards. `replace` names the head that may be replaced (`git push --force-with-lease`). With `expected`, the push fails when the target has moved since the preview.',
    params: projectParams,
    body: pushBody.extend({
      /** `remote_head` of the preview; null: the target must not exist. */
      expected: oid.nullable().optional(),
      replace: oid.nullish(),
      session_id: id.nullish(),
    }),
    reply: push,
    status: 201,
  }),
  list: route({
    method: 'GET',
    path: '/projects/:id/pushes',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "List the caller's pushes, newest first",
    params: projectParams,
    query: paging,
    reply: z.object({ pushes: z.array(push).max(MAX_PAGE), has_more: z.boolean() }),
  }),
  get: route({
    method: 'GET',
    path: '/projects/:id/pushes/:push',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "Get one of the caller's pushes",
    params: z.object({ id, push: id }),
    reply: push,
  }),
};

const draftBody = z.object({
  /** Branch at the git server. */
  branch: branchName,
  /** Branch that it is to be merged into; the default branch when absent. */
  target: branchName.nullish(),
  /** Debug session that it fixes. */
  session_id: id.nullish(),
});

export const pullRequestRoutes = {
  draft: route({
    method: 'POST',
    path: '/projects/:id/pull-requests/draft',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Draft the title and description of a pull request from the error that it fixes',
    params: projectParams,
    body: draftBody,
    reply: z.object({
      target: z.string(),
      title: z.string(),
      body: z.string(),
      host: z.string(),
      kind: codeHostKind.nullable(),
      /** False: no API token is stored; the request can be opened at the host by `compare_url`. */
      has_token: z.boolean(),
      compare_url: z.string().nullable(),
    }),
  }),
  create: route({
    method: 'POST',
    path: '/projects/:id/pull-requests',
    apiKey: 'write',
    projectFrom: 'path',
    feature: 'pushing',
    summary: 'Open a pull or merge request at the code host for a pushed branch',
    description: 'A request that is open already for the same branches is returned as it is.',
    params: projectParams,
    body: draftBody.extend({
      title: z.string().trim().min(1, 'pull_request_title_empty').max(250),
      body: z.string().max(60_000),
      draft: z.boolean().optional(),
    }),
    reply: pullRequest,
    status: 201,
  }),
  list: route({
    method: 'GET',
    path: '/projects/:id/pull-requests',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List pull requests that were opened from the project, newest first',
    params: projectParams,
    query: z.object({ session_id: id.optional() }),
    reply: z.object({ pull_requests: z.array(pullRequest).max(MAX_LIST) }),
  }),
  refresh: route({
    method: 'POST',
    path: '/projects/:id/pull-requests/:pull/refresh',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Read the state of a pull request from the code host now',
    params: z.object({ id, pull: id }),
    reply: pullRequest,
  }),
};
