import { useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { CodeEditor } from './code-editor.tsx';
import { ConflictView } from './conflict-view.tsx';
import type { EditorTab } from './editor-tab.ts';
import { FindingsPanel } from './findings.tsx';
import type { EditorPrompt } from './prompts.tsx';
import { Toolbar } from './toolbar.tsx';
import { useAnalysis } from './use-analysis.ts';
import type { EditorTheme } from './use-editor-theme.ts';
import type { Saving } from './use-saving.ts';
import type { Workspace } from './use-workspace.ts';

interface EditorPaneProps {
  tab: EditorTab;
  workspace: Workspace;
  saving: Saving;
  theme: EditorTheme;
  onPrompt: (question: EditorPrompt) => void;
  onCommit: () => void;
}

/** Editor of one file: toolbar, notices, text and findings. */
export function EditorPane({ tab, workspace, saving, theme, onPrompt, onCommit }: EditorPaneProps) {
  const { path } = tab;
  const { analyzing, step, analyze, stop, goTo } = useAnalysis(workspace);
  const [findingsShown, setFindingsShown] = useState(true);
  const hasFindings = tab.analysis !== null || workspace.failures.length > 0;
  const startAnalysis = (error: string) => {
    setFindingsShown(true);
    void analyze(error);
  };
  const conflict = saving.conflict?.path === path ? saving.conflict : null;
  if (conflict) {
    return (
      <ConflictView
        tab={tab}
        conflict={conflict}
        mine={workspace.textOf(tab)}
        saving={saving.isSaving(path)}
        onSave={(merged) => void saving.save(path, merged)}
        onTake={() => void saving.discard(path)}
        onBack={saving.closeConflict}
      />
    );
  }
  return (
    <>
      <Toolbar
        tab={tab}
        analyzing={analyzing}
        saving={saving.isSaving(path)}
        dark={theme.dark}
        onAnalyze={() => startAnalysis('')}
        onSave={() => void saving.save(path)}
        onCommit={onCommit}
        onRename={() => onPrompt({ kind: 'rename', path })}
        onDelete={() => onPrompt({ kind: 'delete', path })}
        onDark={theme.toggle}
      />
      <TabNotice tab={tab} onDiscard={() => void saving.discard(path)} />
      <div className="min-h-0 flex-1">
        <CodeEditor
          path={path}
          version={tab.version}
          state={() => workspace.documentOf(path)!}
          view={workspace.view}
          onChange={workspace.change}
        />
      </div>
      {hasFindings && findingsShown && (
        <FindingsPanel
          projectId={workspace.project.id}
          analysis={tab.analysis}
          failures={workspace.failures}
          step={step}
          onStop={stop}
          onGoTo={goTo}
          onAnalyze={startAnalysis}
          onPatch={(patch) => void workspace.openPatch(patch)}
          onClose={() => {
            setFindingsShown(false);
            workspace.clear();
          }}
        />
      )}
    </>
  );
}

/** Notice for a read-only file, a recovered draft or an applied patch. */
function TabNotice({ tab, onDiscard }: { tab: EditorTab; onDiscard: () => void }) {
  const { t } = useTranslation('ide');
  if (tab.readOnly) return <Notice className="m-2">{t(`read_only.${tab.readOnly}`)}</Notice>;
  if (!tab.recovered && !(tab.patched && tab.dirty)) return null;
  return (
    <Notice
      className="m-2"
      action={
        <Button size="small" className="-my-0.5" onClick={onDiscard}>
          {t(tab.patched ? 'patch.discard' : 'draft.discard')}
        </Button>
      }
    >
      {t(tab.patched ? 'patch.applied' : 'draft.recovered')}
    </Notice>
  );
}
