import { z } from 'zod';
import { branchName, branchParams, pushedCommit } from './branch-fields.ts';
import { id, oid } from './common.ts';
import { MAX_EDITED_BYTES } from './ide.ts';
import { route } from './route.ts';

/** Files that conflict in one merge. */
export const MAX_CONFLICTS = 100;
/** Choices for the files of a merge, or of all commits of a rebase. */
const MAX_RESOLUTIONS = 300;

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

export const branchUpdateRoutes = {
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
