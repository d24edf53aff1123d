import {
  Columns2,
  Diff,
  Eye,
  History,
  ListTree,
  Pencil,
  Trash2,
  UserRoundSearch,
  Waypoints,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { type EditorTab, hasText } from './editor-tab.ts';

/** Panels beside the text. */
export type PanelName = 'outline' | 'history' | 'references' | 'impact';

interface ToolbarProps {
  tab: EditorTab;
  breadcrumbs: ReactNode;
  analyzing: boolean;
  saving: boolean;
  /** Some open file has unsaved changes. */
  hasChanges: boolean;
  /** Panel that is shown; null for none. */
  panel: PanelName | null;
  isSplit: boolean;
  showsBlame: boolean;
  showsChanges: boolean;
  /** The page of a Markdown file is shown; null for other files. */
  showsPreview: boolean | null;
  onAnalyze: () => void;
  onSave: () => void;
  /** Opens the commit dialog. */
  onCommit: () => void;
  onRename: () => void;
  onDelete: () => void;
  onPanel: (panel: PanelName) => void;
  onSplit: () => void;
  onBlame: () => void;
  onChanges: () => void;
  onPreview: () => void;
}

/** Place of the file, and actions on it. */
export function Toolbar(props: ToolbarProps) {
  const { tab, breadcrumbs, analyzing, saving, hasChanges, panel, ...on } = props;
  const { t } = useTranslation(['ide', 'editor']);
  const isEditable = tab.readOnly === null;
  const whyNot = (isIdle: boolean, reason: 'nothing_to_save' | 'nothing_to_commit') =>
    isIdle ? t(`toolbar.${isEditable ? reason : 'read_only'}`) : undefined;
  const toggle = (label: string, Icon: typeof Eye, pressed: boolean, onClick: () => void) => (
    <IconButton
      label={label}
      aria-pressed={pressed}
      icon={<Icon aria-hidden className="size-4" />}
      onClick={onClick}
      className={pressed ? 'bg-select text-action' : undefined}
    />
  );
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-surface px-3 py-1.5">
      {breadcrumbs}
      <div className="flex flex-wrap items-center gap-1">
        {on.showsPreview !== null && toggle(t('editor:toolbar.preview'), Eye, on.showsPreview, on.onPreview)}
        {hasText(tab) &&
          tab.base !== null &&
          toggle(t('editor:toolbar.blame'), UserRoundSearch, on.showsBlame, on.onBlame)}
        {tab.dirty && tab.saved && toggle(t('editor:toolbar.changes'), Diff, on.showsChanges, on.onChanges)}
        {toggle(t('editor:panel.outline'), ListTree, panel === 'outline', () => on.onPanel('outline'))}
        {toggle(t('editor:panel.history'), History, panel === 'history', () => on.onPanel('history'))}
        {tab.base !== null &&
          toggle(t('editor:panel.impact'), Waypoints, panel === 'impact', () => on.onPanel('impact'))}
        <span className="max-md:hidden">
          {toggle(t('editor:toolbar.split'), Columns2, on.isSplit, on.onSplit)}
        </span>
        {isEditable && (
          <>
            <IconButton
              label={t('toolbar.rename')}
              icon={<Pencil aria-hidden className="size-4" />}
              onClick={on.onRename}
            />
            <IconButton
              label={t('toolbar.delete')}
              icon={<Trash2 aria-hidden className="size-4" />}
              onClick={on.onDelete}
            />
          </>
        )}
        <Button className="ml-1" loading={analyzing} disabled={!hasText(tab)} onClick={on.onAnalyze}>
          {t(analyzing ? 'toolbar.analyzing' : 'toolbar.analyze')}
        </Button>
        <Button disabledReason={whyNot(!hasChanges, 'nothing_to_commit')} onClick={on.onCommit}>
          {t('toolbar.commit')}
        </Button>
        <Button
          kind={tab.dirty ? 'primary' : 'plain'}
          loading={saving}
          disabledReason={whyNot(!tab.dirty || !isEditable, 'nothing_to_save')}
          onClick={on.onSave}
          aria-keyshortcuts="Control+S Meta+S"
          title={t('toolbar.save_hint')}
        >
          {t(saving ? 'toolbar.saving' : 'toolbar.save')}
        </Button>
      </div>
    </div>
  );
}
