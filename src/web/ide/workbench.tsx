import { clsx } from 'clsx';
import { FilePlus2, PanelLeft } from 'lucide-react';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBlocker, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { RevisionPicker } from '../parts/revision-picker.tsx';
import { useMediaQuery } from '../parts/use-media-query.ts';
import { IconButton, Spinner } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { EditorPane } from './editor-pane.tsx';
import type { EditorFailure, EditorTab } from './editor-tab.ts';
import { FileTreeView } from './file-tree.tsx';
import { FailureList } from './findings.tsx';
import { Overlay } from './overlay.tsx';
import type { EditorPrompt } from './prompts.tsx';
import { TabStrip } from './tab-strip.tsx';
import { useEditorTheme } from './use-editor-theme.ts';
import { useFileOperations } from './use-file-operations.ts';
import { useSaving } from './use-saving.ts';
import { useWorkspace, type Workspace } from './use-workspace.ts';

const CommitDialog = lazyComponent(() => import('./commit-dialog.tsx').then((module) => module.CommitDialog));
const PromptDialog = lazyComponent(() => import('./prompts.tsx').then((module) => module.PromptDialog));

/** File tree and editor side by side; one of them on narrow screens. */
export function Workbench({ project }: { project: Project }) {
  const { t } = useTranslation('ide');
  const [query] = useSearchParams();
  const requestedFile = query.get('file');
  const workspace = useWorkspace(project);
  const saving = useSaving(workspace);
  const theme = useEditorTheme();
  const leave = useLeaveGuard(workspace.tabs.filter((tab) => tab.dirty).length);
  const [prompt, setPrompt] = useState<EditorPrompt | null>(null);
  const isWide = useMediaQuery('(width >= 768px)');
  const [chosenFiles, setFilesShown] = useState<boolean | null>(null);
  const [committing, setCommitting] = useState(false);
  const { tab } = workspace;
  const filesShown = chosenFiles ?? (isWide || (tab === null && requestedFile === null));

  const openFile = (path: string, line?: number) => {
    if (!isWide) setFilesShown(null);
    void workspace.open(path, line);
  };
  const requestedLine = Number(query.get('line')) || undefined;
  useOpenRequested(workspace, { file: requestedFile, line: requestedLine }, (path) =>
    openFile(path, requestedLine),
  );
  useActiveTabInUrl(tab?.path ?? null);
  useSaveShortcut(() => tab && tab.readOnly === null && void saving.save(tab.path));

  const closeTab = ({ path, dirty }: EditorTab) =>
    dirty ? setPrompt({ kind: 'close', path }) : workspace.close(path);
  const shown = leave.prompt ?? prompt;
  return (
    <Overlay title={project.name} aside={<EditorRevision workspace={workspace} />} onClose={leave.close}>
      <FailureBanner failure={workspace.banner} />
      <div className="flex min-h-0 flex-1">
        <FileSidebar
          project={project}
          branch={workspace.revision ?? workspace.chosenBranch}
          isPast={workspace.revision !== null}
          active={tab?.path ?? requestedFile}
          shown={filesShown}
          onOpen={(path) => openFile(path)}
          onNew={() => setPrompt({ kind: 'new' })}
        />
        <section
          aria-label={t('editor')}
          data-theme={theme.dark ? 'dark' : undefined}
          className={clsx(
            'min-w-0 flex-1 flex-col bg-surface text-foreground',
            filesShown ? 'hidden md:flex' : 'flex',
          )}
        >
          <EditorBar
            workspace={workspace}
            filesShown={filesShown}
            onToggleFiles={() => setFilesShown(!filesShown)}
            onCloseTab={closeTab}
          />
          {tab ? (
            <EditorPane
              tab={tab}
              workspace={workspace}
              saving={saving}
              theme={theme}
              onPrompt={setPrompt}
              onCommit={() => setCommitting(true)}
            />
          ) : (
            <div className="m-auto flex flex-col gap-4 p-6">
              <p className="text-answer text-muted">{t('empty')}</p>
              <FailureList failures={workspace.failures} />
            </div>
          )}
        </section>
      </div>
      {committing && (
        <Suspense>
          <CommitDialog workspace={workspace} saving={saving} onClose={() => setCommitting(false)} />
        </Suspense>
      )}
      {shown && (
        <Suspense>
          <PromptHost
            prompt={shown}
            workspace={workspace}
            onDone={() => setPrompt(null)}
            onStay={leave.stay}
            onLeave={leave.go}
          />
        </Suspense>
      )}
    </Overlay>
  );
}

