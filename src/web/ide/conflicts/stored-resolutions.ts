import type { BranchConflict, ConflictResolution } from '#contract/branch-updates.ts';
import type { ConflictRange } from './conflict-ranges.ts';

/** The reader's work on a file that conflicts. */
export interface FileProgress {
  /** Whole file of one side, a deletion, or the text. */
  choice: 'ours' | 'theirs' | 'text';
  /** Text with line feeds, and the conflicts in it. */
  text: string;
  ranges: readonly ConflictRange[];
  isResolved: boolean;
}

/** Work on the conflicts of one operation, kept in this browser until it is finished. */
export interface StoredWork {
  /** Resolutions of the commits that a rebase has passed, and the commit on which it replays them. */
  passed: ConflictResolution[];
  onto: string;
  /** Progress by the versions of the file that it belongs to. */
  files: Record<string, FileProgress>;
}

/** Key of a file by its path and versions: the same conflict has it again, also after the branch has moved. */
export function fileKey({ path, base, ours, theirs }: BranchConflict): string {
  let hash = 0;
  for (const character of JSON.stringify([base, ours, theirs])) {
    hash = (Math.imul(hash, 31) + character.codePointAt(0)!) | 0;
  }
  return `${path} ${hash}`;
}

/** Reads the work on an operation. What was passed on top of another commit is done again. */
export function readWork(key: string, onto: string): StoredWork {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<StoredWork>;
    const passed = stored.onto === onto ? (stored.passed ?? []) : [];
    return { onto, passed, files: stored.files ?? {} };
  } catch {
    return { onto, passed: [], files: {} };
  }
}

/** Stores the work; false where the browser has no room for it. */
export function saveWork(key: string, work: StoredWork): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(work));
    return true;
  } catch {
    return false;
  }
}
