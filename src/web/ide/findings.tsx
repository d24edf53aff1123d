import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import type { Analysis, Diagnostic } from '#contract/ide.ts';
import { useTranslation } from '../i18n.ts';
import type { CitedLocation } from '../parts/citation.ts';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { CodeSpans, SentenceText } from '../parts/sentence-text.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Field, Textarea } from '../ui/field.tsx';
import type { EditorFailure } from './editor-tab.ts';
import type { AnalysisStep } from './use-analysis.ts';

const ICONS = { error: CircleAlert, warning: TriangleAlert, info: Info };
const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();

interface FindingsProps {
  projectId: string;
  analysis: Analysis | null;
  failures: EditorFailure[];
  /** Progress of the analysis; null when idle. */
  step: AnalysisStep | null;
  onStop: () => void;
  onGoTo: (finding: Diagnostic) => void;
  onAnalyze: (error: string) => void;
  onPatch: (patch: string) => void;
  onClose: () => void;
}

/** Panel below the editor: issues by line, failures and the proposed solution. */
export function FindingsPanel({ projectId, analysis, failures, step, ...on }: FindingsProps) {
  const { t } = useTranslation('ide');
  return (
    <div className="relative grid max-h-[42%] min-h-32 shrink-0 overflow-y-auto border-t border-border bg-background lg:grid-cols-2 lg:overflow-hidden">
      <IconButton
        className="absolute top-1 right-1 z-10"
        label={t('findings.close')}
        icon={<X aria-hidden className="size-4" />}
        onClick={on.onClose}
      />
      <section aria-labelledby="issues" className="px-4 py-3 lg:overflow-y-auto lg:border-r lg:border-border">
        <h2 id="issues" className="mb-1">
          {t('issues.heading')} {analysis && <span className="text-muted">{analysis.errors.length}</span>}
        </h2>
        <FailureList failures={failures} />
        {analysis && <IssueList analysis={analysis} onGoTo={on.onGoTo} />}
      </section>
      <section
        aria-labelledby="solution"
        className="flex flex-col gap-3 px-4 py-3 lg:overflow-y-auto lg:pr-10"
      >
        {analysis?.solution && (
          <>
            <h2 id="solution">{t('analysis.heading')}</h2>
            {analysis.model_run?.failure && (
              <p className="text-muted">
                <SentenceText sentence={analysis.model_run.failure} />
              </p>
            )}
            <MarkdownView text={analysis.solution} projectId={projectId} references={NO_REFERENCES} />
            {analysis.patch && <ApplyPatch patch={analysis.patch} onPatch={on.onPatch} />}
          </>
        )}
        <AnalyzeErrorForm step={step} onAnalyze={on.onAnalyze} onStop={on.onStop} />
      </section>
    </div>
  );
}

/** Applies the patch in the editor for review before saving. */
function ApplyPatch({ patch, onPatch }: { patch: string; onPatch: (patch: string) => void }) {
  const { t } = useTranslation('ide');
  return (
    <div>
      <Button size="small" onClick={() => onPatch(patch)}>
        {t('patch.apply')}
      </Button>
    </div>
  );
}

/** Failed operations. */
export function FailureList({ failures }: { failures: EditorFailure[] }) {
  const { t } = useTranslation('ide');
  return (
    <ul>
      {failures.map(({ id, path, message }) => (
        <li key={id} className="flex items-start gap-2 py-1">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {path && (
              <>
                <span className="font-mono text-code">
                  <Verbatim text={path} />
                </span>{' '}
              </>
            )}
            {message} <span className="text-muted">{t('issues.failed')}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const SEVERITIES = ['error', 'warning', 'info'];

/** Errors first, each kind in the order of the lines. */
function bySeverity(a: Diagnostic, b: Diagnostic): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}

function IssueList({ analysis, onGoTo }: { analysis: Analysis; onGoTo: (finding: Diagnostic) => void }) {
  const { t } = useTranslation('ide');
  const { errors, checkers } = analysis;
  if (errors.length === 0) {
    return (
      <p className="text-muted">
        {checkers.length > 0 ? t('issues.none', { checkers: checkers.join(', ') }) : t('issues.unchecked')}
      </p>
    );
  }
  return (
    <ul>
      {errors.toSorted(bySeverity).map((finding) => {
        const Icon = ICONS[finding.severity] ?? CircleAlert;
        return (
          <li key={`${finding.line}:${finding.column}:${finding.source}:${finding.message}`}>
            <button
              type="button"
              onClick={() => onGoTo(finding)}
              className="flex w-full items-start gap-2 rounded-md px-1 py-1 text-left hover:bg-select"
            >
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <CodeSpans text={t('issues.line', { line: finding.line, message: finding.message })} />
              </span>
              <span className="shrink-0 font-mono text-xs text-muted">{finding.source}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Asks about an error that the checkers cannot detect. */
function AnalyzeErrorForm({ step, onAnalyze, onStop }: Pick<FindingsProps, 'step' | 'onAnalyze' | 'onStop'>) {
  const { t } = useTranslation('ide');
  const [error, setError] = useState('');
  return (
    <form
      className="flex flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onAnalyze(error);
      }}
    >
      <div className="w-full">
        <Field label={t('analysis.error')} hint={t('analysis.error_hint')}>
          <Textarea
            rows={2}
            className="font-mono text-code"
            value={error}
            onChange={(event) => setError(event.target.value)}
          />
        </Field>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" loading={step !== null} disabled={error.trim() === ''}>
          {t('analysis.ask')}
        </Button>
        {step && step !== 'retrieving' && (
          <>
            <Button onClick={onStop}>{t('parts:progress.stop')}</Button>
            <span role="status" className="text-muted">
              {t(`parts:progress.${step}`)}
            </span>
          </>
        )}
      </div>
    </form>
  );
}
