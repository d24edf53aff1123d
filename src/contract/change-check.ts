import { z } from 'zod';
import { MAX_EDIT_BODY_BYTES } from './ide.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';

const path = z.string().min(1).max(1024);

/** Files of one check. */
const MAX_CHECKED_FILES = 50;
const MAX_UNDONE = 10;
const MAX_FIXED = 20;
const MAX_COMPANIONS = 5;
export const MAX_TESTS = 10;
const MAX_REVIEWERS = 3;

const fixRef = {
  /** Full hash. */
  fix: z.string(),
  subject: z.string(),
  path: z.string(),
  /** From 1, before the change. */
  line: z.number(),
};

/** A test file with the reason that it was named. */
export const coveringTest = z.object({
  path: z.string(),
  /**
   * `uses`: uses a definition of a file of the change. `name`: named after one. `changes_with`: changes in the same commits.
   */
  basis: z.enum(['uses', 'name', 'changes_with']),
  /** The file of the change. */
  of: z.string(),
});
export type CoveringTest = z.infer<typeof coveringTest>;

const changeCheck = z.object({
  /** Earlier fixes of which the change removes at least half at one place. */
  undone_fixes: z.array(z.object(fixRef)).max(MAX_UNDONE),
  /** Other lines of earlier fixes that the change touches: the first of each fix and file. */
  fixed_lines: z.array(z.object({ ...fixRef, lines: z.number() })).max(MAX_FIXED),
  /** Files that usually change with those of the change, and do not here. */
  companions: z
    .array(
      z.object({
        path: z.string(),
        /** The file of the change, the commits that changed both, and those that changed it. */
        with: z.string(),
        together: z.number(),
        of: z.number(),
      }),
    )
    .max(MAX_COMPANIONS),
  tests: z.array(coveringTest).max(MAX_TESTS),
  /** People other than the reader who changed these files most in recent years. */
  reviewers: z
    .array(z.object({ name: z.string(), commits: z.number(), last_commit: z.string() }))
    .max(MAX_REVIEWERS),
});
export type ChangeReview = z.infer<typeof changeCheck>;

export const changeCheckRoutes = {
  check: route({
    method: 'POST',
    path: '/projects/:id/change-check',
    apiKey: 'read',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    rateLimits: [{ bucket: 'check', limit: 'checksPerUser', per: 'user', publicOnly: true }],
    summary: 'Check a change against the history before it is saved or pushed',
    description:
      'With `files`, checks these texts against the version `ref`; without, what `ref` changed since it left the indexed commit. Names removed fixes, lines that were fixed before, files that usually change as well, tests and likely reviewers.',
    params: projectParams,
    body: z.object({
      /** Branch or revision; the caller's working branch when absent. */
      ref: z.string().min(1).max(200).nullish(),
      /** Texts that are not saved yet; null for a deleted file. */
      files: z
        .array(z.object({ path, content: z.string().max(MAX_EDIT_BODY_BYTES).nullable() }))
        .max(MAX_CHECKED_FILES)
        .default([]),
    }),
    bodyLimit: MAX_EDIT_BODY_BYTES,
    reply: changeCheck,
  }),
};
