import { useEffect, useRef, useState } from 'react';
import type { FixedLines } from '#contract/analysis.ts';
import type { DebugEvents } from '#contract/debug.ts';
import { api } from '../../api.ts';
import type { Workspace } from '../use-workspace.ts';
import { useFileRisks } from './use-file-risks.ts';
import { useFindingMarks } from './use-finding-marks.ts';
import { useIgnoredFindings } from './use-ignored-findings.ts';
import { textsToCheck, useLiveCheck } from './use-live-check.ts';

const NO_LINES: FixedLines[] = [];

/** Progress step of an analysis. */
export type AnalysisStep = DebugEvents['step']['step'];

/** Analysis of the file with the focus. */
export type FileAnalysis = ReturnType<typeof useAnalysis>;

/** Checks the displayed file as it is typed, and explains it, or a given error, on demand. */
export function useAnalysis(workspace: Workspace) {
  const [isOpen, setOpen] = useState(false);
  const [chosenFix, setChosenFix] = useState<string | null>(null);
  const live = useLiveCheck(workspace);
  const risks = useFileRisks(workspace, isOpen);
  const ignored = useIgnoredFindings(workspace.project.id);
  const asking = useQuestion(workspace, live.accept);
  const path = workspace.tab?.path ?? '';
  const findings = live.current.check?.errors ?? [];
  const shown = findings.filter((one) => !ignored.has(path, one));
  useFindingMarks(workspace, {
    check: live.current.check,
    findings: shown,
    fixedLines: risks.data?.fixed_lines ?? NO_LINES,
    onChange: live.changed,
    onFixes(key) {
      setOpen(true);
      setChosenFix(key);
    },
  });
  return {
    ...asking,
    isOpen,
    setOpen,
    /** Key of the finding whose fixes are shown. */
    chosenFix,
    chooseFix: setChosenFix,
    check: live.current,
    retry: live.retry,
    findings: shown,
    ignoredCount: findings.length - shown.length,
    ignored,
    risks,
    analyze(error: string) {
      setOpen(true);
      void asking.ask(error);
    },
  };
}

/** Asks for the explanation of a file or of an error. */
function useQuestion(workspace: Workspace, accept: ReturnType<typeof useLiveCheck>['accept']) {
  const [step, setStep] = useState<AnalysisStep | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const ask = async (errorMessage: string) => {
    const path = workspace.tab?.path;
    const texts = path && step === null ? textsToCheck(workspace, path) : null;
    if (!path || !texts) return;
    const ending = new AbortController();
    controller.current = ending;
    setStep('retrieving');
    const onEvent = (name: string, data: unknown) => {
      if (name === 'step') setStep((data as DebugEvents['step']).step);
    };
    const question = { error_message: errorMessage, additional_context: '', use_reference_pack: true };
    try {
      const input = { params: texts.params, body: { ...texts.body, ...question } };
      const analysis = await api('POST /ide/projects/:id/debug/ide', input, {
        signal: ending.signal,
        onEvent,
      });
      workspace.patch(path, { analysis });
      accept(path, analysis);
    } catch (error) {
      if (!ending.signal.aborted) workspace.reportFailure(path, error);
    } finally {
      setStep(null);
    }
  };
  return { step, ask, stop: () => controller.current?.abort() };
}
