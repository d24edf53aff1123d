import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { ChevronRight, Ellipsis, File, FileSymlink, Folder, FolderGit2, FolderOpen } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import type { FileTree } from '#contract/ide.ts';
import { apiQuery } from '../../api-query.ts';
import { useTranslation } from '../../i18n.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { IconButton, Spinner } from '../../ui/button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useContextMenu } from '../context-menu.tsx';
import { type TreeActions, useTreeMenu } from './tree-menu.ts';
import { ancestorFolders, buildTreeRows, type TreeRow } from './tree-rows.ts';
import { addUnsaved, isMissingFolder, type UnsavedEntries } from './unsaved-entries.ts';
import { type MoveEntry, useRowDrag } from './use-row-drag.ts';

const ROW_PX = 28;

interface FileTreeProps {
  projectId: string;
  /** Null for the working branch. */
  branch: string | null;
  /** Displayed file; its folders are expanded. */
  active: string | null;
  /** Folder to expand, from outside; the number counts the requests. */
  revealed?: { folder: string; id: number } | undefined;
  /** A click looks at a file; Enter and a double click keep it open. */
  onOpen: (path: string, isPreview: boolean) => void;
  unsaved: UnsavedEntries;
  actions: TreeActions;
}

/** File tree, loaded by folder and virtualized. */
export function FileTreeView({ projectId, branch, active, revealed, unsaved, ...on }: FileTreeProps) {
  const { t } = useTranslation('ide');
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(active ? ancestorFolders(active) : []));
  const [known, setKnown] = useState({ active, revealed });
  if (known.active !== active || known.revealed !== revealed) {
    setKnown({ active, revealed });
    const folder = known.revealed === revealed ? [] : [revealed?.folder ?? ''].filter(Boolean);
    setOpen(
      new Set([
        ...open,
        ...(active ? ancestorFolders(active) : []),
        ...folder.flatMap((path) => [...ancestorFolders(path), path]),
      ]),
    );
  }
  const { folders, error, retry } = useFolders({ projectId, branch }, open);
  const rows = buildTreeRows(addUnsaved(folders, unsaved), open);
  const toggle = (path: string, wanted = !open.has(path)) => {
    const next = new Set(open);
    if (wanted) next.add(path);
    else next.delete(path);
    setOpen(next);
  };
  const loading = (
    <div className="px-3">
      <Skeleton rows={['62%', '48%', '70%', '40%', '56%']} />
    </div>
  );
  return (
    <QueryState
      query={{ data: folders.get('') && rows, error, refetch: retry }}
      showStaleError
      errorClassName="m-2"
      loading={loading}
      empty={<p className="px-3 py-2 text-muted">{t('files.none')}</p>}
    >
      {(visible) => <TreeRows rows={visible} active={active} onToggle={toggle} {...on} />}
    </QueryState>
  );
}

function useFolders(
  { projectId, branch }: Pick<FileTreeProps, 'projectId' | 'branch'>,
  open: ReadonlySet<string>,
) {
  const client = useQueryClient();
  const optionsOf = (path: string) =>
    apiQuery('GET /ide/projects/:id/files', {
      params: { id: projectId },
      query: { path, ...(branch !== null && { ref: branch }) },
    });
  const listingOf = (path: string) => client.getQueryData<FileTree>(optionsOf(path).queryKey);
  // Folders that are not stored yet, or not any more, are not asked for.
  const paths = ['', ...open].filter((path) => !isMissingFolder(path, listingOf));
  const queries = useQueries({ queries: paths.map(optionsOf) });
  const folders = new Map<string, FileTree | undefined>(
    paths.map((path, index) => [path, queries[index]?.data]),
  );
  const failed = queries.filter((query) => query.error);
  return {
    folders,
    error: failed[0]?.error ?? null,
    retry: () => Promise.all(failed.map((query) => query.refetch())),
  };
}

interface RowsProps extends Pick<FileTreeProps, 'onOpen' | 'actions'> {
  rows: TreeRow[];
  active: string | null;
  onToggle: (path: string, open?: boolean) => void;
}

