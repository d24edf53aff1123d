import type { FileDiff } from '#contract/projects.ts';
import { type DiffSource, readDiffs } from '#evolution/read-diffs.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { Query } from '#search/query/parse-query.ts';
import type { Located } from '../locate/locate.ts';
import { type Candidate, type CandidateLimits, chooseCandidates } from '../suspects/select-candidates.ts';
import type { ErrorWords } from '../text/error-words.ts';
import { blamePlaces, type PlacesBlame } from './blame-places.ts';
import { type FormerNames, findFormerNames } from './renames.ts';

/** What the history says of an error. */
export interface HistoryFindings {
  names: FormerNames;
  /** Commits that may be at fault, likeliest first by what the memory alone tells. */
  candidates: Candidate[];
  /** Earlier fixes. */
  fixes: Candidate[];
  blame: PlacesBlame;
  /** Diffs of both, by hash. */
  diffs: Map<string, FileDiff[]>;
}

/** What is known when the history is asked. */
export interface HistoryQuestion {
  query: Query;
  words: ErrorWords;
  located: Located;
  /** Commits that are candidates whatever their message and files say. */
  also?: Iterable<number>;
}

/** What is read, and how long the diffs are waited for. `now` is in seconds since 1970. */
export interface HistoryDeps extends DiffSource {
  memory: RepositoryIndex;
  now: number;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Commits whose diffs are read; with 250 suspects no more culprits came first, see bench/results/suspects.md. */
const LIMITS: CandidateLimits = { suspects: 120, fixes: 60 };
/** Located files whose former names count. */
const STORIED_FILES = 12;

/** Chooses the commits that are looked at closely, and reads their diffs and the blame of the places. */
export async function readHistory(
  { query, words, located, also = [] }: HistoryQuestion,
  deps: HistoryDeps,
): Promise<HistoryFindings> {
  const { repo, hunks, memory, signal, now, timeoutMs } = deps;
  const storied = located.files.slice(0, STORIED_FILES).map(({ path }) => path);
  const names = findFormerNames(storied, memory.commits);
  await yieldIfDue(signal);
  const { suspects, fixes } = chooseCandidates({ memory, query, words, located, names, now }, LIMITS);
  const known = [...suspects, ...newOnes(suspects, also)];
  const read = (some: Candidate[]) => {
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
  const blamed = newOnes(known, blame.commits.keys());
  const rest = await read(blamed.filter(({ commit }) => !first.has(memory.commits.oid(commit))));
  return { names, candidates: [...known, ...blamed], fixes, blame, diffs: new Map([...first, ...rest]) };
}

function newOnes(known: Candidate[], commits: Iterable<number>): Candidate[] {
  const chosen = new Set(known.map(({ commit }) => commit));
  return Array.from(new Set(commits))
    .filter((commit) => !chosen.has(commit))
    .map((commit) => ({ commit, message: 0 }));
}
