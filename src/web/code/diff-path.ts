import type { FileDiff } from '#contract/projects.ts';

/** Path of a changed file: the new one, or the old one of a deleted file. */
export const pathOf = (file: FileDiff) => file.new_path ?? file.old_path ?? '';

/** Fragment of a file's changes. */
export function diffAnchor(path: string): string {
  return `diff-${encodeURIComponent(path)}`;
}
