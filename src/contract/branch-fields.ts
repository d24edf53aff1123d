import { z } from 'zod';
import { id } from './common.ts';

export const branchName = z.string().min(1).max(200);
export const branchParams = z.object({ id, branch: branchName });

export const pushedCommit = z.object({
  hash: z.string(),
  /** First line of the message. */
  message: z.string(),
  author: z.string(),
  timestamp: z.string(),
});
export type PushedCommit = z.infer<typeof pushedCommit>;
