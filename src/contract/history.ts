import { z } from 'zod';
import { id, MAX_LIST, paging, revision } from './common.ts';
import { feedback } from './debug.ts';
import { commitFilters, commitPage, fileDiff } from './projects.ts';
import { route } from './route.ts';

/** Commits and files of a comparison that a reply lists. */
export const MAX_COMPARED_COMMITS = 500;
export const MAX_COMPARED_FILES = 1_000;

const comparedCommit = z.object({
  hash: z.string(),
  subject: z.string(),
  author: z.string(),
  /** ISO 8601; empty for a broken date. */
  timestamp: z.string(),
  kind: z.enum(['fix', 'revert', 'merge', 'change']),
});
export type ComparedCommit = z.infer<typeof comparedCommit>;

const comparedFile = z.object({
  path: z.string(),
  old_path: z.string().nullable(),
  status: z.enum(['A', 'M', 'D', 'R', 'C', 'T']),
  /** Commits of the whole history that changed the file, and how many of them are fixes. */
  changes: z.number(),
  fixes: z.number(),
  /** True for the files of the project that change most often. */
  hotspot: z.boolean(),
});
export type ComparedFile = z.infer<typeof comparedFile>;

const comparison = z.object({ base: revision, head: revision });

const symbolChange = z.object({ path: z.string(), name: z.string(), line: z.number() });

/** Feedback with what it is about. */
const feedbackRecord = feedback.extend({
  session_id: z.string(),
  /** Type and first line of the error. */
  session_title: z.string(),
  author: z.string(),
});
export type FeedbackRecord = z.infer<typeof feedbackRecord>;

export const historyRoutes = {
  commits: route({
    method: 'GET',
    path: '/history/commits/:id',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Same list as `/projects/{id}/commits`',
    params: z.object({ id }),
    query: paging.extend(commitFilters.shape).extend({
      /** Clients of the specification repeat the id here. */
      project_id: id.optional(),
    }),
    reply: commitPage,
  }),
  giveFeedback: route({
    method: 'POST',
    path: '/history/feedback',
    apiKey: 'write',
    summary: 'Rate an answer; a second call replaces the rating',
    body: z.object({
      /** The session's id, or the caller's own number of it. */
      debug_query_id: z.union([id, z.number().int().min(1).max(2_147_483_647)]),
      helpful: z.boolean(),
      comments: z.string().max(2000).nullish(),
    }),
    reply: feedback,
    status: 201,
  }),
  feedback: route({
    method: 'GET',
    path: '/history/feedback/:id',
    apiKey: 'read',
    summary: 'List the feedback of a session, or of a project with `scope=project`',
    params: z.object({ id }),
    query: z.object({ scope: z.enum(['session', 'project']).default('session') }),
    reply: z.array(feedbackRecord).max(MAX_LIST),
  }),
  compare: route({
    method: 'GET',
    path: '/projects/:id/compare',
    apiKey: 'read',
    projectFrom: 'path',
    summary:
      'Compare two revisions: commits of the head that the base lacks, and files since their common ancestor',
    params: z.object({ id }),
    query: comparison,
    maxReplyBytes: 2 ** 21,
    reply: z.object({
      /** Full hashes. */
      base: z.string(),
      head: z.string(),
      /** Newest common ancestor; null for unrelated histories, which are compared directly. */
      ancestor: z.string().nullable(),
      commits: z.array(comparedCommit).max(MAX_COMPARED_COMMITS),
      total_commits: z.number(),
      /** Commits of the base that the head lacks. */
      behind: z.number(),
      authors: z.number(),
      files: z.array(comparedFile).max(MAX_COMPARED_FILES),
      total_files: z.number(),
    }),
  }),
  compareFile: route({
    method: 'GET',
    path: '/projects/:id/compare/file',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get the diff of one file between two revisions',
    params: z.object({ id }),
    query: comparison.extend({
      path: z.string().min(1).max(1024),
      old_path: z.string().min(1).max(1024).optional(),
      whitespace: z.enum(['show', 'ignore']).default('show'),
    }),
    reply: z.object({ file: fileDiff.nullable() }),
  }),
  compareSymbols: route({
    method: 'GET',
    path: '/projects/:id/compare/symbols',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List functions and types that were added or removed between two revisions',
    params: z.object({ id }),
    query: comparison,
    reply: z.object({
      added: z.array(symbolChange).max(MAX_LIST),
      removed: z.array(symbolChange).max(MAX_LIST),
      /** Changed source files that were read, of how many. */
      files: z.number(),
      total_files: z.number(),
    }),
  }),
};
