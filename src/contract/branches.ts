import { z } from 'zod';
import { branchName, branchParams, pushedCommit } from './branch-fields.ts';
import { branchUpdateRoutes } from './branch-updates.ts';
import { codeHostKind } from './code-hosts.ts';
import { id, MAX_LIST, MAX_PAGE, oid, okReply, paging, sentence, timestamp } from './common.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';

/** Commits of one push. */
export const MAX_PUSHED_COMMITS = 200;
/** Changed files that a reply lists of a branch or a push. */
const MAX_CHANGED_FILES = 300;
/** Branches of one member. */
const MAX_BRANCHES = 200;

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
  ...branchUpdateRoutes,
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
