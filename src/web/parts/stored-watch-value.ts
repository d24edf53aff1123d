import { trimWatchPath } from '#contract/watch-path.ts';
import type { WatchKind } from '#contract/watches.ts';

/** Value of a watch as the server stores it: trimmed, a path without slashes at its ends. */
export function storedWatchValue({ kind, value }: { kind: WatchKind; value: string }): string {
  const trimmed = value.trim();
  return kind === 'path' ? trimWatchPath(trimmed) : trimmed;
}
