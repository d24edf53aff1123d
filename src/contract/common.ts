import { z } from 'zod';

/** Our own ids: UUIDv7 as text. Anything else in a path is simply not found. */
export const id = z.string().min(1).max(64);

/** A full object name of git, SHA-1 or SHA-256. */
export const oid = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/, 'commit_hash_full');

/** A point of the history: a commit's hash, a tag, a branch, or a day such as `2024-05-31` (its last commit). */
export const revision = z.string().trim().min(1).max(200);

export const timestamp = z.iso.datetime({ offset: true });

/** A whole number in a query string: queries carry text, so this is the one place that reads digits. */
export const queryInt = (options: { min: number; max: number; default: number }) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'whole_number')
    .transform(Number)
    .pipe(z.number().min(options.min).max(options.max))
    .default(options.default);

/** Items of one page. */
export const MAX_PAGE = 200;
/** Items of a list that has no pages. */
export const MAX_LIST = 500;

/** Paging as the specification has it: `skip` items, then at most `limit`. */
export const paging = z.object({
  skip: queryInt({ min: 0, max: 10_000_000, default: 0 }),
  limit: queryInt({ min: 1, max: MAX_PAGE, default: 50 }),
});

/**
 * A sentence for people. Clients render `code` with `params` in the reader's language; `text` is the English
 * fallback. Words in backticks belong to the repository and are set in mono.
 */
export const sentence = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  text: z.string(),
});
export type Sentence = z.infer<typeof sentence>;

/** The empty reply of calls that only do something. */
export const okReply = z.object({ ok: z.literal(true) });

/** A switch in a query; undefined when absent. */
export const queryFlag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional();

/** The reader's own branch that an answer includes; only they see the answer. */
const includedBranch = z.object({
  name: z.string(),
  /** Its commits that the repository's branch lacks. */
  changes: z.number(),
});
export type IncludedBranch = z.infer<typeof includedBranch>;

export const ownBranchField = includedBranch.nullish();

/**
 * Includes the caller's working branch in an answer, which is then theirs alone. When absent, it is included unless it lacks
 * commits of the repository. Without effect beside a revision and in a shared chat.
 */
export const workingBranchField = z.boolean().nullish();

/** Commit that an answer is based on, and the lag of the index behind its upstream. */
export const indexFreshness = z.object({
  /** Full hash. */
  commit: z.string(),
  branch: z.string().nullable(),
  /** Commits that are fetched and not indexed yet; null where that cannot be counted. */
  behind: z.number().nullable(),
  /** Time of the last fetch; null when unknown. */
  fetched_at: timestamp.nullable(),
  own_branch: ownBranchField,
  /** Revision that was asked for, by its name and full hash; absent for the indexed commit. */
  revision: z.object({ name: revision, commit: z.string() }).nullish(),
});
export type IndexFreshness = z.infer<typeof indexFreshness>;
