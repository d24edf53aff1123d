import type { Text } from '@codemirror/state';
import type { Analysis } from '#contract/analysis.ts';
import type { FileContent, TextEncoding } from '#contract/ide.ts';
import type { LineEnding } from './line-endings.ts';

/**
 * Reason that a file can't be changed: the server's; `revision` where a past one is read; `large` and `image` for what is shown
 * without an editor.
 */
export type ReadOnlyReason = NonNullable<FileContent['read_only']> | 'revision' | 'large' | 'image';

/** An open file. Its text is in the editor's document; images and large files have none. */
export interface EditorTab {
  path: string;
  /** Commit that the text is based on; null for a new file. */
  base: string | null;
  /** Last loaded or saved text; null for a new file. */
  saved: Text | null;
  ends: LineEnding;
  savedEnds: LineEnding;
  encoding: TextEncoding;
  language: string;
  readOnly: ReadOnlyReason | null;
  dirty: boolean;
  /** The next file that is only looked at takes its place. */
  isPreview: boolean;
  /** The text was recovered from a draft. */
  recovered: boolean;
  /** An applied patch is not saved yet. */
  patched: boolean;
  /** Incremented when another document replaces the displayed one. */
  version: number;
  analysis: Analysis | null;
}

/** A failed operation. */
export interface EditorFailure {
  id: number;
  /** Path of the file; null for the whole editor. */
  path: string | null;
  message: string;
}

/** A save conflict with the current content of a branch. */
export interface Conflict {
  path: string;
  /** Branch of the save; null for the working branch without a name. */
  branch: string | null;
  /** `branch_deleted`: the edited branch is gone; `other_branch`: the save names another one than that which is edited. */
  kind: 'changed' | 'deleted' | 'branch_deleted' | 'other_branch';
  /** Text that both versions began with; null where it can't be read. */
  base: string | null;
  theirs: string;
  /** Commit of `theirs`; null when the file is not there. */
  commit: string | null;
  /** The merged text is saved at once, or stays in the editor for a commit with other files. */
  next: 'save' | 'edit';
}

/** Lines to select, from 1. */
export interface LineSpan {
  from: number;
  to: number;
}

/** `c.js` of `a/b/c.js`. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True for a path that is this one, or lies in this folder. */
export function isWithin(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

/** Path of a file after a file or folder was moved; other paths stay. */
export function movedPath(path: string, from: string, to: string): string {
  return isWithin(path, from) ? to + path.slice(from.length) : path;
}

/** True for a file whose text is in the editor. */
export function hasText({ readOnly }: EditorTab): boolean {
  return readOnly !== 'large' && readOnly !== 'image';
}
