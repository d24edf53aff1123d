import type { Hunks } from './change-index.ts';
import { Cursor, NO_HUNK } from './hunk-postings.ts';
import { termKey } from './term-keys.ts';

/** For tests: where a term came or went, as `hash path -old +new side`, sorted. */
export function placesOf(hunks: Hunks, term: string): string[] {
  const found: string[] = [];
  for (const block of hunks.blocks) {
    const postings = block.term(termKey(term))?.postings;
    if (!postings) continue;
    for (const cursor = new Cursor(postings); cursor.hunk !== NO_HUNK; cursor.next()) {
      const { oid, path, oldStart, oldLines, newStart, newLines } = block.place(cursor.hunk);
      const where = `${oid} ${path} -${oldStart},${oldLines} +${newStart},${newLines}`;
      if (cursor.added > 0) found.push(`${where} added`);
      if (cursor.removed > 0) found.push(`${where} removed`);
    }
  }
  return found.sort();
}
