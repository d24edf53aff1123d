import {
  Columns2,
  Diff,
  Ellipsis,
  Eye,
  History,
  ListTree,
  type LucideIcon,
  Pencil,
  Trash2,
  UserRoundSearch,
  Waypoints,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n.ts';
import { LazyMenu } from '../parts/lazy-menu.tsx';
import { useMediaQuery } from '../parts/use-media-query.ts';
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

/** Place of the file, and actions on it; in a menu where there is no room for their buttons. */
export function Toolbar(props: ToolbarProps) {
  const { tab, breadcrumbs, analyzing, saving, hasChanges, ...on } = props;
  const { t } = useTranslation(['ide', 'editor']);
  const actions = useActions(props);
  const isWide = useMediaQuery('(width >= 768px)');
  const isEditable = tab.readOnly === null;
  const whyNot = (isIdle: boolean, reason: 'nothing_to_save' | 'nothing_to_commit') =>
    isIdle ? t(`toolbar.${isEditable ? reason : 'read_only'}`) : undefined;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-surface px-3 py-1.5">
      {breadcrumbs}
      {isWide ? <ActionButtons actions={actions} /> : <ActionMenu actions={actions} />}
      <div className="flex flex-wrap items-center gap-1">
        <Button loading={analyzing} disabled={!hasText(tab)} onClick={on.onAnalyze}>
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

interface ToolbarAction {
  label: string;
  Icon: LucideIcon;
  /** State of an action that turns something on and off. */
  pressed?: boolean;
  onSelect: () => void;
  /** Of no use where only one pane has room. */
  isWideOnly?: boolean;
}

/** Actions that the file has. */
function useActions({ tab, panel, ...on }: ToolbarProps): ToolbarAction[] {
  const { t } = useTranslation(['ide', 'editor']);
  const actions: (ToolbarAction | false)[] = [
    on.showsPreview !== null && {
      ...{ label: t('editor:toolbar.preview'), Icon: Eye },
      ...{ pressed: on.showsPreview, onSelect: on.onPreview },
    },
    hasText(tab) &&
      tab.base !== null && {
        ...{ label: t('editor:toolbar.blame'), Icon: UserRoundSearch },
        ...{ pressed: on.showsBlame, onSelect: on.onBlame },
      },
    tab.dirty &&
      tab.saved !== null && {
        ...{ label: t('editor:toolbar.changes'), Icon: Diff },
        ...{ pressed: on.showsChanges, onSelect: on.onChanges },
      },
    {
      ...{ label: t('editor:panel.outline'), Icon: ListTree },
      ...{ pressed: panel === 'outline', onSelect: () => on.onPanel('outline') },
    },
    {
      ...{ label: t('editor:panel.history'), Icon: History },
      ...{ pressed: panel === 'history', onSelect: () => on.onPanel('history') },
    },
    tab.base !== null && {
      ...{ label: t('editor:panel.impact'), Icon: Waypoints },
      ...{ pressed: panel === 'impact', onSelect: () => on.onPanel('impact') },
    },
    {
      ...{ label: t('editor:toolbar.split'), Icon: Columns2, isWideOnly: true },
      ...{ pressed: on.isSplit, onSelect: on.onSplit },
    },
    tab.readOnly === null && { label: t('toolbar.rename'), Icon: Pencil, onSelect: on.onRename },
    tab.readOnly === null && { label: t('toolbar.delete'), Icon: Trash2, onSelect: on.onDelete },
  ];
  return actions.filter((action) => action !== false);
}

function ActionButtons({ actions }: { actions: ToolbarAction[] }) {
  return (
    <div className="flex flex-wrap items-center gap-1">
      {actions.map(({ label, Icon, pressed, onSelect }) => (
        <IconButton
          key={label}
          label={label}
          aria-pressed={pressed}
          icon={<Icon aria-hidden className="size-4" />}
          onClick={onSelect}
          className={pressed ? 'bg-select text-action' : undefined}
        />
      ))}
    </div>
  );
}

function ActionMenu({ actions }: { actions: ToolbarAction[] }) {
  const { t } = useTranslation(['ide', 'editor']);
  const label = t('editor:toolbar.more');
  const trigger = <Ellipsis aria-hidden className="size-4" />;
  const items = actions
    .filter(({ isWideOnly }) => !isWideOnly)
    .map(({ label, Icon, pressed, onSelect }) => ({
      ...{ label, icon: <Icon aria-hidden className="size-4" />, onSelect },
      ...(pressed !== undefined && { checked: pressed }),
    }));
  return <LazyMenu label={label} trigger={trigger} items={items} />;
}
