import { AppError } from '#contract/errors.ts';
import { mergeBase, splitLines } from '#git/refs.ts';
import { assertOid, gitStream } from '#git/run.ts';

/** Commits among which the first bad one is searched, as a graph; numbers index `oids`. */
export interface CommitRange {
  /** Full hashes, no parent before its child; the first is the bad end. */
  oids: readonly string[];
  /** Hashes of the trees, beside `oids`. */
  trees: readonly string[];
  /** Parents inside the range, first parent first. */
  parents: readonly (readonly number[])[];
  /** True beside commits whose first parent is inside. */
  hasFirstParent: readonly boolean[];
  /** Hashes of the parents outside: the good end and its ancestors. */
  outerParents: readonly (readonly string[])[];
  /** False for a whole history, in which no commit is known to be good. */
  hasGoodEnd: boolean;
}

/** Commits of the longest range; beyond it the ends must be nearer to each other. */
const MAX_COMMITS = 500_000;
const TIMEOUT_MS = 120_000;

interface RangeEnds {
  /** Full hash; null for the whole history. */
  good: string | null;
  /** Full hash. */
  bad: string;
  signal?: AbortSignal;
}

/**
 * Reads the commits that the bad end reaches and the good end does not. A good end on another branch stands for the commit at
 * which they parted. Throws `bad_request` where no commit lies between them.
 */
export async function readCommitRange(repo: string, { good, bad, signal }: RangeEnds): Promise<CommitRange> {
  const base = good === null ? null : await mergeBase(repo, assertOid(good), assertOid(bad));
  const revisions = [assertOid(bad), ...(base === null ? [] : [`^${base}`])];
  const args = ['log', '--topo-order', '--no-show-signature', '--no-color', '--format=tformat:%H %T %P'];
  const rows: string[][] = [];
  const output = gitStream(repo, args, { name: 'log', revisions, paths: [], timeoutMs: TIMEOUT_MS, signal });
  for await (const line of splitLines(output)) {
    rows.push(line.trim().split(' '));
    if (rows.length > MAX_COMMITS)
      throw new AppError('too_large', 'bisect_range_too_long', { params: { limit: String(MAX_COMMITS) } });
  }
  if (rows.length === 0) throw new AppError('bad_request', 'bisect_range_empty');
  const commits = rows.map(([oid = '', tree = '', ...parents]) => ({ oid, tree, parents }));
  return buildCommitRange(commits, { hasGoodEnd: base !== null });
}

/** Builds the graph of a range from its commits, no parent before its child. */
export function buildCommitRange(
  commits: readonly { oid: string; tree: string; parents: readonly string[] }[],
  { hasGoodEnd }: { hasGoodEnd: boolean },
): CommitRange {
  const numbers = new Map(commits.map(({ oid }, number) => [oid, number]));
  return {
    hasGoodEnd,
    oids: commits.map(({ oid }) => oid),
    trees: commits.map(({ tree }) => tree),
    parents: commits.map(({ parents }) => parents.flatMap((oid) => numbers.get(oid) ?? [])),
    hasFirstParent: commits.map(({ parents }) => parents[0] !== undefined && numbers.has(parents[0])),
    outerParents: commits.map(({ parents }) => parents.filter((oid) => !numbers.has(oid))),
  };
}
