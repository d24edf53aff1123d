import { type Groups, valuesOf } from '../../bytes/groups.ts';

/**
 * Sorts the commits that `heads` reach as `git log --date-order`: none before all of its children, otherwise by
 * committer time, newest first; among equals, the one that became ready first. `parents` groups parents by commit;
 * unknown ones are ignored.
 */
export function sortByDate(parents: Groups, committed: Uint32Array, heads: readonly number[]): Uint32Array {
  const { children, count } = countChildren(parents, heads);
  const order = new Uint32Array(count);
  const ready = new CommitHeap(committed);
  for (const head of new Set(heads)) if (children[head] === 0) ready.push(head);
  for (let at = 0; at < count; at++) {
    const commit = ready.pop();
    order[at] = commit;
    for (const parent of valuesOf(parents, commit)) {
      if (parent < children.length && --children[parent]! === 0) ready.push(parent);
    }
  }
  return order;
}

/** Counts the reachable children of every commit, and the reachable commits. */
function countChildren(parents: Groups, heads: readonly number[]): { children: Uint32Array; count: number } {
  const children = new Uint32Array(parents.starts.length - 1);
  const reached = new Uint8Array(children.length);
  const open = [...new Set(heads)];
  for (const head of open) reached[head] = 1;
  let count = open.length;
  for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
    for (const parent of valuesOf(parents, commit)) {
      if (parent >= children.length) continue;
      children[parent]!++;
      if (reached[parent] === 1) continue;
      reached[parent] = 1;
      count++;
      open.push(parent);
    }
  }
  return { children, count };
}

/** A binary heap of commits: the newest first, among equals the one that was pushed first. */
class CommitHeap {
  readonly #commits: number[] = [];
  readonly #sequence: number[] = [];
  readonly #committed: Uint32Array;
  #pushed = 0;

  constructor(committed: Uint32Array) {
    this.#committed = committed;
  }

  push(commit: number): void {
    let at = this.#commits.length;
    this.#commits.push(commit);
    this.#sequence.push(this.#pushed++);
    while (at > 0 && this.#isBefore(at, (at - 1) >>> 1)) {
      this.#swap(at, (at - 1) >>> 1);
      at = (at - 1) >>> 1;
    }
  }

  /** Removes the first commit of a heap that is not empty. */
  pop(): number {
    const first = this.#commits[0]!;
    const [commit, number] = [this.#commits.pop()!, this.#sequence.pop()!];
    const size = this.#commits.length;
    if (size === 0) return first;
    this.#commits[0] = commit;
    this.#sequence[0] = number;
    for (let at = 0; ; ) {
      let next = at;
      if (at * 2 + 1 < size && this.#isBefore(at * 2 + 1, next)) next = at * 2 + 1;
      if (at * 2 + 2 < size && this.#isBefore(at * 2 + 2, next)) next = at * 2 + 2;
      if (next === at) return first;
      this.#swap(at, next);
      at = next;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#committed[this.#commits[a]!]! - this.#committed[this.#commits[b]!]!;
    return difference > 0 || (difference === 0 && this.#sequence[a]! < this.#sequence[b]!);
  }

  #swap(a: number, b: number): void {
    [this.#commits[a], this.#commits[b]] = [this.#commits[b]!, this.#commits[a]!];
    [this.#sequence[a], this.#sequence[b]] = [this.#sequence[b]!, this.#sequence[a]!];
  }
}
