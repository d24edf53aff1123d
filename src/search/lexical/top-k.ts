/** A document number and its score. */
export interface ScoredDoc {
  readonly doc: number;
  readonly score: number;
}

/** The `limit` documents with the highest scores. Equal scores keep the order of the document numbers. */
export class TopK {
  readonly #limit: number;
  /** A min-heap once it is full: its root is the lowest of the best. */
  readonly #heap: ScoredDoc[] = [];
  /** Lower scores cannot enter. */
  threshold: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.threshold = limit > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  push(doc: number, score: number): void {
    if (!(score >= this.threshold)) return;
    const heap = this.#heap;
    const scored = { doc, score };
    if (heap.length < this.#limit) {
      heap.push(scored);
      if (heap.length < this.#limit) return;
      heap.sort(compareAscending);
    } else {
      if (compareAscending(scored, heap[0]!) < 0) return;
      heap[0] = scored;
      siftDown(heap);
    }
    this.threshold = heap[0]!.score;
  }

  /** Best first. No document can be pushed afterwards. */
  sorted(): ScoredDoc[] {
    return this.#heap.sort(compareAscending).reverse();
  }
}

/** The `limit` best of some documents, best first. */
export function selectTopK(
  docs: Iterable<number>,
  score: (doc: number) => number,
  limit: number,
): ScoredDoc[] {
  const top = new TopK(limit);
  for (const doc of docs) top.push(doc, score(doc));
  return top.sorted();
}

function compareAscending(a: ScoredDoc, b: ScoredDoc): number {
  return a.score - b.score || b.doc - a.doc;
}

/** Restores the heap after its root was replaced. A sorted array is a heap already, so nothing else is needed. */
function siftDown(heap: ScoredDoc[]): void {
  const moved = heap[0]!;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && compareAscending(heap[child + 1]!, heap[child]!) < 0) child++;
    if (compareAscending(heap[child]!, moved) >= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = moved;
}
