import type { CodeTable } from '#memory/memory.ts';
import { cutPage } from '../commits.ts';

/** A page of the files left out of the index; none before the code has been read. */
export function skippedPage(code: CodeTable | null, page: { skip: number; limit: number }) {
  const { items, ...rest } = cutPage(code?.skippedCount ?? 0, page, (index) => code!.skipped(index));
  return { files: items, ...rest };
}
