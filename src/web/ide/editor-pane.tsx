import { Suspense, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { useMediaQuery } from '../parts/use-media-query.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { CodeEditor } from './code-editor.tsx';
import { useEditorSettings } from './editor-settings.ts';
import { type Conflict, type EditorTab, hasText } from './editor-tab.ts';
import type { EditorPrompt } from './prompts.tsx';
import { type PanelName, Toolbar } from './toolbar.tsx';
import type { Saving } from './use-saving.ts';
import type { Workspace } from './use-workspace.ts';

// Loads at the same time as the text.
const CheckedFile = lazyComponent(
  () => import('./analysis/analysis-panel.tsx').then((module) => module.CheckedFile),
  { early: true },
);
const ConflictView = lazyComponent(() => import('./conflict-view.tsx').then((module) => module.ConflictView));
const ImagePreview = lazyComponent(() => import('./preview.tsx').then((module) => module.ImagePreview));
const MarkdownPreview = lazyComponent(() => import('./preview.tsx').then((module) => module.MarkdownPreview));
const LargeFile = lazyComponent(() => import('./large-file.tsx').then((module) => module.LargeFile));

interface EditorPaneProps {
  tab: EditorTab;
  workspace: Workspace;
  saving: Saving;
  panel: PanelName | null;
  onPanel: (panel: PanelName) => void;
  onPrompt: (question: EditorPrompt) => void;
  onCommit: () => void;
  onFolder: (path: string) => void;
  onSymbols: () => void;
  onDefinition: (name: string) => void;
}

/** The file with the focus: toolbar, notices, text in one or two panes, and findings. */
export function EditorPane({ tab, workspace, saving, ...props }: EditorPaneProps) {
  const { path } = tab;
  const [isRequested, setRequested] = useState(false);
  const [isAnalyzing, setAnalyzing] = useState(false);
  const { settings, update } = useEditorSettings();
  const [previewed, setPreviewed] = useState<string | null>(null);
  const changes = useShownChanges(tab);
  const conflict = saving.conflict?.path === path ? saving.conflict : null;
  const isMarkdown = /\.(?:md|markdown)$/i.test(path) && hasText(tab);
  const isSplit = workspace.panes[1] !== null;
  const text = (
    <>
      <Toolbar
        tab={tab}
        breadcrumbs={
          <Breadcrumbs
            workspace={workspace}
            tab={tab}
            onFolder={props.onFolder}
            onSymbols={props.onSymbols}
          />
        }
        analyzing={isRequested || isAnalyzing}
        saving={saving.isSaving(path)}
        hasChanges={workspace.tabs.some(({ dirty, readOnly }) => dirty && readOnly === null)}
        panel={props.panel}
        isSplit={isSplit}
        showsBlame={settings.blame}
        showsChanges={changes.isShown}
        showsPreview={isMarkdown ? previewed === path : null}
        onAnalyze={() => setRequested(true)}
        onSave={() => void saving.save(path)}
        onCommit={props.onCommit}
        onRename={() => props.onPrompt({ kind: 'rename', path })}
        onDelete={() => props.onPrompt({ kind: 'delete', path })}
        onPanel={props.onPanel}
        onSplit={workspace.toggleSplit}
        onBlame={() => update({ blame: !settings.blame })}
        onChanges={() => changes.show(!changes.isShown)}
        onPreview={() => setPreviewed(previewed === path ? null : path)}
      />
      <TabNotice tab={tab} onDiscard={() => void saving.discard(path)} />
      <Panes
        workspace={workspace}
        previewed={isMarkdown && previewed === path ? tab : null}
        changes={changes}
        onDefinition={props.onDefinition}
      />
    </>
  );
  return (
    <>
      {conflict ? <Merge {...{ tab, workspace, saving, conflict }} /> : text}
      {/* A merge hides the findings and does not end a running analysis. */}
      <div className={conflict ? 'hidden' : 'contents'}>
        <Suspense fallback={<div className="h-8 shrink-0 border-t border-border bg-background" />}>
          <CheckedFile
            workspace={workspace}
            tab={tab}
            isRequested={isRequested}
            onBegun={() => setRequested(false)}
            onRunning={setAnalyzing}
          />
        </Suspense>
      </div>
    </>
  );
}

type MergeProps = Pick<EditorPaneProps, 'tab' | 'workspace' | 'saving'> & { conflict: Conflict };

/** Merge of a file that is different on its branch, in the place of its text. */
function Merge({ tab, workspace, saving, conflict }: MergeProps) {
  return (
    <Suspense>
      <ConflictView
        tab={tab}
        conflict={conflict}
        mine={workspace.textOf(tab)}
        saving={saving.isSaving(tab.path)}
        onMerged={(text) => void saving.resolve(conflict, text)}
        onTake={() => saving.takeTheirs(conflict)}
        onBack={saving.closeConflict}
      />
    </Suspense>
  );
}

/** Differences from the saved text are shown on demand, and at once for an applied patch. */
function useShownChanges({ path, patched, dirty }: EditorTab) {
  const [shown, setShown] = useState<{ path: string; isShown: boolean } | null>(null);
  const isShown = dirty && (shown?.path === path ? shown.isShown : patched);
  return { isShown, show: (next: boolean) => setShown({ path, isShown: next }) };
}

interface PanesProps {
  workspace: Workspace;
  /** Markdown file whose page is shown beside its text, or instead of it on narrow screens. */
  previewed: EditorTab | null;
  changes: ReturnType<typeof useShownChanges>;
  onDefinition: (name: string) => void;
}

/** Texts of the open files, one or two beside each other. */
function Panes({ workspace, previewed, changes, onDefinition }: PanesProps) {
  const { t } = useTranslation('editor');
  const isWide = useMediaQuery('(width >= 768px)');
  const shown = isWide ? ([0, 1] as const) : [workspace.focused];
  const panes = shown.filter((pane) => workspace.panes[pane] !== null);
  return (
    <div className="flex min-h-0 flex-1 divide-x divide-border">
      {(!previewed || isWide) &&
        panes.map((pane) => {
          const tab = workspace.tabOf(workspace.panes[pane]);
          return (
            tab && (
              <section
                key={pane}
                aria-label={panes.length > 1 ? t(pane === 0 ? 'pane.left' : 'pane.right') : undefined}
                className="relative min-h-0 min-w-0 flex-1"
              >
                {tab.readOnly === 'image' ? (
                  <Suspense>
                    <ImagePreview workspace={workspace} path={tab.path} />
                  </Suspense>
                ) : tab.readOnly === 'large' ? (
                  <Suspense>
                    <LargeFile key={tab.path} workspace={workspace} path={tab.path} />
                  </Suspense>
                ) : (
                  <CodeEditor
                    tab={tab}
                    pane={pane}
                    workspace={workspace}
                    changes={changes}
                    onDefinition={onDefinition}
                  />
                )}
              </section>
            )
          );
        })}
      {previewed && (
        <div className="min-w-0 flex-1">
          <Suspense>
            <MarkdownPreview workspace={workspace} tab={previewed} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

/** Notice for a read-only file, a recovered draft or an applied patch. */
function TabNotice({ tab, onDiscard }: { tab: EditorTab; onDiscard: () => void }) {
  const { t } = useTranslation('ide');
  if (tab.readOnly === 'image') return null;
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
