import { z } from 'zod';
import { hunk } from './projects.ts';

/** A commit as answers show it. */
export const citedCommit = z.object({
  hash: z.string(),
  message: z.string(),
  author: z.string(),
  timestamp: z.string(),
});

/** The statement that raises the error on purpose. */
export const guard = z.object({
  path: z.string(),
  start_line: z.number(),
  end_line: z.number(),
  /** Code of the condition; empty when the statement is unconditional. */
  condition: z.string(),
  message: z.string(),
  /** Commit that added or last changed it. */
  commit: citedCommit.nullable(),
  /** Innermost frame outside the guard's own module: the code that passed the rejected value. */
  caller: z
    .object({
      path: z.string(),
      line: z.number().nullable(),
      /** Code as the trace prints it; empty when it prints none. */
      text: z.string(),
      in_repository: z.boolean(),
    })
    .nullable(),
});
/** See `guard`. */
export type Guard = z.infer<typeof guard>;

/** A change of the failing line after the version that printed the error, so that the indexed code cannot have failed there. */
export const changedSince = z.object({
  path: z.string(),
  /** Line as the trace prints it, and its code in the older version. */
  line: z.number(),
  text: z.string(),
  /** `checked`: the line is still there, below a check that was added. */
  how: z.enum(['changed', 'removed', 'checked']),
  commit: citedCommit,
  hunk,
});
/** See `changedSince`. */
export type ChangedSince = z.infer<typeof changedSince>;
