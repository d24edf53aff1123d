import { useEffect, useEffectEvent } from 'react';
import type { Check, Diagnostic, FixedLines } from '#contract/analysis.ts';
import { useTranslation } from '../../i18n.ts';
import { analysisCompartment } from '../editor-state.ts';
import type { Workspace } from '../use-workspace.ts';
import { analysisExtension, markFindings } from './finding-marks.ts';
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

/** Marks the findings in the text with the focus, and tells of its changes. */
export function useFindingMarks(workspace: Workspace, marks: FindingMarks): void {
  const { t } = useTranslation('analysis');
  const { tab, dispatch, focused } = workspace;
  const path = tab?.path;
  const changed = useEffectEvent(() => path !== undefined && marks.onChange(path));
  const openFixes = useEffectEvent((line: number) => {
    const found = marks.findings.find((one) => one.line === line && one.fixes?.length);
    if (found) marks.onFixes(findingKey(found));
  });
  const mark = useEffectEvent(() => {
    const state = path === undefined ? undefined : workspace.documentOf(path);
    if (!state || path === undefined) return;
    const words = {
      fixes: t('fix.show'),
      fixedBefore: ({ subject, hash }: FixedLines) =>
        t('history.fixed_mark', { subject, hash: hash.slice(0, 7) }),
    };
    const saved = tab?.saved ?? null;
    dispatch(path, markFindings(state, { ...marks, saved, words }));
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` and `focused` say that another view shows this path.
  useEffect(() => {
    if (path === undefined) return;
    const extension = analysisExtension({ onChange: () => changed(), onFixes: (line) => openFixes(line) });
    dispatch(path, { effects: analysisCompartment.reconfigure(extension) });
  }, [path, tab?.version, focused]);

  const { check, findings, fixedLines } = marks;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is marked changes with these, read when it is marked.
  useEffect(() => mark(), [path, tab?.version, check, findings.length, fixedLines]);
}
