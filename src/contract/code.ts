import { z } from 'zod';
import { id, MAX_LIST } from './common.ts';
import { fileDiff } from './projects.ts';
import { route } from './route.ts';

const path = z.string().min(1).max(1024);
const fileParams = z.object({ id, '*': path });
/** A hash, a branch, a tag or a day; the indexed commit when absent. */
const ref = z.string().trim().max(200).optional();
const atRevision = z.object({ ref });

/** Entries of one folder that a reply lists. */
export const MAX_FOLDER_ENTRIES = 2_000;
/** Versions of a file that a reply lists. */
export const MAX_VERSIONS = 500;
/** Runs of lines in one blame. */
export const MAX_BLAME_RUNS = 20_000;
const MAX_SKIPPED_COMMITS = 200;
/** Changes of a function that a reply lists. */
export const MAX_FUNCTION_CHANGES = 100;
const MAX_ANSWERS = 20;

/** A commit in lists beside code. */
const commitLine = z.object({
  hash: z.string(),
  subject: z.string(),
  author: z.string(),
  /** ISO 8601; empty for a broken date. */
  timestamp: z.string(),
});
export type CommitLine = z.infer<typeof commitLine>;

const folderEntry = z.object({
  name: z.string(),
  type: z.enum(['folder', 'file', 'link', 'submodule']),
  /** Bytes; null for folders and submodules. */
  size: z.number().nullable(),
  /** Last commit that changed it; null where that is not indexed. */
  last: commitLine.nullable(),
});
export type FolderEntry = z.infer<typeof folderEntry>;

const blameRun = commitLine.extend({
  start: z.number(),
  lines: z.number(),
  /** Number of the run's first line, and name of the file, in that commit. */
  original_line: z.number(),
  /** The file before that commit; null when it added the file. */
  previous: z.object({ commit: z.string(), path: z.string() }).nullable(),
});
export type BlameRun = z.infer<typeof blameRun>;

const version = commitLine.extend({
  /** Name of the file in this commit. */
  path: z.string(),
  status: z.enum(['A', 'M', 'D', 'R', 'C', 'T']),
  kind: z.enum(['fix', 'revert', 'merge', 'change']),
});
export type FileVersion = z.infer<typeof version>;

const sessionLink = z.object({ id: z.string(), title: z.string(), created_at: z.string() });

const codePlace = z.object({ path: z.string(), line: z.number(), text: z.string() });
export type CodePlace = z.infer<typeof codePlace>;

const symbol = z.object({ name: z.string(), start: z.number(), end: z.number(), container: z.boolean() });
export type CodeSymbol = z.infer<typeof symbol>;

/** Kind of a function's change, judged by its tokens and its message. */
export const CHANGE_LABELS = ['behavior', 'refactoring', 'formatting', 'documentation'] as const;
/** Event in a function's history. */
export const CHANGE_EVENTS = ['introduced', 'moved', 'renamed', 'fixed', 'changed'] as const;

const functionChange = commitLine.extend({
  path: z.string(),
  /** Message without its first line. */
  body: z.string(),
  event: z.enum(CHANGE_EVENTS),
  label: z.enum(CHANGE_LABELS),
  /** Name before a renaming, or path before a move. */
  from: z.string().nullable(),
  diff: fileDiff.shape.hunks,
});
export type FunctionChange = z.infer<typeof functionChange>;

