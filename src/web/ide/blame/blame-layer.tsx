import type { EditorView } from '@codemirror/view';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { BlameRun } from '#contract/code.ts';
import { useTranslation } from '../../i18n.ts';
import { useNow } from '../../parts/use-now.ts';
import { useEditorSettings } from '../editor-settings.ts';
import { blameCompartment } from '../editor-state.ts';
import type { EditorTab } from '../editor-tab.ts';
import { blameGutter } from './blame-gutter.ts';
import { ChangeCard } from './change-card.tsx';
import { useBlame } from './use-blame.ts';

interface BlameLayerProps {
  view: EditorView | null;
  tab: EditorTab;
  projectId: string;
}

/** Gutter of last changes, with a card about the change below the pointer. */
export function BlameLayer({ view, tab, projectId }: BlameLayerProps) {
  const { t, i18n } = useTranslation('editor');
  const { blame } = useEditorSettings().settings;
  const now = useNow();
  const { data, error } = useBlame(projectId, tab);
  const { card, hover, keep, close } = useCard(view);
  const { saved } = tab;
  const runs = blame ? data?.runs : undefined;
  const { language } = i18n;
  useEffect(() => {
    if (!view) return;
    const gutter = runs && saved ? blameGutter({ runs, saved, language, now, onHover: hover }) : [];
    view.dispatch({ effects: blameCompartment.reconfigure(gutter) });
  }, [view, runs, saved, language, now, hover]);
  if (blame && error) {
    return (
      <p
        role="status"
        className="absolute right-4 bottom-2 rounded-md border border-border bg-surface px-2 py-1 text-sm"
      >
        {t('blame.failed', { message: error.message })}
      </p>
    );
  }
  if (!card) return null;
  return (
    <ChangeCard
      projectId={projectId}
      run={card.run}
      style={{ top: card.top, left: card.left }}
      onKeep={keep}
      onClose={close}
    />
  );
}

interface ShownCard {
  run: BlameRun;
  top: number;
  left: number;
}

const SHOW_AFTER_MS = 250;
const HIDE_AFTER_MS = 200;

/** Card that opens when the pointer rests on a change, and closes when it leaves both. */
function useCard(view: EditorView | null) {
  const [card, setCard] = useState<ShownCard | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wanted = useRef<BlameRun | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  const hover = useCallback(
    (run: BlameRun | null, top: number) => {
      if (run === wanted.current) return;
      wanted.current = run;
      clearTimeout(timer.current);
      if (!run || !view) {
        timer.current = setTimeout(() => setCard(null), HIDE_AFTER_MS);
        return;
      }
      timer.current = setTimeout(() => {
        const frame = view.dom.getBoundingClientRect();
        const gutter = view.dom.querySelector('.cm-blame')?.getBoundingClientRect();
        const left = Math.min((gutter?.right ?? frame.left) - frame.left + 8, Math.max(8, frame.width - 400));
        setCard({ run, left, top: Math.max(8, Math.min(top - frame.top, frame.height - 220)) });
      }, SHOW_AFTER_MS);
    },
    [view],
  );
  return {
    card,
    hover,
    /** The pointer is on the card, or has left it. */
    keep: (isInside: boolean) => {
      clearTimeout(timer.current);
      if (!isInside) timer.current = setTimeout(() => setCard(null), HIDE_AFTER_MS);
    },
    close: () => setCard(null),
  };
}