function TreeRows({ rows, active, onToggle, onOpen, actions }: RowsProps) {
  const { t } = useTranslation('ide');
  const menu = useContextMenu();
  const itemsOf = useTreeMenu(actions);
  const { onPrompt } = actions;
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(0);
  const at = Math.min(focused, rows.length - 1);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const choose = (row: TreeRow, isPreview = false) =>
    row.kind === 'folder' ? onToggle(row.path) : onOpen(row.path, isPreview);
  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(index, rows.length - 1));
    setFocused(next);
    virtual.scrollToIndex(next);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus(),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]!;
    const kind = ({ F2: 'rename', Delete: 'delete' } as const)[event.key];
    if (kind && onPrompt && !row.notEditable) {
      event.preventDefault();
      return onPrompt({ kind, path: row.path, isFolder: row.kind === 'folder' });
    }
    const move = treeKeyAction(event.key, rows, at);
    if (!move) return;
    event.preventDefault();
    if (move.to !== undefined) goTo(move.to);
    else if (move.toggle !== undefined) onToggle(row.path, move.toggle);
    else choose(row, event.key === ' ');
  };
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto pb-4">
      <div
        role="tree"
        aria-label={t('files.heading')}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="relative w-full"
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => (
          <Row
            key={rows[index]!.path}
            row={rows[index]!}
            index={index}
            top={start}
            selected={rows[index]!.path === active}
            focusable={index === at}
            onChoose={(isPreview) => {
              setFocused(index);
              choose(rows[index]!, isPreview);
            }}
            onFocus={() => setFocused(index)}
            onMenu={(event) => menu.open(event, itemsOf(rows[index]!))}
            onMove={onPrompt && ((path, isFolder, to) => onPrompt({ kind: 'rename', path, isFolder, to }))}
          />
        ))}
      </div>
      {menu.element}
    </div>
  );
}

/** Action of a key in the tree: move focus, expand or collapse, or activate; null for other keys. */
function treeKeyAction(key: string, rows: TreeRow[], at: number): { to?: number; toggle?: boolean } | null {
  const row = rows[at]!;
  const isFolder = row.kind === 'folder';
  switch (key) {
    case 'ArrowDown':
      return { to: at + 1 };
    case 'ArrowUp':
      return { to: at - 1 };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: rows.length - 1 };
    case 'ArrowRight':
      return isFolder && !row.open ? { toggle: true } : { to: at + 1 };
    case 'ArrowLeft':
      if (isFolder && row.open) return { toggle: false };
      return { to: rows.findLastIndex((other, index) => index < at && other.level < row.level) };
    case 'Enter':
    case ' ':
      return {};
    default:
      return null;
  }
}

interface RowProps {
  row: TreeRow;
  index: number;
  top: number;
  selected: boolean;
  focusable: boolean;
  onChoose: (isPreview: boolean) => void;
  /** Keys act on the row that has the focus, however it came there. */
  onFocus: () => void;
  onMenu: (event: MouseEvent) => void;
  /** Moves what was dropped on the row; absent where files are only read. */
  onMove: MoveEntry | undefined;
}

function Row({ row, index, top, selected, focusable, onChoose, onFocus, onMenu, onMove }: RowProps) {
  const { t } = useTranslation(['ide', 'editor']);
  const { isTarget, ...dragging } = useRowDrag(row, onMove);
  return (
    // The tree handles the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      role="treeitem"
      data-row={index}
      aria-level={row.level}
      aria-expanded={row.kind === 'folder' ? row.open : undefined}
      aria-selected={selected}
      aria-label={row.name}
      title={row.notEditable ? t(`files.not_editable_${row.notEditable}`) : row.path}
      tabIndex={focusable ? 0 : -1}
      onClick={() => onChoose(true)}
      onDoubleClick={() => row.kind === 'file' && onChoose(false)}
      onFocus={onFocus}
      onContextMenu={onMenu}
      {...dragging}
      className={clsx(
        'tree-row absolute inset-x-0 flex cursor-default items-center gap-1.5 pr-1 font-mono text-code whitespace-nowrap select-none hover:bg-select focus-visible:-outline-offset-2',
        selected && 'bg-select font-medium',
        isTarget && 'bg-select outline outline-action',
      )}
      style={{ top, height: ROW_PX, paddingLeft: row.level * 14 - 2 }}
    >
      <RowIcon row={row} />
      <span className={clsx('truncate', row.notEditable && 'text-muted')}>
        <Verbatim text={row.name} />
      </span>
      {row.loading && <Spinner />}
      <IconButton
        label={t('editor:tree.menu', { name: row.name })}
        tabIndex={-1}
        icon={<Ellipsis aria-hidden className="size-3.5" />}
        className="row-actions ml-auto size-6 shrink-0"
        onClick={onMenu}
      />
    </div>
  );
}

function RowIcon({ row: { kind, open, notEditable } }: { row: TreeRow }) {
  const className = 'size-3.5 shrink-0 text-muted';
  if (kind === 'folder') {
    const Icon = open ? FolderOpen : Folder;
    return (
      <>
        <ChevronRight aria-hidden className={clsx('size-3 shrink-0 text-muted', open && 'rotate-90')} />
        <Icon aria-hidden className={className} />
      </>
    );
  }
  const Icon = notEditable === 'symlink' ? FileSymlink : notEditable === 'submodule' ? FolderGit2 : File;
  return <Icon aria-hidden className={clsx(className, 'ml-4.5')} />;
}
