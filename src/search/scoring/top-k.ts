/** A document's number and what it scored. */
export interface ScoredDoc {
  readonly doc: number;
  readonly score: number;
}

/** The `limit` highest scored of some documents. Equal scores keep the order of their numbers. */
export class TopK {
  readonly #limit: number;
  /** A heap whose root is the worst one kept, as soon as it is full. */
  readonly #heap: ScoredDoc[] = [];
  /** What scores less need not be offered. */
  threshold: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.threshold = limit > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  push(document: number, score: number): void {
    if (!(score >= this.threshold)) return;
    const heap = this.#heap;
    const hit = { document, score };
    if (heap.length < this.#limit) {
      heap.push(hit);
      if (heap.length < this.#limit) return;
      heap.sort(worstFirst);
    } else {
      if (worstFirst(hit, heap[0]!) < 0) return;
      heap[0] = hit;
      sink(heap);
    }
    this.threshold = heap[0]!.score;
  }

  /** Best first. Ends the offers. */
  sorted(): ScoredDoc[] {
    return this.#heap.sort(worstFirst).reverse();
  }
}

/** The same of all of some documents. */
export function selectTopK(documents: Iterable<number>, score: (document: number) => number, limit: number): ScoredDoc[] {
  const kept = new TopK(limit);
  for (const document of documents) kept.push(document, score(document));
  return kept.sorted();
}

function worstFirst(a: ScoredDoc, b: ScoredDoc): number {
  return a.score - b.score || b.doc - a.doc;
}

/** Moves the root down until neither child is worse. A sorted array is a heap, so this is all there is to it. */
function sink(heap: ScoredDoc[]): void {
  const moved = heap[0]!;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && worstFirst(heap[child + 1]!, heap[child]!) < 0) child++;
    if (worstFirst(heap[child]!, moved) >= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = moved;
}
