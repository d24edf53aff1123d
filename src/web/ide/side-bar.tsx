import { clsx } from 'clsx';
import { FilePlus2, Files, FolderPlus, GitCompareArrows, type LucideIcon, Search } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { IconButton } from '../ui/button.tsx';
import type { EditorTab } from './editor-tab.ts';
import type { EditorPrompt } from './prompts.tsx';
import type { SideBarState, SideView } from './use-side-bar.ts';
import type { Workspace } from './use-workspace.ts';

const ProjectSearchPanel = lazyComponent(() =>
  import('./search/project-search-panel.tsx').then((module) => module.ProjectSearchPanel),
);

// Loads at the same time as its data.
const FileTreeView = lazyComponent(
  () => import('./files/file-tree.tsx').then((module) => module.FileTreeView),
  { early: true },
);

const ChangesView = lazyComponent(() =>
  import('./changes/changes-view.tsx').then((module) => module.ChangesView),
);

const ICONS: Record<SideView, LucideIcon> = { files: Files, search: Search, changes: GitCompareArrows };

interface SideBarProps {
  workspace: Workspace;
  side: SideBarState;
  active: string | null;
  onOpen: (path: string, line: number | null, isPreview: boolean) => void;
  onPrompt: (prompt: EditorPrompt) => void;
  onShowChanges: (path: string) => void;
  onDiscard: (tab: EditorTab) => void;
  onCommit: () => void;
}

/** Files, search and unsaved changes, one at a time. */
export function SideBar({ workspace, side, ...props }: SideBarProps) {
  const { view, isShown } = side;
  const { t } = useTranslation(['ide', 'editor']);
  const { project, revision } = workspace;
  const isEditable = project.role !== 'viewer' && revision === null;
  const changed = workspace.tabs.filter(({ dirty }) => dirty).length;
  return (
    <aside
      className={clsx(
        'flex w-full shrink-0 flex-col border-r border-border bg-background text-foreground md:w-72',
        !isShown && 'hidden',
      )}
    >
      <div className="flex h-10 shrink-0 items-center gap-0.5 pr-1 pl-4">
        <h2 className="min-w-0 flex-1 truncate">
          {t(view === 'files' ? 'files.heading' : `editor:side.${view}`)}
        </h2>
        {view === 'files' && isEditable && (
          <IconButton
            label={t('files.new')}
            icon={<FilePlus2 aria-hidden className="size-4" />}
            onClick={() => props.onPrompt({ kind: 'new' })}
          />
        )}
        {view === 'files' && isEditable && (
          <IconButton
            label={t('editor:tree.new_folder')}
            icon={<FolderPlus aria-hidden className="size-4" />}
            onClick={() => props.onPrompt({ kind: 'new_folder' })}
          />
        )}
        {(['files', 'search', 'changes'] as const).map((name) => (
          <ViewButton
            key={name}
            view={name}
            isShown={name === view}
            count={name === 'changes' ? changed : 0}
            onClick={() => side.setView(name)}
          />
        ))}
      </div>
      {/* Stays mounted, so that open folders and the position are kept. */}
      <div className={clsx('flex min-h-0 flex-1 flex-col', view !== 'files' && 'hidden')}>
        <Suspense>
          <FileTreeView
            projectId={project.id}
            branch={workspace.fileRef}
            active={props.active}
            revealed={side.revealed}
            onOpen={(path, isPreview) => props.onOpen(path, null, isPreview)}
            unsaved={{
              files: workspace.tabs.filter(({ base }) => base === null).map(({ path }) => path),
              folders: workspace.newFolders,
            }}
            actions={{
              onPrompt: isEditable ? props.onPrompt : undefined,
              onSearchIn: (folder) => {
                side.setSearch({ ...side.search, include: folder });
                side.setView('search');
              },
            }}
          />
        </Suspense>
      </div>
      {view === 'search' && (
        <Suspense>
          <ProjectSearchPanel
            workspace={workspace}
            form={side.search}
            request={side.searchRequest}
            onForm={side.setSearch}
            onOpen={props.onOpen}
          />
        </Suspense>
      )}
      {view === 'changes' && (
        <Suspense>
          <ChangesView
            workspace={workspace}
            onShow={props.onShowChanges}
            onDiscard={props.onDiscard}
            onCommit={props.onCommit}
          />
        </Suspense>
      )}
    </aside>
  );
}

interface ViewButtonProps {
  view: SideView;
  isShown: boolean;
  count: number;
  onClick: () => void;
}

function ViewButton({ view, isShown, count, onClick }: ViewButtonProps) {
  const { t } = useTranslation(['ide', 'editor']);
  const Icon = ICONS[view];
  const name = view === 'files' ? t('files.heading') : t(`editor:side.${view}`);
  return (
    <IconButton
      label={count > 0 ? t('editor:side.changes_count', { count }) : name}
      aria-pressed={isShown}
      onClick={onClick}
      className={clsx('relative', isShown && 'bg-select text-action')}
      icon={
        <>
          <Icon aria-hidden className="size-4" />
          {count > 0 && (
            <span
              aria-hidden
              data-count={count}
              className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-action px-1 text-center text-xs leading-4 text-on-action before:content-[attr(data-count)]"
            />
          )}
        </>
      }
    />
  );
}
