import { closeRemovedChangeIndexes } from './changes/change-index.ts';
import { releaseRemovedIndexes } from './index/attached-indexes.ts';
import { releaseRemovedRevisions } from './index/index-revision.ts';

/**
 * Frees what this thread keeps of projects that have been deleted. A thread can't be told, so it looks whether their folders are
 * still there: a few calls to the file system for each task.
 */
export function releaseRemovedProjects(): void {
  releaseRemovedIndexes();
  releaseRemovedRevisions();
  closeRemovedChangeIndexes();
}
