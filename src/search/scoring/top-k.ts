/** A document's number and what it scored. */
export interface Hit {
  readonly document: number;
  readonly score: number;
}

/** The `limit` highest scored of some documents. Equal scores keep the order of their numbers. */
export class Best {
  readonly #limit: number;
  /** A heap whose root is the worst one kept, as soon as it is full. */
  readonly #heap: Hit[] = [];
  /** What scores less need not be offered. */
  least: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.least = limit > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  offer(document: number, score: number): void {
    if (!(score >= this.least)) return;
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
    this.least = heap[0]!.score;
  }

  /** Best first. Ends the offers. */
  hits(): Hit[] {
    return this.#heap.sort(worstFirst).reverse();
  }
}

/** The same of all of some documents. */
export function best(documents: Iterable<number>, score: (document: number) => number, limit: number): Hit[] {
  const kept = new Best(limit);
  for (const document of documents) kept.offer(document, score(document));
  return kept.hits();
}

function worstFirst(a: Hit, b: Hit): number {
  return a.score - b.score || b.document - a.document;
}

/** Moves the root down until neither child is worse. A sorted array is a heap, so this is all there is to it. */
function sink(heap: Hit[]): void {
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
