import type { RunOutcome } from '../runner.ts';
import { CandidateSet } from './candidate-set.ts';
import { chooseCommit } from './choose-commit.ts';
import type { CommitRange } from './commit-range.ts';

/**
 * State of a search:
 *
 * - `found`: one commit is bad and all of its parents are good
 * - `inconclusive`: only untestable commits are left beside the first bad one
 * - `bad_end_good`, `bad_end_untestable`: the failure does not occur at the bad end
 * - `good_end_bad`: the failure is older than the range
 */
export type BisectionState =
  | 'running'
  | 'found'
  | 'inconclusive'
  | 'bad_end_good'
  | 'bad_end_untestable'
  | 'good_end_bad';

/** Tests beyond those of plain bisection that wrong probabilities may cost. */
const MAX_EXTRA_TESTS = 3;
/** Untestable commits after which the search ends. */
const MAX_UNTESTABLE = 40;

/**
 * Search for the first bad commit of a range: says which commit to test next, and learns from outcomes. Without side effects, so
 * that the same outcomes always lead to the same questions.
 *
 * The good end is tested only if the search ends beside it: a good commit inside the range makes it unnecessary.
 */
export class Bisection {
  readonly #range: CommitRange;
  readonly #numbers: Map<string, number>;
  readonly #candidates: CandidateSet;
  readonly #untestable = new Set<number>();
  /** Parents outside the range that were tested good or cannot be tested. */
  readonly #testedOuter = new Map<string, RunOutcome>();
  #testsLeft: number;
  #isReproduced = false;
  #state: BisectionState = 'running';

  /** `weights` are the probabilities of the commits beside `range.oids`, in any scale and none of them 0. */
  constructor(range: CommitRange, weights: Float64Array) {
    this.#range = range;
    this.#numbers = new Map(range.oids.map((oid, number) => [oid, number]));
    this.#candidates = new CandidateSet(range, weights);
    this.#testsLeft = Math.floor(Math.log2(range.oids.length)) + MAX_EXTRA_TESTS;
  }

  /** Replaces the probabilities, once more is known; the number of tests stays bounded. */
  reweigh(weights: Float64Array): void {
    this.#candidates.reweigh(weights);
  }

  get state(): BisectionState {
    return this.#state;
  }

  /** Full hash of the first bad commit, once it is found. */
  get firstBad(): string | null {
    return this.#state === 'found' ? this.#range.oids[this.#candidates.head]! : null;
  }

  /** Full hashes of the commits that can be the first bad one, newest first. */
  candidates(): string[] {
    return this.#candidates.list().map((commit) => this.#range.oids[commit]!);
  }

  get candidateCount(): number {
    return this.#candidates.count;
  }

  /** Tests that are likely left, and at most while all commits can be tested. */
  testsLeft(): { likely: number; atMost: number } {
    if (this.#state !== 'running') return { likely: 0, atMost: 0 };
    const first = this.#isReproduced ? 0 : 1;
    const atMost = first + Math.max(1, Math.min(this.#testsLeft, this.#candidates.count));
    return { likely: Math.min(atMost, first + Math.max(1, Math.round(this.#candidates.entropy()))), atMost };
  }

  /** Full hash of the commit to test next; null when the search has ended. */
  next(): string | null {
    if (this.#state !== 'running') return null;
    if (!this.#isReproduced) return this.#range.oids[0]!;
    if (this.#candidates.count === 1) return this.#nextOuterParent();
    const chosen = this.#untestable.size > MAX_UNTESTABLE ? null : this.#choose();
    if (chosen === null) this.#state = 'inconclusive';
    return chosen === null ? null : this.#range.oids[chosen]!;
  }

  /** Records the outcome of a commit. Those that decide nothing any more are ignored. */
  record(oid: string, outcome: RunOutcome): void {
    if (this.#state !== 'running') return;
    const commit = this.#numbers.get(oid);
    if (commit === undefined) this.#recordOuter(oid, outcome);
    else if (!this.#isReproduced) this.#recordBadEnd(commit, outcome);
    else if (this.#candidates.has(commit)) this.#recordCandidate(commit, outcome);
  }

  #choose(): number | null {
    return chooseCommit({
      candidates: this.#candidates,
      untestable: this.#untestable,
      testsLeft: this.#testsLeft,
    });
  }

  #recordBadEnd(commit: number, outcome: RunOutcome): void {
    if (commit !== 0) return;
    this.#isReproduced = outcome === 'bad';
    if (outcome !== 'bad') this.#state = outcome === 'good' ? 'bad_end_good' : 'bad_end_untestable';
  }

  #recordCandidate(commit: number, outcome: RunOutcome): void {
    if (outcome === 'skip') this.#untestable.add(commit);
    else {
      this.#testsLeft--;
      this.#candidates.narrow(commit, outcome);
      if (this.#candidates.count === 0) this.#state = 'inconclusive';
    }
  }

  #recordOuter(oid: string, outcome: RunOutcome): void {
    this.#testedOuter.set(oid, outcome);
    if (outcome === 'bad') this.#state = 'good_end_bad';
    else if (outcome === 'skip') this.#state = 'inconclusive';
  }

  /** The last proof: a parent outside the range of the only candidate, which was assumed to be good. */
  #nextOuterParent(): string | null {
    const outer = this.#range.outerParents[this.#candidates.head]!;
    const untested = outer.find((oid) => !this.#testedOuter.has(oid));
    if (untested === undefined) this.#state = 'found';
    return untested ?? null;
  }
}