interface PromptHostProps {
  prompt: EditorPrompt;
  workspace: Workspace;
  onDone: () => void;
  onStay: () => void;
  onLeave: () => void;
}

/** Shows a prompt and carries out the answer. */
function PromptHost({ prompt, workspace, onDone, onStay, onLeave }: PromptHostProps) {
  const moving = useFileOperations(workspace);
  return (
    <PromptDialog
      prompt={prompt}
      onCancel={prompt.kind === 'leave' ? onStay : onDone}
      onPath={(path) => {
        onDone();
        if (prompt.kind === 'new') void workspace.create(path);
        if (prompt.kind === 'rename') void moving.rename(prompt.path, path);
      }}
      onConfirm={() => {
        onDone();
        if (prompt.kind === 'leave') onLeave();
        if (prompt.kind === 'delete') void moving.remove(prompt.path);
        if (prompt.kind === 'close') workspace.close(prompt.path);
      }}
    />
  );
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
  return <RevisionPicker project={{ id, ...own }} value={revision} onChange={choose} />;
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

/** Opens the patch or the file with which the page was entered. */
function useOpenRequested(
  workspace: Workspace,
  { file, line }: { file: string | null; line: number | undefined },
  openFile: (path: string) => void,
): void {
  const { patch } = (useLocation().state ?? {}) as { patch?: string };
  const isPatchOpened = useRef(false);
  const openRequested = useEffectEvent(() => {
    const isPatch = patch !== undefined && !isPatchOpened.current;
    isPatchOpened.current = true;
    if (isPatch) void workspace.openPatch(patch);
    else if (file) openFile(file);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the palette and Back name another file or line.
  useEffect(() => void openRequested(), [file, line]);
}

/** Names the shown tab in the URL, so that it can be reloaded and shared. */
function useActiveTabInUrl(path: string | null): void {
  const [, setQuery] = useSearchParams();
  const { state } = useLocation();
  const show = useEffectEvent((file: string) =>
    setQuery(
      (now) => {
        if (now.get('file') === file) return now;
        now.delete('line');
        now.set('file', file);
        return now;
      },
      { replace: true, state },
    ),
  );
  useEffect(() => {
    if (path !== null) show(path);
  }, [path]);
}

/** Ctrl-S and ⌘-S save the file. */
function useSaveShortcut(save: () => void): void {
  const pressed = useEffectEvent(save);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      pressed();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

interface FileSidebarProps {
  project: Project;
  branch: string | null;
  /** A past revision, which is only read. */
  isPast: boolean;
  active: string | null;
  shown: boolean;
  onOpen: (path: string) => void;
  onNew: () => void;
}

function FileSidebar({ project, branch, isPast, active, shown, onOpen, onNew }: FileSidebarProps) {
  const { t } = useTranslation('ide');
  return (
    <aside
      className={clsx(
        'flex w-full shrink-0 flex-col border-r border-border bg-background md:w-64',
        !shown && 'hidden',
      )}
    >
      <div className="flex h-9 shrink-0 items-center pl-4">
        <h2 className="flex-1">{t('files.heading')}</h2>
        {project.role !== 'viewer' && !isPast && (
          <IconButton
            label={t('files.new')}
            icon={<FilePlus2 aria-hidden className="size-4" />}
            onClick={onNew}
          />
        )}
      </div>
      <FileTreeView projectId={project.id} branch={branch} active={active} onOpen={onOpen} />
    </aside>
  );
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
          onClose={onCloseTab}
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
