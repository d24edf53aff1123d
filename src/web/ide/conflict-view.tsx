import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { baseExtensions } from './editor-state.ts';
import type { Conflict, EditorTab } from './editor-tab.ts';
import { serializeDocument } from './line-endings.ts';

interface ConflictViewProps {
  tab: EditorTab;
  conflict: Conflict;
  /** The reader's own version. */
  mine: string;
  saving: boolean;
  onSave: (merged: { content: string; base: string | null }) => void;
  onTake: () => void;
  onBack: () => void;
}

/** Side-by-side view of a conflict; the user's version is editable. */
export function ConflictView({ tab, conflict, mine, saving, ...on }: ConflictViewProps) {
  const { t } = useTranslation('ide');
  const place = useRef<HTMLDivElement>(null);
  const edited = useRef<EditorView | null>(null);
  const { theirs, commit } = conflict;
  const { ends } = tab;
  const labels = { theirs: t('conflict.theirs'), mine: t('conflict.mine') };
  const unchanged = t('commit.unchanged');

  useEffect(() => {
    const parent = place.current!;
    const side = (label: string) => [
      lineNumbers(),
      EditorView.lineWrapping,
      EditorState.phrases.of({ '$ unchanged lines': unchanged }),
      baseExtensions(ends, label),
    ];
    // Unified view on narrow screens.
    if (parent.clientWidth < 640) {
      const extensions = [side(labels.mine), unifiedMergeView({ original: theirs, mergeControls: false })];
      const view = new EditorView({ parent, doc: mine, extensions });
      edited.current = view;
      return () => view.destroy();
    }
    const view = new MergeView({
      parent,
      a: { doc: theirs, extensions: [side(labels.theirs), EditorState.readOnly.of(true)] },
      b: { doc: mine, extensions: side(labels.mine) },
      gutter: true,
      collapseUnchanged: {},
    });
    edited.current = view.b;
    return () => view.destroy();
  }, [theirs, mine, ends, labels.theirs, labels.mine, unchanged]);

  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface">
      <div className="flex flex-col gap-2 border-b border-border p-3">
        <Notice kind="error">
          {commit ? t('conflict.changed', { commit: commit.slice(0, 7) }) : t('conflict.deleted')}
        </Notice>
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            loading={saving}
            onClick={() =>
              on.onSave({ content: serializeDocument(edited.current!.state.doc, ends), base: commit })
            }
          >
            {t('conflict.save_mine')}
          </Button>
          <Button onClick={on.onTake}>{t('conflict.take_theirs')}</Button>
          <Button kind="ghost" onClick={on.onBack}>
            {t('conflict.back')}
          </Button>
        </div>
        <div className="hidden grid-cols-2 gap-4 text-sm font-semibold sm:grid">
          <span>{labels.theirs}</span>
          <span>{labels.mine}</span>
        </div>
      </div>
      <div ref={place} className="min-h-0 flex-1 overflow-auto" />
    </div>
  );
}
