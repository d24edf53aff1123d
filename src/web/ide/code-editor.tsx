import type { Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type MouseEvent, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { lazyComponent } from '../lazy-component.tsx';
import { loadCodeLanguage } from '../parts/code-languages.ts';
import { useChangeMarks } from './changes/use-change-marks.ts';
import { useEditorSettings } from './editor-settings.ts';
import { languageCompartment, setEditorLabel } from './editor-state.ts';
import type { EditorTab } from './editor-tab.ts';
import { loadSettingsExtension, settingsCompartment } from './settings-extension.ts';
import { useEditingAids } from './use-editing-aids.ts';
import type { Workspace } from './use-workspace.ts';

const BlameLayer = lazyComponent(() => import('./blame/blame-layer.tsx').then((module) => module.BlameLayer));

interface CodeEditorProps {
  tab: EditorTab;
  pane: 0 | 1;
  workspace: Workspace;
  /** Differences from the saved text, which are shown between the lines on demand. */
  changes: { isShown: boolean; show: (isShown: boolean) => void };
  onDefinition: (name: string) => void;
}

/** Editor of one document; each document retains its history and selection. */
export function CodeEditor({ tab, pane, workspace, changes, onDefinition }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const { path, version } = tab;
  const { views } = workspace;
  const current = useEffectEvent(() => workspace.documentOf(path)!);
  const updated = useEffectEvent((editor: EditorView, transactions: readonly Transaction[]) => {
    // A view that was closed no longer speaks for its document.
    if (views.current[pane] !== editor || workspace.isMirrored(transactions)) return;
    workspace.change(path, editor.state);
    workspace.mirror(editor, transactions);
  });
  const shown = useEffectEvent((editor: EditorView) => {
    if (workspace.focused === pane) workspace.cursor.set(editor.state);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` says that another document took this path.
  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      state: current(),
      dispatchTransactions: (transactions, target) => {
        target.update(transactions);
        updated(target, transactions);
      },
    });
    views.current[pane] = editor;
    setEditorLabel(editor, path);
    setView(editor);
    shown(editor);
    const { head } = editor.state.selection.main;
    if (head > 0) editor.dispatch({ effects: EditorView.scrollIntoView(head, { y: 'center' }) });
    let isShown = true;
    let endReading: (() => void) | null = null;
    loadCodeLanguage(path)
      ?.then((language) => {
        if (isShown) editor.dispatch({ effects: languageCompartment.reconfigure(language) });
        return import('./editing-aids.ts');
      })
      .then(
        ({ readAhead }) => {
          if (isShown) endReading = readAhead(editor);
        },
        // A file whose language fails to load is plain text.
        () => {},
      );
    return () => {
      isShown = false;
      endReading?.();
      if (views.current[pane] === editor) views.current[pane] = null;
      setView(null);
      editor.destroy();
    };
  }, [path, version, pane, views]);
  useSettings(view);
  useChangeMarks(view, tab, { isShown: changes.isShown, onShow: () => changes.show(true) });
  useEditingAids(view, path, workspace);

  const { blame } = useEditorSettings().settings;
  const [hasBlame, setHasBlame] = useState(blame);
  // Its script is loaded once blame is shown, and takes it away again.
  if (blame && !hasBlame) setHasBlame(true);

  const goToDefinition = (event: MouseEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.button !== 0 || !view) return;
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
    const word = at === null ? null : view.state.wordAt(at);
    if (!word) return;
    event.preventDefault();
    event.stopPropagation();
    onDefinition(view.state.sliceDoc(word.from, word.to));
  };
  return (
    <div className="relative h-full min-h-0">
      {/* The keyboard has F12. */}
      <div
        ref={place}
        className="h-full min-h-0"
        onMouseDownCapture={goToDefinition}
        onFocusCapture={() => workspace.focusPane(pane)}
      />
      {hasBlame && (
        <Suspense>
          <BlameLayer view={view} tab={tab} projectId={workspace.project.id} />
        </Suspense>
      )}
    </div>
  );
}

/** Applies the settings; those of key bindings arrive with their script. */
function useSettings(view: EditorView | null): void {
  const { settings } = useEditorSettings();
  useEffect(() => {
    if (!view) return;
    let isCurrent = true;
    loadSettingsExtension(settings).then(
      (extension) => isCurrent && view.dispatch({ effects: settingsCompartment.reconfigure(extension) }),
      // Without the script of the key bindings, those of this editor stay.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [view, settings]);
}
