import { Suspense } from 'react';
import type { Diagnostic } from '#contract/analysis.ts';
import { useTranslation } from '../../i18n.ts';
import { lazyComponent } from '../../lazy-component.tsx';
import { CodeSpans } from '../../parts/sentence-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { EditorTab } from '../editor-tab.ts';
import type { Workspace } from '../use-workspace.ts';
import { goToFinding } from './go-to-finding.ts';
import { SEVERITY_ICONS, severityColor } from './severity.ts';
import type { FileAnalysis } from './use-analysis.ts';
import { findingKey } from './use-ignored-findings.ts';

const FixPreview = lazyComponent(() => import('./fix-preview.tsx').then((module) => module.FixPreview));

interface IssueListProps {
  workspace: Workspace;
  tab: EditorTab;
  analysis: FileAnalysis;
}

/** Findings of the checkers, errors first; or the state of the check. */
export function IssueList({ workspace, tab, analysis }: IssueListProps) {
  const { t } = useTranslation(['ide', 'analysis']);
  const { check, findings, ignored, ignoredCount, chosenFix, chooseFix } = analysis;
  return (
    <>
      {check.error && (
        <Notice kind="error" className="my-1" onRetry={analysis.retry}>
          {check.error.message}
        </Notice>
      )}
      {check.check === null && !check.error && <Skeleton rows={['70%', '55%', '62%']} />}
      {check.check && findings.length === 0 && (
        <p className="text-muted">
          {check.check.checkers.length > 0
            ? t('issues.none', { checkers: check.check.checkers.join(', ') })
            : t('issues.unchecked')}
        </p>
      )}
      <ul>
        {findings.map((finding, at) => {
          const key = findingKey(finding);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two findings may say the same of one line.
            <li key={`${key} ${at}`}>
              <IssueRow
                finding={finding}
                isOpen={chosenFix === key}
                onGoTo={() => goToFinding(workspace, finding)}
                onFix={() => chooseFix(chosenFix === key ? null : key)}
                onIgnore={() => ignored.add(tab.path, finding)}
                isEditable={tab.readOnly === null}
              />
              {chosenFix === key && finding.fixes && (
                <Suspense>
                  <FixPreview
                    workspace={workspace}
                    path={tab.path}
                    fixes={finding.fixes}
                    onClose={() => chooseFix(null)}
                  />
                </Suspense>
              )}
            </li>
          );
        })}
      </ul>
      {ignoredCount > 0 && (
        <p className="flex items-center gap-2 py-1 text-muted">
          {t('analysis:ignored', { count: ignoredCount })}
          <Button size="small" onClick={() => ignored.restore(tab.path)}>
            {t('analysis:restore')}
          </Button>
        </p>
      )}
    </>
  );
}

interface IssueRowProps {
  finding: Diagnostic;
  /** Its fixes are shown. */
  isOpen: boolean;
  isEditable: boolean;
  onGoTo: () => void;
  onFix: () => void;
  onIgnore: () => void;
}

function IssueRow({ finding, isOpen, isEditable, onGoTo, onFix, onIgnore }: IssueRowProps) {
  const { t } = useTranslation(['ide', 'analysis']);
  const { severity, line, message, source, fixes } = finding;
  const Icon = SEVERITY_ICONS[severity];
  return (
    <div className="group flex items-start gap-1 rounded-md hover:bg-select">
      <button
        type="button"
        onClick={onGoTo}
        className="flex min-h-8 min-w-0 flex-1 items-start gap-2 rounded-md px-1 py-1.5 text-left focus-visible:-outline-offset-2"
      >
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${severityColor(severity)}`} />
        <span className="sr-only">{t(`analysis:severity.${severity}`)}</span>
        <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-line">
          <CodeSpans text={t('issues.line', { line, message })} />{' '}
          <span className="font-mono text-xs whitespace-nowrap text-muted">{source}</span>
        </span>
      </button>
      <span className="flex shrink-0 gap-1 py-1 pr-1">
        {fixes && fixes.length > 0 && isEditable && (
          <Button size="small" aria-expanded={isOpen} onClick={onFix}>
            {t('analysis:fix.show')}
          </Button>
        )}
        <Button size="small" kind="ghost" onClick={onIgnore} title={t('analysis:ignore_hint')}>
          {t('analysis:ignore')}
        </Button>
      </span>
    </div>
  );
}
