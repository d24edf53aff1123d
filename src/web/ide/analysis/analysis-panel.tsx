import { ChevronDown, ChevronUp } from 'lucide-react';
import { Suspense, useEffect, useEffectEvent } from 'react';
import { useTranslation } from '../../i18n.ts';
import { lazyComponent } from '../../lazy-component.tsx';
import { Spinner } from '../../ui/button.tsx';
import { useCursorLine } from '../cursor-store.ts';
import { type EditorTab, hasText } from '../editor-tab.ts';
import type { Workspace } from '../use-workspace.ts';
import { SEVERITY_ICONS, severityColor } from './severity.ts';
import { type FileAnalysis, useAnalysis } from './use-analysis.ts';

const AnalysisDetails = lazyComponent(() =>
  import('./analysis-details.tsx').then((module) => module.AnalysisDetails),
);

interface CheckedFileProps {
  workspace: Workspace;
  tab: EditorTab;
  /** The toolbar asks for an analysis. */
  isRequested: boolean;
  /** The requested analysis has started. */
  onBegun: () => void;
  /** An analysis has started or ended. */
  onRunning: (isRunning: boolean) => void;
}

/** Checks the file with the focus, marks its findings and lists them below the text. */
export function CheckedFile({ workspace, tab, isRequested, onBegun, onRunning }: CheckedFileProps) {
  const analysis = useAnalysis(workspace);
  const isRunning = analysis.step !== null;
  const begin = useEffectEvent(() => {
    onBegun();
    analysis.analyze('');
  });
  const reportRunning = useEffectEvent(onRunning);
  useEffect(() => {
    if (isRequested) begin();
  }, [isRequested]);
  useEffect(() => {
    reportRunning(isRunning);
    return () => reportRunning(false);
  }, [isRunning]);
  if (!hasText(tab) && workspace.failures.length === 0) return null;
  return <AnalysisPanel workspace={workspace} tab={tab} analysis={analysis} />;
}

interface AnalysisPanelProps {
  workspace: Workspace;
  tab: EditorTab;
  analysis: FileAnalysis;
}

/** Bar below the text with the number of findings and the one at the cursor; open, all of them with their fixes. */
function AnalysisPanel({ workspace, tab, analysis }: AnalysisPanelProps) {
  const { t } = useTranslation('analysis');
  const { setOpen, check, findings } = analysis;
  const hasFailures = workspace.failures.length > 0;
  const isOpen = analysis.isOpen || hasFailures;
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  const toggle = () => {
    setOpen(!isOpen);
    if (isOpen) workspace.clear();
  };
  return (
    <section
      aria-label={t('panel')}
      className="flex max-h-[55%] shrink-0 flex-col border-t border-border bg-background text-foreground"
    >
      <div className="flex h-8 shrink-0 items-center gap-3 pr-3 text-sm">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="flex h-full shrink-0 items-center gap-3 px-3 hover:bg-select focus-visible:-outline-offset-2"
        >
          <Chevron aria-hidden className="size-4 shrink-0 text-muted" />
          <Counts analysis={analysis} />
        </button>
        <AtCursor workspace={workspace} findings={findings} />
        {check.isRunning && (
          <span title={t('checking')}>
            <Spinner />
          </span>
        )}
      </div>
      {isOpen && (
        <Suspense>
          <AnalysisDetails workspace={workspace} tab={tab} analysis={analysis} />
        </Suspense>
      )}
    </section>
  );
}

function Counts({ analysis: { check, findings } }: { analysis: FileAnalysis }) {
  const { t } = useTranslation('analysis');
  const count = (severity: string) => findings.filter((one) => one.severity === severity).length;
  const isStopped = check.error !== null || (check.check?.types && check.check.types.status !== 'checked');
  if (check.check === null) {
    return <span className="text-muted">{t(check.error ? 'counts.failed' : 'checking')}</span>;
  }
  return (
    <span className="flex shrink-0 items-center gap-3">
      {findings.length === 0 && (
        <span className="text-muted">
          {t(check.check.checkers.length > 0 ? 'counts.none' : 'counts.unchecked')}
        </span>
      )}
      {(['error', 'warning', 'info'] as const).map((severity) => {
        const Icon = SEVERITY_ICONS[severity];
        const number = count(severity);
        return (
          number > 0 && (
            <span key={severity} className="flex items-center gap-1.5 tabular-nums">
              <Icon aria-hidden className={`size-4 ${severityColor(severity)}`} />
              {t(`counts.${severity}`, { count: number })}
            </span>
          )
        );
      })}
      {isStopped && <span className="text-muted max-sm:sr-only">{t('counts.incomplete')}</span>}
    </span>
  );
}

/** Finding of the line of the cursor, which is read out when the keys lead to it. */
function AtCursor({ workspace, findings }: { workspace: Workspace; findings: FileAnalysis['findings'] }) {
  const cursorLine = useCursorLine(workspace.cursor);
  const finding = findings.find(({ line }) => line === cursorLine);
  return (
    <span role="status" className="min-w-0 flex-1 truncate text-muted">
      {finding?.message}
    </span>
  );
}
