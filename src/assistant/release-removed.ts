import { closeRemovedChangeIndexes } from '#memory/changes/change-index.ts';
import { releaseRemovedIndexes } from '#memory/index/attached-indexes.ts';
import { releaseRemovedRevisions } from '#memory/index/index-revision.ts';

/**
 * Releases the caches of this thread for deleted projects. Threads get no message of a deletion, so each task checks that
 * their folders still exist: a few file system calls.
 */
export function releaseRemovedProjects(): void {
  releaseRemovedIndexes();
  releaseRemovedRevisions();
  closeRemovedChangeIndexes();
}
