import { closeRemovedHunks } from './changes/change-index.ts';
import { forgetRemovedMemories } from './index/attached-indexes.ts';
import { forgetRemovedRevisions } from './index/index-revision.ts';

/**
 * Frees what this thread keeps of projects that have been deleted. A thread can't be told, so it looks whether their folders are
 * still there: a few calls to the file system for each task.
 */
export function forgetRemovedProjects(): void {
  forgetRemovedMemories();
  forgetRemovedRevisions();
  closeRemovedHunks();
}
