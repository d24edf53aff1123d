import type { CodeTable } from '#memory/repository-index.ts';
import { cutPage } from '../project-data/commit-list.ts';

/** A page of the files left out of the index; none before the code has been read. */
export function listSkippedFiles(code: CodeTable | null, page: { skip: number; limit: number }) {
  const { items, ...rest } = cutPage(code?.skippedCount ?? 0, page, (index) => code!.skipped(index));
  return { files: items, ...rest };
}
