import { z } from 'zod';
import { id, oid, queryFlag, queryInt } from './common.ts';
import { fileDiff, projectParams } from './projects.ts';
import { route } from './route.ts';

/** Files above this, in bytes, are listed but neither opened nor saved. */
export const MAX_EDITED_BYTES = 1 << 20;

/** JSON may write one byte as six. */
export const MAX_EDIT_BODY_BYTES = 8 * MAX_EDITED_BYTES;

/**
 * A file or folder. `children` is absent where only one folder was asked for. `odd` marks what is listed but can't be
 * edited: a symbolic link, a submodule, a name that is not UTF-8.
 */
export type TreeEntry =
  | { type: 'directory'; children?: FileTree }
  | { type: 'file'; size: number | null; not_editable?: 'symlink' | 'submodule' | 'encoding' };

/** `true` on a reply that leaves out files: beyond the limits of a reply, or with a path that is too long. */
export const TRUNCATED_HEADER = 'x-truncated';

/** Name → entry. An object without a prototype: `__proto__` is a name like any other. */
export type FileTree = { [name: string]: TreeEntry };

const fileTree = z
  // Not a record: those drop a file that is called `__proto__`, and walk a large tree once more.
  .custom<FileTree>((value) => typeof value === 'object' && value !== null)
  .meta({
    description: 'Name → { type: "directory", children? } or { type: "file", size, odd? }',
    type: 'object',
  });

/** Encodings in which a text is opened and saved, byte for byte. A byte-order mark is the first character of the text. */
const TEXT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
const textEncoding = z.enum(TEXT_ENCODINGS);
export type TextEncoding = z.infer<typeof textEncoding>;

/** Bytes of a large file that one reply holds, and a line more. */
export const PIECE_BYTES = 1 << 18;

/** Lines that one search in the files of the editor returns. */
const MAX_FOUND_LINES = 2_000;
/** Commits of the history of a selection. */
export const MAX_LINE_COMMITS = 50;

const path = z.string().min(1).max(1024);
const fileParams = z.object({ id, '*': path });
const branchName = z.string().min(1).max(200);

const commitFields = {
  /** Commit message; `Update {path}` or similar when absent. */
  commit_message: z.string().max(10_000).nullish(),
  /** The commit that the edit is based on. When the file has changed since, the reply is 409 `file_changed` with `current`. */
  base_sha: oid.nullish(),
  /** A branch of the caller, created if it does not exist; the working branch `hindsight/<username>` when absent. */
  branch: branchName.nullish(),
  /** The debug session that the change fixes. */
  session_id: id.nullish(),
};

/** Files of one commit. */
const MAX_COMMIT_FILES = 50;

/** Commit made by a save, a rename or a deletion. */
const savedCommit = z.object({
  path: z.string(),
  /** The branch's newest commit; the one before, where nothing had changed. */
  commit: z.string(),
  branch: z.string(),
});
export type SavedCommit = z.infer<typeof savedCommit>;

const fileContent = z.object({
  path: z.string(),
  content: z.string(),
  /** Commit of the content; the base of the next save. */
  commit: z.string(),
  /** The branch of the caller that answered; null when it was the indexed commit or another version. */
  branch: z.string().nullable(),
  /** Bytes. */
  size: z.number(),
  language: z.string(),
  /** Encoding of the file, which a save names again. */
  encoding: textEncoding,
  /** Reason that it can't be saved: a link, a reader without write access. */
  read_only: z.enum(['symlink', 'viewer']).nullable(),
});
export type FileContent = z.infer<typeof fileContent>;

const filePiece = z.object({
  path: z.string(),
  commit: z.string(),
  /** Bytes of the file. */
  size: z.number(),
  /** Bytes of the file before the piece, and before what follows it. */
  start: z.number(),
  end: z.number(),
  /** Number of its first line, from 1. */
  first_line: z.number(),
  text: z.string(),
});
export type FilePiece = z.infer<typeof filePiece>;

const foundLine = z.object({
  path: z.string(),
  /** From 1. */
  line: z.number(),
  /** At most 1,000 characters of it. */
  text: z.string(),
});
export type FoundLine = z.infer<typeof foundLine>;

const lineCommit = z.object({
  hash: z.string(),
  subject: z.string(),
  author: z.string(),
  /** ISO 8601; empty for a broken date. */
  timestamp: z.string(),
  path: z.string(),
  hunks: fileDiff.shape.hunks,
});
export type LineCommit = z.infer<typeof lineCommit>;

/** Patterns of paths as in `.gitignore`, one after the other with commas. */
const pathPatterns = z.string().max(1_000).default('');

