import { useTranslation } from '../../i18n.ts';
import type { CitedLocation } from '../../parts/citation.ts';
import { MarkdownView } from '../../parts/markdown-view.tsx';
import { SentenceText } from '../../parts/sentence-text.tsx';
import { Button } from '../../ui/button.tsx';
import type { EditorTab } from '../editor-tab.ts';
import type { Workspace } from '../use-workspace.ts';
import { AnalyzeErrorForm } from './analyze-error-form.tsx';
import { FailureList } from './failure-list.tsx';
import { HistoryFindings } from './history-findings.tsx';
import { IssueList } from './issue-list.tsx';
import { TypeCheckNote } from './type-check-note.tsx';
import type { FileAnalysis } from './use-analysis.ts';

const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();

interface AnalysisDetailsProps {
  workspace: Workspace;
  tab: EditorTab;
  analysis: FileAnalysis;
}

/** Findings with their fixes and what the history says about the file; beside them, the explanation of an error. */
export function AnalysisDetails({ workspace, tab, analysis }: AnalysisDetailsProps) {
  const { t } = useTranslation(['ide', 'analysis']);
  const { check, findings } = analysis;
  return (
    <div className="grid min-h-32 overflow-y-auto border-t border-border lg:grid-cols-2 lg:overflow-hidden">
      <section aria-labelledby="issues" className="px-4 py-3 lg:overflow-y-auto lg:border-r lg:border-border">
        <h2 id="issues" className="mb-1">
          {t('issues.heading')} {check.check && <span className="text-muted">{findings.length}</span>}
        </h2>
        <FailureList failures={workspace.failures} onClear={workspace.clear} />
        <IssueList workspace={workspace} tab={tab} analysis={analysis} />
        {check.check?.types && <TypeCheckNote types={check.check.types} onRetry={analysis.retry} />}
        <HistoryFindings workspace={workspace} tab={tab} risks={analysis.risks} />
      </section>
      <section
        aria-label={t('analysis:explanation')}
        className="flex flex-col gap-3 px-4 py-3 max-lg:border-t max-lg:border-border lg:overflow-y-auto"
      >
        <Solution workspace={workspace} tab={tab} />
        <AnalyzeErrorForm step={analysis.step} onAnalyze={analysis.analyze} onStop={analysis.stop} />
      </section>
    </div>
  );
}

function Solution({ workspace, tab: { analysis } }: { workspace: Workspace; tab: EditorTab }) {
  const { t } = useTranslation('ide');
  if (!analysis?.solution) return null;
  const { solution, model_run: run, patch } = analysis;
  return (
    <>
      <h2>{t('analysis.heading')}</h2>
      {run?.failure && (
        <p className="text-muted">
          <SentenceText sentence={run.failure} />
        </p>
      )}
      <MarkdownView text={solution} projectId={workspace.project.id} references={NO_REFERENCES} />
      {patch && (
        <div>
          <Button size="small" onClick={() => void workspace.openPatch(patch)}>
            {t('patch.apply')}
          </Button>
        </div>
      )}
    </>
  );
}
