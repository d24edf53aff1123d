/** A document's number and what it scored. */
export interface Hit {
  readonly document: number;
  readonly score: number;
}

/**
 * The `limit` highest scored of some documents, best first, by a heap whose root is the worst one kept.
 * Equal scores keep the order of their numbers.
 */
export function best(documents: Iterable<number>, score: (document: number) => number, limit: number): Hit[] {
  const heap: Hit[] = [];
  for (const document of documents) {
    const found = score(document);
    if (heap.length < limit) {
      heap.push({ document, score: found });
      if (heap.length === limit) heap.sort(worstFirst);
    } else if (limit > 0 && found >= heap[0]!.score) {
      const hit = { document, score: found };
      if (worstFirst(hit, heap[0]!) < 0) continue;
      heap[0] = hit;
      sink(heap);
    }
  }
  return heap.sort(worstFirst).reverse();
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