export const ideRoutes = {
  files: route({
    method: 'GET',
    path: '/ide/projects/:id/files',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "Get the file tree of the caller's working branch, or of the indexed commit",
    description:
      'At most 20,000 files and folders and 2 MiB. Of a larger tree only the root is listed, whose directories have no `children`: read them with `path`. The header `X-Truncated` is `true` where something is left out.',
    params: projectParams,
    query: z.object({
      /** One folder alone, without what lies in its folders; the root when empty. */
      path: z.string().max(1024).optional(),
      ref: branchName.optional(),
    }),
    reply: fileTree,
  }),
  file: route({
    method: 'GET',
    path: '/ide/projects/:id/files/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "Get a file from the caller's working branch, or from the indexed commit",
    params: fileParams,
    query: z.object({ ref: branchName.optional() }),
    reply: fileContent,
    maxReplyBytes: MAX_EDIT_BODY_BYTES,
  }),
  piece: route({
    method: 'GET',
    path: '/ide/projects/:id/pieces/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get a piece of a text file of any size, up to 100 MiB',
    params: fileParams,
    query: z.object({
      ref: branchName.optional(),
      /** Byte at which the piece begins, and no line before it; the start of the next line where it lies within one. */
      offset: queryInt({ min: 0, max: 2 ** 31, default: 0 }),
    }),
    reply: filePiece,
    maxReplyBytes: 12 * PIECE_BYTES,
  }),
  find: route({
    method: 'GET',
    path: '/ide/projects/:id/search',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "Search lines of all text files of the caller's working branch, or of another revision",
    params: projectParams,
    query: z.object({
      q: z.string().min(1, 'query_empty').max(1_000),
      ref: branchName.optional(),
      /** `regex`: an extended regular expression of POSIX, in which `\\d` is a digit. */
      match: z.enum(['text', 'regex']).default('text'),
      ignore_case: queryFlag,
      whole_word: queryFlag,
      include: pathPatterns,
      exclude: pathPatterns,
    }),
    // A line has 1,000 characters, each of which may take six bytes of JSON.
    maxReplyBytes: 16 * 2 ** 20,
    reply: z.object({
      commit: z.string(),
      /** In the order of paths. */
      lines: z.array(foundLine).max(MAX_FOUND_LINES),
      /** There may be more: the limit or the time was reached. */
      partial: z.boolean(),
    }),
  }),
  lineHistory: route({
    method: 'GET',
    path: '/ide/projects/:id/line-history/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List the commits that changed some lines of a file, newest first, with what they changed',
    params: fileParams,
    query: z.object({
      ref: branchName.optional(),
      first_line: queryInt({ min: 1, max: 10_000_000, default: 1 }),
      last_line: queryInt({ min: 1, max: 10_000_000, default: 1 }),
    }),
    maxReplyBytes: 12 * 2 ** 20,
    reply: z.object({
      commits: z.array(lineCommit).max(MAX_LINE_COMMITS),
      /** False where the history is longer than what is listed. */
      complete: z.boolean(),
    }),
  }),
  save: route({
    method: 'POST',
    path: '/ide/projects/:id/files/*',
    apiKey: 'write',
    projectFrom: 'path',
    feature: 'file_saving',
    summary: "Create or update a file with a commit on the caller's working branch",
    params: fileParams,
    body: z.object({
      content: z.string().max(MAX_EDIT_BODY_BYTES),
      encoding: textEncoding.nullish(),
      ...commitFields,
      /** Its former path: the same commit removes the file there. */
      renamed_from: path.nullish(),
    }),
    bodyLimit: MAX_EDIT_BODY_BYTES,
    reply: savedCommit,
  }),
  move: route({
    method: 'POST',
    path: '/ide/projects/:id/moves',
    apiKey: 'write',
    projectFrom: 'path',
    feature: 'file_saving',
    summary: 'Rename or move a file, or a folder with all that is in it, with one commit',
    params: projectParams,
    body: z.object({ ...commitFields, from: path, to: path }),
    reply: savedCommit,
  }),
  remove: route({
    method: 'DELETE',
    path: '/ide/projects/:id/files/*',
    apiKey: 'write',
    projectFrom: 'path',
    summary: "Delete a file with a commit on the caller's working branch",
    params: fileParams,
    query: z.object({
      ...commitFields,
      /** Deletes a folder with all that is in it; without, a folder is refused. */
      recursive: queryFlag,
    }),
    reply: savedCommit,
  }),
  commit: route({
    method: 'POST',
    path: '/ide/projects/:id/commits',
    apiKey: 'write',
    projectFrom: 'path',
    feature: 'file_saving',
    summary: "Save several files with one commit on a branch of the caller's",
    params: projectParams,
    body: z.object({
      ...commitFields,
      files: z
        .array(
          z.object({
            path,
            /** Null deletes the file. */
            content: z.string().max(MAX_EDIT_BODY_BYTES).nullable(),
            encoding: textEncoding.nullish(),
            base_sha: oid.nullish(),
          }),
        )
        .min(1)
        .max(MAX_COMMIT_FILES),
    }),
    bodyLimit: MAX_EDIT_BODY_BYTES,
    reply: savedCommit.omit({ path: true }),
  }),
};
