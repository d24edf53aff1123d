import type { FileDiff } from '#contract/projects.ts';
import { createFormattingTest } from '#evolution/formatting-commits.ts';
import { type DiffSource, readDiffs } from '#evolution/read-diffs.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { Query } from '#search/lexical/parse-query.ts';
import { blamePlaces, type PlaceBlame } from './history/blame-places.ts';
import { followRenames, type RenameHistory } from './history/renames.ts';
import type { ErrorWords } from './locate/error-words.ts';
import type { LocatedError } from './locate/locate.ts';
import {
  type CandidateLimits,
  type SuspectCandidate,
  selectCandidates,
} from './suspects/select-candidates.ts';

/** Evidence about an error from the commit history. */
interface HistoryEvidence {
  renames: RenameHistory;
  /** Commits that may have caused the error, likeliest first by a score from the index alone. */
  candidates: SuspectCandidate[];
  /** Earlier fixes. */
  fixes: SuspectCandidate[];
  blame: PlaceBlame;
  /** Diffs of candidates and fixes, by hash. */
  diffs: Map<string, FileDiff[]>;
}

/** The error whose history is collected. */
interface HistoryQuery {
  query: Query;
  words: ErrorWords;
  located: LocatedError;
  /** Commits that are candidates regardless of their message and files. */
  extraCandidates?: Iterable<number>;
}

interface HistoryDeps extends DiffSource {
  index: RepositoryIndex;
  /** Unix time in seconds. */
  now: number;
  signal?: AbortSignal;
  /** Timeout for reading diffs. */
  timeoutMs?: number;
}

/** Commits whose diffs are read. 250 suspects put no more culprits first, see bench/results/suspects.md. */
const CANDIDATE_LIMITS: CandidateLimits = { suspects: 120, fixes: 60 };
/** Located files whose renames are followed. */
const MAX_RENAMED_FILES = 12;

/** Selects candidate commits, and reads their diffs and the blame of the located places. */
export async function collectHistory(
  { query, words, located, extraCandidates = [] }: HistoryQuery,
  deps: HistoryDeps,
): Promise<HistoryEvidence> {
  const { repo, hunks, index, signal, now, timeoutMs } = deps;
  const paths = located.files.slice(0, MAX_RENAMED_FILES).map(({ path }) => path);
  const renames = followRenames(paths, index.commits);
  await yieldIfDue(signal);
  const { suspects, fixes } = selectCandidates(
    { index, query, words, located, renames, now },
    CANDIDATE_LIMITS,
  );
  // Commits that only format cause nothing.
  const isSkipped = await createFormattingTest(repo, index.revision, index.commits);
  const candidates = [...suspects, ...missingCandidates(suspects, extraCandidates)].filter(
    ({ commit }) => !isSkipped(commit),
  );
  const read = (some: SuspectCandidate[]) => {
    // Merges have no diff.
    const changing = some.filter(({ commit }) => index.commits.parents(commit).length < 2);
    // Neighboring commits are adjacent on disk.
    const inOrder = changing.toSorted((a, b) => a.commit - b.commit);
    const oids = new Set(inOrder.map(({ commit }) => index.commits.oid(commit)));
    return readDiffs(deps, [...oids], { signal, timeoutMs });
  };
  await yieldIfDue(signal);
  const [blame, first] = await Promise.all([
    blamePlaces(located, { repo, hunks, index, renames, isSkipped, signal }),
    read([...candidates, ...fixes]),
  ]);
  const blamed = missingCandidates(candidates, blame.commits.keys());
  const rest = await read(blamed.filter(({ commit }) => !first.has(index.commits.oid(commit))));
  return {
    renames,
    candidates: [...candidates, ...blamed],
    fixes,
    blame,
    diffs: new Map([...first, ...rest]),
  };
}

function missingCandidates(candidates: SuspectCandidate[], commits: Iterable<number>): SuspectCandidate[] {
  const chosen = new Set(candidates.map(({ commit }) => commit));
  return Array.from(new Set(commits))
    .filter((commit) => !chosen.has(commit))
    .map((commit) => ({ commit, messageScore: 0 }));
}
