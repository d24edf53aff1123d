import type { FileDiff } from '#contract/projects.ts';
import { type DiffSource, readDiffs } from '#evolution/read-diffs.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { Query } from '#search/query/parse-query.ts';
import type { LocatedError } from '../locate/locate.ts';
import { type SuspectCandidate, type CandidateLimits, selectCandidates } from '../suspects/select-candidates.ts';
import type { ErrorWords } from '../text/error-words.ts';
import { blamePlaces, type PlaceBlame } from './blame-places.ts';
import { type RenameHistory, followRenames } from './renames.ts';

/** What the history says of an error. */
export interface HistoryEvidence {
  renames: RenameHistory;
  /** Commits that may be at fault, likeliest first by what the memory alone tells. */
  candidates: SuspectCandidate[];
  /** Earlier fixes. */
  fixes: SuspectCandidate[];
  blame: PlaceBlame;
  /** Diffs of both, by hash. */
  diffs: Map<string, FileDiff[]>;
}

/** What is known when the history is asked. */
export interface HistoryQuery {
  query: Query;
  words: ErrorWords;
  located: LocatedError;
  /** Commits that are candidates whatever their message and files say. */
  extraCandidates?: Iterable<number>;
}

/** What is read, and how long the diffs are waited for. `now` is in seconds since 1970. */
export interface HistoryDeps extends DiffSource {
  memory: RepositoryIndex;
  now: number;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Commits whose diffs are read; with 250 suspects no more culprits came first, see bench/results/suspects.md. */
const CANDIDATE_LIMITS: CandidateLimits = { suspects: 120, fixes: 60 };
/** Located files whose former names count. */
const MAX_RENAMED_FILES = 12;

/** Chooses the commits that are looked at closely, and reads their diffs and the blame of the places. */
export async function collectHistory(
  { query, words, located, extraCandidates: also = [] }: HistoryQuery,
  deps: HistoryDeps,
): Promise<HistoryEvidence> {
  const { repo, hunks, memory, signal, now, timeoutMs } = deps;
  const storied = located.files.slice(0, MAX_RENAMED_FILES).map(({ path }) => path);
  const names = followRenames(storied, memory.commits);
  await yieldIfDue(signal);
  const { suspects, fixes } = selectCandidates({ memory, query, words, located, names, now }, CANDIDATE_LIMITS);
  const known = [...suspects, ...missingCandidates(suspects, also)];
  const read = (some: SuspectCandidate[]) => {
    // Merges have no diff: git need not be asked.
    const changing = some.filter(({ commit }) => memory.commits.parents(commit).length < 2);
    // Neighbours lie side by side on disk.
    const inOrder = changing.toSorted((a, b) => a.commit - b.commit);
    const oids = new Set(inOrder.map(({ commit }) => memory.commits.oid(commit)));
    return readDiffs(deps, [...oids], { signal, timeoutMs });
  };
  await yieldIfDue(signal);
  const [blame, first] = await Promise.all([
    blamePlaces(located, { repo, hunks, memory, names, signal }),
    read([...known, ...fixes]),
  ]);
  const blamed = missingCandidates(known, blame.commits.keys());
  const rest = await read(blamed.filter(({ commit }) => !first.has(memory.commits.oid(commit))));
  return { renames: names, candidates: [...known, ...blamed], fixes, blame, diffs: new Map([...first, ...rest]) };
}

function missingCandidates(known: SuspectCandidate[], commits: Iterable<number>): SuspectCandidate[] {
  const chosen = new Set(known.map(({ commit }) => commit));
  return Array.from(new Set(commits))
    .filter((commit) => !chosen.has(commit))
    .map((commit) => ({ commit, message: 0 }));
}
