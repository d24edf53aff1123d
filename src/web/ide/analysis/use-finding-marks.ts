import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Check, Diagnostic, FixedLines } from '#contract/analysis.ts';
import { useTranslation } from '../../i18n.ts';
import { analysisCompartment, findingsCompartment } from '../editor-state.ts';
import type { Workspace } from '../use-workspace.ts';
import { findingKey } from './use-ignored-findings.ts';

interface FindingMarks {
  /** Reply with the findings. */
  check: Check | null;
  findings: readonly Diagnostic[];
  fixedLines: readonly FixedLines[];
  onChange: (path: string) => void;
  /** Shows the fixes of a finding. */
  onFixes: (key: string) => void;
}

type Marker = typeof import('./finding-marks.ts');

/** Script of the marks; null until it is there. */
function useMarker(): Marker | null {
  const [marker, setMarker] = useState<Marker | null>(null);
  useEffect(() => {
    // Without the script, the panel lists the findings.
    import('./finding-marks.ts').then(setMarker, () => {});
  }, []);
  return marker;
}

interface TextHandlers {
  /** The text has changed. */
  onChange: () => void;
  /** Shows the quick fixes of the line of the cursor. */
  onFixes: (line: number) => void;
}

/** Listens to the text, and opens the quick fixes by Ctrl-. or ⌘-. */
function analysisExtension({ onChange, onFixes }: TextHandlers): Extension {
  return [
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
    Prec.high(
      keymap.of([
        {
          key: 'Mod-.',
          run({ state }) {
            onFixes(state.doc.lineAt(state.selection.main.head).number);
            return true;
          },
        },
      ]),
    ),
  ];
}

/** Marks the findings in the text with the focus, and tells of its changes. */
export function useFindingMarks(workspace: Workspace, marks: FindingMarks): void {
  const { t } = useTranslation('analysis');
  const { tab, dispatch, focused } = workspace;
  const path = tab?.path;
  const marker = useMarker();
  const changed = useEffectEvent(() => path !== undefined && marks.onChange(path));
  const openFixes = useEffectEvent((line: number) => {
    const found = marks.findings.find((one) => one.line === line && one.fixes?.length);
    if (found) marks.onFixes(findingKey(found));
  });
  const mark = useEffectEvent(() => {
    const state = path === undefined ? undefined : workspace.documentOf(path);
    if (!state || path === undefined || !marker) return;
    const words = {
      fixes: t('fix.show'),
      fixedBefore: ({ subject, hash }: FixedLines) =>
        t('history.fixed_mark', { subject, hash: hash.slice(0, 7) }),
    };
    const saved = tab?.saved ?? null;
    dispatch(path, marker.markFindings(state, { ...marks, saved, words }));
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` and `focused` say that another view shows this path.
  useEffect(() => {
    if (path === undefined) return;
    const extension = analysisExtension({ onChange: () => changed(), onFixes: (line) => openFixes(line) });
    dispatch(path, { effects: analysisCompartment.reconfigure(extension) });
  }, [path, tab?.version, focused]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` and `focused` say that another view shows this path.
  useEffect(() => {
    if (path === undefined || !marker) return;
    dispatch(path, { effects: findingsCompartment.reconfigure(marker.findingsExtension()) });
  }, [path, tab?.version, focused, marker]);

  const { check, findings, fixedLines } = marks;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is marked changes with these, read when it is marked.
  useEffect(() => mark(), [path, tab?.version, check, findings.length, fixedLines, marker]);
}