export const codeRoutes = {
  text: route({
    method: 'GET',
    path: '/projects/:id/text/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get the text of a file at a revision, without blame',
    params: fileParams,
    query: atRevision,
    // A file of 4 MiB, half of whose characters are two in JSON.
    maxReplyBytes: 8 * 2 ** 20,
    reply: z.object({
      path: z.string(),
      commit: z.string(),
      text: z.string(),
      size: z.number(),
      /** Reason that the file is not in the index, such as `generated`; null for indexed files and for other revisions. */
      skipped: z.string().nullable(),
    }),
  }),
  image: route({
    method: 'GET',
    path: '/projects/:id/images/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get an image of the repository at a revision, at most 2 MiB',
    params: fileParams,
    query: atRevision,
    reply: z.object({
      media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
      /** Base64. */
      data: z.string().max(3 * 2 ** 20),
      size: z.number(),
    }),
  }),
  folder: route({
    method: 'GET',
    path: '/projects/:id/folder',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List a folder at a revision with the last commit of every entry',
    params: z.object({ id }),
    query: atRevision.extend({ path: z.string().max(1024).default('') }),
    reply: z.object({
      path: z.string(),
      commit: z.string(),
      entries: z.array(folderEntry).max(MAX_FOLDER_ENTRIES),
      /** True when the folder has more entries. */
      truncated: z.boolean(),
    }),
  }),
  blame: route({
    method: 'GET',
    path: '/projects/:id/blame/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary:
      'Get the last change of every line, past commits that only format; streams with `Accept: text/event-stream`',
    params: fileParams,
    query: atRevision.extend({ formatting: z.enum(['skip', 'keep']).default('skip') }),
    maxReplyBytes: 8 * 2 ** 20,
    reply: z.object({
      commit: z.string(),
      runs: z.array(blameRun).max(MAX_BLAME_RUNS),
      /** False when finding all lines took too long: the runs are those found in time. */
      complete: z.boolean(),
      /** Commits whose changes were passed over. */
      skipped: z
        .array(commitLine.extend({ reason: z.enum(['listed', 'formatting']) }))
        .max(MAX_SKIPPED_COMMITS),
    }),
  }),
  versions: route({
    method: 'GET',
    path: '/projects/:id/versions/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List the versions of a file through its renames, with authors, related files, tests and errors',
    params: fileParams,
    reply: z.object({
      versions: z.array(version).max(MAX_VERSIONS),
      total: z.number(),
      authors: z.array(z.object({ name: z.string(), commits: z.number(), last: z.string() })).max(10),
      related: z.array(z.object({ path: z.string(), together: z.number() })).max(10),
      /** Commits that `related` counts of. */
      counted: z.number(),
      tests: z.array(z.string()).max(10),
      answers: z.array(sessionLink).max(MAX_ANSWERS),
    }),
  }),
  change: route({
    method: 'GET',
    path: '/projects/:id/changes/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get what a commit changed in one file',
    params: fileParams,
    query: z.object({
      commit: z.string().regex(/^[0-9a-f]{7,64}$/, 'commit_hash_short'),
      whitespace: z.enum(['show', 'ignore']).default('show'),
    }),
    reply: z.object({ file: fileDiff.nullable() }),
  }),
  outline: route({
    method: 'GET',
    path: '/projects/:id/outline/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List the definitions of a file in the order of its lines',
    params: fileParams,
    query: atRevision,
    reply: z.object({ symbols: z.array(symbol).max(2_000) }),
  }),
  symbol: route({
    method: 'GET',
    path: '/projects/:id/symbols',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Find the definitions of a name and its references, by name',
    params: z.object({ id }),
    query: z.object({ name: z.string().trim().min(1).max(200), path: path.optional() }),
    reply: z.object({
      definitions: z.array(codePlace.extend({ symbol: z.string(), end: z.number() })).max(50),
      references: z.array(codePlace).max(200),
      /** True where several definitions have the name, so that the first is a guess. */
      guessed: z.boolean(),
      /** True where there may be more references. */
      partial: z.boolean(),
    }),
  }),
  function: route({
    method: 'GET',
    path: '/projects/:id/functions/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary:
      'Get the history of a function through renames and moves, every change labelled; streams with `Accept: text/event-stream`',
    params: fileParams,
    query: z.object({ name: z.string().trim().min(1).max(200) }),
    reply: z.object({
      name: z.string(),
      path: z.string(),
      start: z.number(),
      end: z.number(),
      commit: z.string(),
      /** Newest first. */
      changes: z.array(functionChange).max(MAX_FUNCTION_CHANGES),
      /** False where the history is longer than what is listed. */
      complete: z.boolean(),
      answers: z.array(sessionLink).max(MAX_ANSWERS),
    }),
  }),
  refs: route({
    method: 'GET',
    path: '/projects/:id/refs',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List branches and tags, newest first',
    params: z.object({ id }),
    reply: z.object({
      refs: z
        .array(
          z.object({
            name: z.string(),
            kind: z.enum(['branch', 'tag']),
            commit: z.string(),
            timestamp: z.string(),
            /** Its commit is in the index. */
            indexed: z.boolean(),
          }),
        )
        .max(MAX_LIST),
      /** True when there are more. */
      truncated: z.boolean(),
    }),
  }),
};
