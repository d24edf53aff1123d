import { z } from 'zod';
import { codeHostKind } from './code-hosts.ts';
import { id, oid, okReply, queryInt, sentence, timestamp } from './common.ts';
import { route } from './route.ts';

/** Bytes of an uploaded export; larger ones are uploaded in parts. */
const MAX_EXPORT_BYTES = 20 * 2 ** 20;
/** Characters of the text of an issue that are stored. */
export const MAX_ISSUE_BODY = 16_000;
export const MAX_ISSUE_TITLE = 500;
export const MAX_ISSUE_LABELS = 20;
/** Comments of one issue that are stored, the most recent ones, and characters of one. */
export const MAX_ISSUE_COMMENTS = 50;
export const MAX_COMMENT_BODY = 4_000;
/** Issues of one page. */
const MAX_ISSUES = 100;
/** Commits whose issues one call can ask for. */
const MAX_ISSUE_COMMITS = 50;
/** Issues that are listed of one commit, and commits of one issue. */
export const MAX_LINKED = 20;

export const issueKind = z.enum(['issue', 'pull_request']);
export type IssueKind = z.infer<typeof issueKind>;

export const issueState = z.enum(['open', 'closed', 'merged']);
export type IssueState = z.infer<typeof issueState>;

/** Reason for a link: number in the message, commit of a merged request, or number in the name of a merged branch. */
const issueLinkSource = z.enum(['message', 'merge', 'branch']);
export type IssueLinkSource = z.infer<typeof issueLinkSource>;

const issue = z.object({
  kind: issueKind,
  number: z.number(),
  title: z.string(),
  state: issueState,
  author: z.string().nullable(),
  labels: z.array(z.string()).max(MAX_ISSUE_LABELS),
  /** Page at the host; null where its form is not known. */
  url: z.string().nullable(),
  created_at: timestamp.nullable(),
  updated_at: timestamp.nullable(),
});
export type Issue = z.infer<typeof issue>;

const commitIssue = issue
  .pick({ kind: true, number: true, title: true, state: true, url: true })
  .extend({ source: issueLinkSource });
export type CommitIssue = z.infer<typeof commitIssue>;

/** State of the import; `waiting` for the rate limit of the host. */
const issueImport = z.object({
  /** True while issues are imported from the API of the code host. */
  enabled: z.boolean(),
  state: z.enum(['idle', 'queued', 'running', 'waiting', 'failed']),
  /** API that is asked; null where it is not known. */
  host: z.object({ kind: codeHostKind, host: z.string(), has_token: z.boolean() }).nullable(),
  issues: z.number(),
  pull_requests: z.number(),
  comments: z.number(),
  /** Commits that belong to at least one of them. */
  linked_commits: z.number(),
  /** Issues and comments that the running or last import received. */
  received: z.number(),
  imported_at: timestamp.nullable(),
  /** End of the wait for the rate limit. */
  retry_at: timestamp.nullable(),
  failure: sentence.nullable(),
});
export type IssueImport = z.infer<typeof issueImport>;

const issueComment = z.object({
  /** At the host; of an export without ids its position. */
  id: z.string(),
  author: z.string().nullable(),
  body: z.string(),
  created_at: timestamp.nullable(),
  updated_at: timestamp.nullable(),
});

const params = z.object({ id });
/** A number such as 123; anything else is not found. */
const number = z.string().min(1).max(20);

export const issueRoutes = {
  list: route({
    method: 'GET',
    path: '/projects/:id/issues',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List imported issues and pull requests, the most recently updated first or the best matches',
    params,
    query: z.object({
      /** Words, or a number such as `#123`. */
      q: z.string().trim().max(500).default(''),
      kind: issueKind.optional(),
      state: issueState.optional(),
      cursor: z.string().max(20).regex(/^\d*$/, 'whole_number').optional(),
      limit: queryInt({ min: 1, max: MAX_ISSUES, default: 50 }),
    }),
    reply: z.object({
      issues: z.array(issue).max(MAX_ISSUES),
      total: z.number(),
      next_cursor: z.string().nullable(),
    }),
  }),
  get: route({
    method: 'GET',
    path: '/projects/:id/issues/:number',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get an issue or pull request with its text, its comments and the commits that belong to it',
    params: z.object({ id, number }),
    /** GitLab numbers issues and merge requests separately; the issue unless set. */
    query: z.object({ kind: issueKind.optional() }),
    reply: issue.extend({
      body: z.string(),
      /** Branch of a pull request. */
      branch: z.string().nullable(),
      merge_commit: z.string().nullable(),
      closed_at: timestamp.nullable(),
      /** Oldest first. */
      comments: z.array(issueComment).max(MAX_ISSUE_COMMENTS),
      commits: z
        .array(z.object({ hash: z.string(), subject: z.string(), source: issueLinkSource }))
        .max(MAX_LINKED),
    }),
  }),
  ofCommits: route({
    method: 'GET',
    path: '/projects/:id/commit-issues',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List the imported issues and pull requests that commits belong to',
    params,
    query: z.object({
      /** Full hashes, separated by commas. */
      commits: z
        .string()
        .max(MAX_ISSUE_COMMITS * 65)
        .transform((text) => text.split(','))
        .pipe(z.array(oid).min(1).max(MAX_ISSUE_COMMITS)),
    }),
    reply: z.object({
      commits: z
        .array(z.object({ hash: z.string(), issues: z.array(commitIssue).max(MAX_LINKED) }))
        .max(MAX_ISSUE_COMMITS),
    }),
  }),
  status: route({
    method: 'GET',
    path: '/projects/:id/issues/import',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get the state of the import of issues',
    params,
    reply: issueImport,
  }),
  configure: route({
    method: 'PATCH',
    path: '/projects/:id/issues/import',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Turn the import of issues from the code host on or off (owners only)',
    params,
    body: z.object({ enabled: z.boolean() }),
    reply: issueImport,
  }),
  start: route({
    method: 'POST',
    path: '/projects/:id/issues/import',
    kind: 'raw',
    apiKey: 'write',
    projectFrom: 'path',
    bodyLimit: MAX_EXPORT_BYTES,
    summary:
      'Import issues now: from the code host, or from the JSON or NDJSON export in the body (owners only)',
    params,
    reply: issueImport,
    status: 202,
  }),
  clear: route({
    method: 'DELETE',
    path: '/projects/:id/issues',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: 'Delete all imported issues, and turn the import off (owners only)',
    params,
    reply: okReply,
  }),
};
