import { Undo2 } from 'lucide-react';
import { useTranslation } from '../../i18n.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { baseName, type EditorTab } from '../editor-tab.ts';
import type { Workspace } from '../use-workspace.ts';

interface ChangesViewProps {
  workspace: Workspace;
  /** Shows the differences of a file. */
  onShow: (path: string) => void;
  onDiscard: (tab: EditorTab) => void;
  onCommit: () => void;
}

/** Files with unsaved changes, their differences, and the way to a commit. */
export function ChangesView({ workspace, onShow, onDiscard, onCommit }: ChangesViewProps) {
  const { t } = useTranslation('editor');
  const changed = workspace.tabs.filter(({ dirty }) => dirty);
  if (changed.length === 0) return <p className="px-4 py-2 text-muted">{t('changes.none')}</p>;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto pb-3">
      <div className="px-3">
        <Button kind="primary" className="w-full" onClick={onCommit}>
          {t('changes.commit', { count: changed.length })}
        </Button>
      </div>
      <ul aria-label={t('changes.title')}>
        {changed.map((tab) => (
          <li key={tab.path} className="group flex h-8 items-center pr-1 hover:bg-select">
            <button
              type="button"
              title={tab.path}
              onClick={() => onShow(tab.path)}
              className="flex h-full min-w-0 flex-1 items-center gap-2 pl-4 text-left font-mono text-code focus-visible:-outline-offset-2"
            >
              <span className="shrink-0">
                <Verbatim text={baseName(tab.path)} max={60} />
              </span>
              <span className="min-w-0 flex-1 truncate text-sm text-muted">
                <Verbatim text={tab.path.slice(0, -baseName(tab.path).length - 1)} />
              </span>
              <span
                className="text-sm text-muted"
                title={t(tab.base === null ? 'changes.added' : 'changes.modified')}
              >
                {tab.base === null ? 'A' : 'M'}
              </span>
            </button>
            <IconButton
              label={t('changes.discard', { name: baseName(tab.path) })}
              icon={<Undo2 aria-hidden className="size-4" />}
              onClick={() => onDiscard(tab)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
