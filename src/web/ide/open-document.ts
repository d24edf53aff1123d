import type { EditorState } from '@codemirror/state';
import type { FileContent } from '#contract/ide.ts';
import type { DraftStore } from './drafts.ts';
import { createEditorState } from './editor-state.ts';
import type { EditorTab, ReadOnlyReason } from './editor-tab.ts';
import { detectLineEnding } from './line-endings.ts';
import { editTo } from './saved-text.ts';

/** A file as it is shown: the reply of the server, or one that is not stored yet. */
export type ShownFile = Pick<FileContent, 'path' | 'content'> &
  Partial<Pick<FileContent, 'encoding' | 'language'>> & { read_only: ReadOnlyReason | null };

interface OpenDocumentOptions {
  /** Commit of the content; null for a new file. */
  base: string | null;
  /** Transforms the text; null leaves it unchanged. */
  edit: (text: string) => string | null;
  drafts: DraftStore;
  phrases: Record<string, string>;
}

/** Creates the document of a file and what its tab shows; a draft takes precedence over the content. */
export function openDocument(
  file: ShownFile,
  { base, edit, drafts, phrases }: OpenDocumentOptions,
): { state: EditorState; tab: Omit<EditorTab, 'version' | 'isPreview'> } {
  const { path, content, read_only: readOnly } = file;
  const draft = readOnly === null ? drafts.read(path) : null;
  const recovered = draft !== null && draft.content !== content;
  // What was typed has been saved since, elsewhere or before the reply arrived.
  if (draft !== null && !recovered && base !== null) drafts.remove(path);
  const text = recovered ? draft.content : content;
  const edited = readOnly === null ? edit(text) : null;
  const draftBase = recovered ? draft.base : base;
  if (edited !== null) drafts.save(path, { content: edited, base: draftBase });
  const ends = detectLineEnding(edited ?? text);
  const options = { content, ends, readOnly: readOnly !== null, label: path, phrases };
  const original = createEditorState(options);
  return {
    // One change, so that undo leads back to the saved text and the cursor goes where the text differs.
    state: original.update(editTo(original, edited ?? text)).state,
    tab: {
      path,
      base: draftBase,
      saved: base === null ? null : original.doc,
      ends,
      savedEnds: detectLineEnding(content),
      encoding: file.encoding ?? 'utf-8',
      language: file.language ?? '',
      readOnly,
      dirty: recovered || edited !== null || base === null,
      recovered,
      patched: edited !== null,
      analysis: null,
    },
  };
}
