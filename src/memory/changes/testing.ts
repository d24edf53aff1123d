import type { ChangeIndex } from './change-index.ts';
import { END_OF_POSTINGS, HunkCursor } from './hunk-postings.ts';
import { termKey } from './term-keys.ts';

/** Lists the changes of a term as `hash path -old +new side`, sorted, for tests. */
export function findTermChanges(hunks: ChangeIndex, term: string): string[] {
  const found: string[] = [];
  for (const block of hunks.blocks) {
    const postings = block.term(termKey(term))?.postings;
    if (!postings) continue;
    for (const cursor = new HunkCursor(postings); cursor.hunk !== END_OF_POSTINGS; cursor.next()) {
      const { oid, path, oldStart, oldLines, newStart, newLines } = block.locate(cursor.hunk);
      const where = `${oid} ${path} -${oldStart},${oldLines} +${newStart},${newLines}`;
      if (cursor.added > 0) found.push(`${where} added`);
      if (cursor.removed > 0) found.push(`${where} removed`);
    }
  }
  return found.sort();
}
