import type { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from '../../i18n.ts';
import { changesCompartment } from '../editor-state.ts';
import { type EditorTab, hasText } from '../editor-tab.ts';

/** Marks unsaved changes beside the lines, or shows them between the lines. The script is loaded after the text is there. */
export function useChangeMarks(
  view: EditorView | null,
  tab: EditorTab,
  { isShown, onShow }: { isShown: boolean; onShow: () => void },
): void {
  const { t } = useTranslation('editor');
  const { saved } = tab;
  const isMarked = hasText(tab) && tab.readOnly === null;
  const discard = t('changes.discard_lines');
  const show = useEffectEvent(onShow);
  useEffect(() => {
    if (!view || !saved || !isMarked) return;
    let isCurrent = true;
    import('./change-marks.ts').then(
      ({ changeGutter, inlineChanges }) => {
        if (!isCurrent) return;
        const marks = isShown ? inlineChanges(saved, { discard }) : changeGutter(saved, () => show());
        view.dispatch({ effects: changesCompartment.reconfigure(marks) });
      },
      // Without the script, changes are not marked.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [view, saved, isMarked, isShown, discard]);
}
