import { clsx } from 'clsx';
import { PanelLeft } from 'lucide-react';
import { type ComponentProps, Suspense, useEffect, useState } from 'react';
import { useBlocker, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { IconButton, Spinner } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { EditorPane } from './editor-pane.tsx';
import { useEditorSettings } from './editor-settings.ts';
import type { EditorFailure, EditorTab } from './editor-tab.ts';
import { Overlay } from './overlay.tsx';
import type { NameRequest } from './panels/references-panel.tsx';
import type { EditorPrompt } from './prompts.tsx';
import { SideBar } from './side-bar.tsx';
import { StatusBar } from './status-bar.tsx';
import { TabStrip } from './tab-strip.tsx';
import type { PanelName } from './toolbar.tsx';
import { useEditorKeys } from './use-editor-keys.ts';
import { useEditorUrl } from './use-editor-url.ts';
import { useRestoredTabs } from './use-restored-tabs.ts';
import { type Saving, useSaving } from './use-saving.ts';
import { type SideBarState, useSideBar } from './use-side-bar.ts';
import { useWorkspace, type Workspace } from './use-workspace.ts';

const CommitDialog = lazyComponent(() => import('./commit-dialog.tsx').then((module) => module.CommitDialog));
const FailureList = lazyComponent(() =>
  import('./analysis/failure-list.tsx').then((module) => module.FailureList),
);
const PromptHost = lazyComponent(() => import('./prompt-host.tsx').then((module) => module.PromptHost));
const SidePanel = lazyComponent(() => import('./side-panel.tsx').then((module) => module.SidePanel));
// Typed letters belong to the dialog as soon as its key was pressed.
const QuickOpen = lazyComponent(() => import('./quick-open.tsx').then((module) => module.QuickOpen), {
  early: true,
});
const RevisionPicker = lazyComponent(
  () => import('../parts/revision-picker.tsx').then((module) => module.RevisionPicker),
  { early: true },
);
const SettingsDialog = lazyComponent(() =>
  import('./settings-dialog.tsx').then((module) => module.SettingsDialog),
);

/** Side bar, editor and panel beside each other; one of them on narrow screens. */
export function Workbench({ project }: { project: Project }) {
  const { t } = useTranslation('ide');
  const workspace = useWorkspace(project);
  const saving = useSaving(workspace);
  const { requestedFile } = useEditorUrl(workspace);
  useRestoredTabs(workspace, requestedFile);
  const { settings } = useEditorSettings();
  const leave = useLeaveGuard(workspace.tabs.filter((tab) => tab.dirty).length);
  const [prompt, setPrompt] = useState<EditorPrompt | null>(null);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const side = useSideBar(workspace, requestedFile);
  const names = useNames(workspace);
  const { tab } = workspace;
  const openFile = (path: string, line: number | null, isPreview: boolean) => {
    side.leaveOnNarrow();
    void workspace.open(path, { isPreview, ...(line !== null && { lines: { from: line, to: line } }) });
  };
  const closeTab = ({ path, dirty }: EditorTab) =>
    dirty ? setPrompt({ kind: 'close', path }) : workspace.close(path);
  useWorkbenchKeys({ workspace, saving, side, names, openDialog: setDialog });
  return (
    <Overlay
      title={project.name}
      aside={<EditorRevision workspace={workspace} />}
      isDark={settings.theme === 'dark'}
      onClose={leave.close}
    >
      <FailureBanner failure={workspace.banner} />
      <div className="relative flex min-h-0 flex-1">
        <SideBar
          workspace={workspace}
          side={side}
          active={tab?.path ?? requestedFile}
          onOpen={openFile}
          onPrompt={setPrompt}
          onShowChanges={(path) => openFile(path, null, false)}
          onDiscard={({ path, base }) =>
            base === null ? setPrompt({ kind: 'close', path }) : void saving.discard(path)
          }
          onCommit={() => setDialog('commit')}
        />
        <section
          aria-label={t('editor')}
          className={clsx('min-w-0 flex-1 flex-col', side.isShown ? 'hidden md:flex' : 'flex')}
        >
          <EditorBar
            workspace={workspace}
            filesShown={side.isShown}
            onToggleFiles={side.toggle}
            onCloseTab={closeTab}
          />
          {tab ? (
            <EditorPane
              {...{ tab, workspace, saving }}
              panel={names.panel}
              onPanel={names.togglePanel}
              onPrompt={setPrompt}
              onCommit={() => setDialog('commit')}
              onFolder={side.reveal}
              onSymbols={() => setDialog({ open: '@' })}
              onDefinition={(name) => names.lookUp(name, 'definition')}
            />
          ) : (
            <NoFile workspace={workspace} />
          )}
        </section>
        <Suspense>
          {tab && names.panel && (
            <SidePanel
              {...{ workspace, tab, panel: names.panel, request: names.request }}
              onName={(name) => names.lookUp(name, 'references')}
              onClose={() => names.togglePanel(names.panel!)}
            />
          )}
        </Suspense>
      </div>
      <StatusBar
        workspace={workspace}
        tab={tab}
        revision={workspace.revision ?? workspace.branch ?? workspace.chosenBranch ?? project.branch ?? ''}
        onGoToLine={() => setDialog({ open: ':' })}
        onSettings={() => setDialog('settings')}
        onBlame={() => names.togglePanel('history')}
      />
      <Dialogs dialog={dialog} workspace={workspace} saving={saving} onClose={() => setDialog(null)} />
      <Question
        prompt={leave.prompt ?? prompt}
        workspace={workspace}
        onDone={() => setPrompt(null)}
        onFolder={side.reveal}
        onStay={leave.stay}
        onLeave={leave.go}
      />
    </Overlay>
  );
}

interface QuestionProps extends Omit<ComponentProps<typeof PromptHost>, 'prompt'> {
  prompt: EditorPrompt | null;
}

/** The prompt that is open, if one is. */
function Question({ prompt, ...props }: QuestionProps) {
  return <Suspense>{prompt && <PromptHost prompt={prompt} {...props} />}</Suspense>;
}

interface WorkbenchParts {
  workspace: Workspace;
  saving: Saving;
  side: SideBarState;
  names: ReturnType<typeof useNames>;
  openDialog: (dialog: DialogName) => void;
}

function useWorkbenchKeys({ workspace, saving, side, names, openDialog }: WorkbenchParts): void {
  const { tab } = workspace;
  useEditorKeys({
    'Mod+S': () => tab && tab.readOnly === null && void saving.save(tab.path),
    'Mod+P': () => openDialog({ open: '' }),
    'Mod+G': () => openDialog({ open: ':' }),
    'Mod+B': side.toggle,
    'Mod+\\': () => tab && workspace.toggleSplit(),
    'Mod+Shift+O': () => openDialog({ open: '@' }),
    'Mod+Shift+F': () => side.showView('search'),
    'Mod+Shift+E': () => side.showView('files'),
    'Mod+Shift+H': () => names.togglePanel('history'),
    F12: () => names.lookUpAtCursor('definition'),
    'Shift+F12': () => names.lookUpAtCursor('references'),
  });
}

/** A dialog of the editor; `open` is the text with which the search for files begins. */
type DialogName = 'commit' | 'settings' | { open: string };

interface DialogsProps {
  dialog: DialogName | null;
  workspace: Workspace;
  saving: Saving;
  onClose: () => void;
}

function Dialogs({ dialog, workspace, saving, onClose }: DialogsProps) {
  if (dialog === null) return null;
  return (
    <Suspense>
      {dialog === 'commit' ? (
        <CommitDialog workspace={workspace} saving={saving} onClose={onClose} />
      ) : dialog === 'settings' ? (
        <SettingsDialog onClose={onClose} />
      ) : (
        <QuickOpen workspace={workspace} initialText={dialog.open} onClose={onClose} />
      )}
    </Suspense>
  );
}

function NoFile({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation('ide');
  return (
    <div className="m-auto flex flex-col gap-4 p-6">
      <p className="text-answer text-muted">{t('empty')}</p>
      {workspace.failures.length > 0 && (
        <Suspense>
          <FailureList failures={workspace.failures} onClear={workspace.clear} />
        </Suspense>
      )}
    </div>
  );
}

/** Panel beside the text, and the name that it looks up. */
function useNames(workspace: Workspace) {
  const [panel, setPanel] = useState<PanelName | null>(null);
  const [request, setRequest] = useState<NameRequest | null>(null);
  const lookUp = (name: string, wants: NameRequest['wants']) => {
    setRequest((last) => ({ name, path: workspace.active ?? undefined, wants, id: (last?.id ?? 0) + 1 }));
    setPanel('references');
  };
  return {
    panel,
    request,
    lookUp,
    togglePanel: (name: PanelName) => setPanel((shown) => (shown === name ? null : name)),
    lookUpAtCursor(wants: NameRequest['wants']) {
      const state = workspace.view.current?.state;
      const word = state?.wordAt(state.selection.main.head);
      if (state && word) return lookUp(state.sliceDoc(word.from, word.to), wants);
      // The panel says that the cursor must be on a name.
      setRequest(null);
      setPanel('references');
    },
  };
}

/** Branch or past revision of the files, with a list of others to read; those are in the URL. */
function EditorRevision({ workspace: { project, branch, revision } }: { workspace: Workspace }) {
  const [, setQuery] = useSearchParams();
  const { state } = useLocation();
  const choose = (name: string | null) =>
    setQuery(
      (now) => {
        if (name === null) now.delete('ref');
        else now.set('ref', name);
        return now;
      },
      { state },
    );
  const { id, indexed_commit } = project;
  const own = branch === null ? { branch: project.branch, indexed_commit } : { branch, indexed_commit: null };
  return (
    <Suspense>
      <RevisionPicker project={{ id, ...own }} value={revision} onChange={choose} />
    </Suspense>
  );
}

/** Warns before unsaved changes are lost by navigation or unload. */
function useLeaveGuard(unsaved: number) {
  const navigate = useNavigate();
  const from = (useLocation().state as { from?: string } | null)?.from;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved > 0 && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (unsaved === 0) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [unsaved]);
  return {
    prompt: blocker.state === 'blocked' ? ({ kind: 'leave', count: unsaved } as const) : null,
    close: () => void navigate(from ?? '/projects'),
    stay: () => blocker.reset?.(),
    go: () => blocker.proceed?.(),
  };
}

interface EditorBarProps {
  workspace: Workspace;
  filesShown: boolean;
  onToggleFiles: () => void;
  onCloseTab: (tab: EditorTab) => void;
}

/** The open tabs, after the button that shows and hides the files. */
function EditorBar({ workspace, filesShown, onToggleFiles, onCloseTab }: EditorBarProps) {
  const { t } = useTranslation('ide');
  return (
    <div className="flex min-w-0 shrink-0 items-stretch">
      <IconButton
        className="m-0.5"
        label={t(filesShown ? 'files.hide' : 'files.show')}
        aria-expanded={filesShown}
        icon={<PanelLeft aria-hidden className="size-4" />}
        onClick={onToggleFiles}
      />
      <div className="min-w-0 flex-1">
        <TabStrip
          tabs={workspace.tabs}
          active={workspace.tab?.path ?? null}
          onShow={workspace.setActive}
          onPin={workspace.pin}
          onClose={onCloseTab}
          onCloseSaved={(paths) => workspace.close(...paths)}
        />
      </div>
      {workspace.opening && <span className="self-center px-3">{<Spinner />}</span>}
    </div>
  );
}

function FailureBanner({ failure }: { failure: EditorFailure | null }) {
  if (failure === null) return null;
  return (
    <Notice
      kind="error"
      className="absolute top-16 left-1/2 z-40 w-max max-w-[90%] -translate-x-1/2 shadow-overlay"
    >
      {failure.message}
    </Notice>
  );
}
