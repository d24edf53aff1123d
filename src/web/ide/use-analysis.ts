import { setDiagnostics } from '@codemirror/lint';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import type { DebugEvents } from '#contract/debug.ts';
import type { Diagnostic } from '#contract/ide.ts';
import { api } from '../api.ts';
import { offsetOf, toEditorDiagnostics } from './editor-state.ts';
import type { Workspace } from './use-workspace.ts';

/** Progress step of an analysis. */
export type AnalysisStep = DebugEvents['step']['step'];

/** Analyzes the displayed file: issues in the list and the gutter, and a solution. */
export function useAnalysis(workspace: Workspace) {
  const [step, setStep] = useState<AnalysisStep | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const analyzing = step !== null;
  const { project, tab, view } = workspace;

  const analyze = async (errorMessage: string) => {
    if (!tab || analyzing) return;
    const { path } = tab;
    const signalSource = new AbortController();
    controller.current = signalSource;
    setStep('retrieving');
    const onEvent = (name: string, data: unknown) => {
      if (name === 'step') setStep((data as DebugEvents['step']).step);
    };
    try {
      const analysis = await api(
        'POST /ide/projects/:id/debug/ide',
        {
          params: { id: project.id },
          body: {
            code: workspace.textOf(tab),
            file_path: path,
            error_message: errorMessage,
            additional_context: '',
            use_reference_pack: true,
          },
        },
        { signal: signalSource.signal, onEvent },
      );
      workspace.patch(path, { analysis });
      mark(path, analysis.errors);
    } catch (error) {
      if (!signalSource.signal.aborted) workspace.reportFailure(path, error);
    } finally {
      setStep(null);
    }
  };

  /** Sets the diagnostics in the view, or in the stored state of a hidden document. */
  const mark = (path: string, findings: Diagnostic[]) => {
    const state = workspace.documentOf(path);
    if (!state) return;
    const shown = view.current?.state === state ? view.current : null;
    const transaction = setDiagnostics(state, toEditorDiagnostics(findings, state.doc));
    if (shown) shown.dispatch(transaction);
    else workspace.change(path, state.update(transaction).state);
  };

  const goTo = ({ line, column }: Diagnostic) => {
    const editor = view.current;
    if (!editor) return;
    const at = offsetOf(editor.state.doc, line, column ?? 1);
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    editor.focus();
  };

  return { analyzing, step, analyze, stop: () => controller.current?.abort(), goTo };
}
