import type { CommitRange } from './commit-range.ts';

/** A commit to test, and the candidates on either side of the answer. */
export interface Split {
  commit: number;
  /** Candidates that remain if it is bad: itself and its ancestors among them. */
  count: number;
  /** Their share of the probability. */
  weight: number;
}

/** Candidates up to which every commit is compared; a bit for each pair must fit into memory. */
const MAX_COMPARED = 4_096;

/** Commits that can still be the first bad one: ancestors of a bad commit and of no good one. */
export class CandidateSet {
  readonly #range: CommitRange;
  #weights: Float64Array;
  readonly #alive: Uint8Array;
  /** Number of the last walk that reached a commit. */
  readonly #reached: Uint32Array;
  #walk = 0;
  /** The bad commit whose ancestors the candidates are. */
  head = 0;
  count: number;
  weight: number;

  constructor(range: CommitRange, weights: Float64Array) {
    this.#range = range;
    this.#weights = weights;
    this.count = range.oids.length;
    this.#alive = new Uint8Array(this.count).fill(1);
    this.#reached = new Uint32Array(this.count);
    this.weight = weights.reduce((sum, one) => sum + one, 0);
  }

  /** Replaces the probabilities of all commits. */
  reweigh(weights: Float64Array): void {
    this.#weights = weights;
    this.weight = this.list().reduce((sum, one) => sum + weights[one]!, 0);
  }

  has(commit: number): boolean {
    return this.#alive[commit] === 1;
  }

  /** The candidates, newest first. */
  list(): number[] {
    return Array.from(this.#alive.keys()).filter((commit) => this.has(commit));
  }

  /** Entropy of the candidates in bits: the runs that an ideal search takes on average. */
  entropy(): number {
    let bits = 0;
    for (const commit of this.list()) {
      const share = this.#weights[commit]! / this.weight;
      if (share > 0) bits -= share * Math.log2(share);
    }
    return bits;
  }

  /** Leaves the candidates that a commit reaches, if it is bad, and those that it does not reach, if it is good. */
  narrow(commit: number, outcome: 'good' | 'bad'): void {
    this.#reach(commit, ++this.#walk);
    for (const candidate of this.list())
      if ((this.#reached[candidate] === this.#walk) !== (outcome === 'bad')) this.#alive[candidate] = 0;
    if (outcome === 'bad') this.head = commit;
    const left = this.list();
    this.count = left.length;
    this.weight = left.reduce((sum, one) => sum + this.#weights[one]!, 0);
  }

  /** The heaviest candidates. */
  heaviest(max: number): number[] {
    return this.list()
      .sort((a, b) => this.#weights[b]! - this.#weights[a]! || a - b)
      .slice(0, max);
  }

  /** Candidates among the parents of a commit. */
  parentsOf(commit: number): number[] {
    return this.#range.parents[commit]!.filter((parent) => this.has(parent));
  }

  splitAt(commit: number): Split {
    return { commit, ...this.#reach(commit, ++this.#walk) };
  }

  /**
   * Splits at the first-parent line below the bad commit. Where its first parent is known to be good, the fault came by a merge, and
   * the lines of the merged branches follow.
   */
  lineSplits(): Split[] {
    const { hasFirstParent, parents } = this.#range;
    const firstOf = (commit: number) => {
      const first = hasFirstParent[commit] ? parents[commit]![0] : undefined;
      return first !== undefined && this.has(first) ? first : undefined;
    };
    const first = firstOf(this.head);
    const starts = first === undefined ? this.parentsOf(this.head) : [first];
    return starts.flatMap((start) => {
      const line: number[] = [];
      for (let at: number | undefined = start; at !== undefined; at = firstOf(at)) line.push(at);
      const walk = ++this.#walk;
      let [count, weight] = [0, 0];
      const splits: Split[] = [];
      for (const commit of line.toReversed()) {
        const added = this.#reach(commit, walk);
        count += added.count;
        weight += added.weight;
        splits.push({ commit, count, weight });
      }
      return splits.reverse();
    });
  }

  /** Splits at every candidate but the bad commit itself; [] where they are too many to compare. */
  allSplits(): Split[] {
    if (this.count > MAX_COMPARED) return [];
    const candidates = this.list();
    const place = new Map(candidates.map((commit, at) => [commit, at]));
    const words = Math.ceil(candidates.length / 32);
    const bits = new Uint32Array(words * candidates.length);
    // A parent comes behind its children, so from the end every parent is complete before its child.
    for (let at = candidates.length - 1; at >= 0; at--) {
      bits[at * words + (at >> 5)]! |= 1 << (at & 31);
      for (const parent of this.parentsOf(candidates[at]!)) {
        const from = place.get(parent)! * words;
        for (let word = 0; word < words; word++) bits[at * words + word]! |= bits[from + word]!;
      }
    }
    return candidates.flatMap((commit, at) => {
      if (commit === this.head) return [];
      const split: Split = { commit, count: 0, weight: 0 };
      for (let other = 0; other < candidates.length; other++) {
        if (((bits[at * words + (other >> 5)]! >>> (other & 31)) & 1) === 0) continue;
        split.count++;
        split.weight += this.#weights[candidates[other]!]!;
      }
      return [split];
    });
  }

  /** Counts and weighs the candidates that a commit reaches, itself included, without those that this walk reached before. */
  #reach(start: number, walk: number): { count: number; weight: number } {
    const open = [start];
    let [count, weight] = [0, 0];
    for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
      if (!this.has(commit) || this.#reached[commit] === walk) continue;
      this.#reached[commit] = walk;
      count++;
      weight += this.#weights[commit]!;
      open.push(...this.#range.parents[commit]!);
    }
    return { count, weight };
  }
}
