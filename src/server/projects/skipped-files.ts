import type { CodeTable } from '#memory/repository-index.ts';
import { paginate } from '../project-data/commit-list.ts';

/** Lists a page of the files excluded from the index; empty before the code is indexed. */
export function listSkippedFiles(code: CodeTable | null, page: { skip: number; limit: number }) {
  const { items, ...rest } = paginate(code?.skippedCount ?? 0, page, (index) => code!.skipped(index));
  return { files: items, ...rest };
}
