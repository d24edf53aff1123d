import type { Text } from '@codemirror/state';
import type { Analysis, FileContent } from '#contract/ide.ts';
import type { LineEnding } from './line-endings.ts';

/** A file in the editor. Its text lives beside it, in the editor's own document. */
export interface EditorTab {
  path: string;
  /** The commit that the text began from; null for a file that is not there yet. */
  base: string | null;
  /** The text as it was last read or saved; null for a file that is not there yet. */
  saved: Text | null;
  ends: LineEnding;
  readOnly: FileContent['read_only'];
  dirty: boolean;
  /** The text is a draft of an earlier visit. */
  recovered: boolean;
  /** A patch was put into it that is not saved. */
  patched: boolean;
  /** Goes up when another document takes the place of the one that is shown. */
  version: number;
  analysis: Analysis | null;
}

/** What could not be done, as it is shown. */
export interface EditorFailure {
  id: number;
  /** The file, or null when it is about the whole editor. */
  path: string | null;
  message: string;
}

/** A save that met another: what is on the branch now. */
export interface Conflict {
  path: string;
  theirs: string;
  /** The commit that `theirs` stands at; null when the file is gone there. */
  commit: string | null;
}

/** `c.js` of `a/b/c.js`. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
