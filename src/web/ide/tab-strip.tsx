import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { useContextMenu } from './context-menu.tsx';
import { baseName, type EditorTab } from './editor-tab.ts';

interface TabStripProps {
  tabs: EditorTab[];
  active: string | null;
  onShow: (path: string) => void;
  /** Keeps a file open that was only looked at. */
  onPin: (path: string) => void;
  onClose: (tab: EditorTab) => void;
  /** Closes files without unsaved changes. */
  onCloseSaved: (paths: string[]) => void;
}

/** Tabs of the open files; a dot marks unsaved changes, italics a file that is only looked at. */
export function TabStrip({ tabs, active, onShow, onPin, onClose, onCloseSaved }: TabStripProps) {
  const { t } = useTranslation(['ide', 'editor']);
  const menu = useContextMenu();
  if (tabs.length === 0) return null;
  const saved = tabs.filter(({ dirty }) => !dirty).map(({ path }) => path);
  const itemsOf = (tab: EditorTab) => {
    const others = saved.filter((path) => path !== tab.path);
    return [
      { label: t('tabs.close', { name: baseName(tab.path) }), onSelect: () => onClose(tab) },
      {
        label: t('editor:tabs.close_others'),
        disabled: others.length === 0,
        onSelect: () => onCloseSaved(others),
      },
      {
        label: t('editor:tabs.close_saved'),
        disabled: saved.length === 0,
        onSelect: () => onCloseSaved(saved),
      },
      ...(tab.isPreview ? [{ label: t('editor:tabs.keep_open'), onSelect: () => onPin(tab.path) }] : []),
    ];
  };
  return (
    <ul aria-label={t('tabs.label')} className="tab-strip flex shrink-0 border-b border-border bg-background">
      {tabs.map((tab) => (
        <li
          key={tab.path}
          className={clsx(
            'flex h-9 shrink-0 items-center border-r border-border pr-1',
            tab.path === active && 'bg-surface shadow-[inset_0_-2px_0_var(--action)]',
          )}
        >
          <button
            type="button"
            aria-current={tab.path === active || undefined}
            title={tab.path}
            onClick={() => onShow(tab.path)}
            onDoubleClick={() => onPin(tab.path)}
            onAuxClick={(event) => event.button === 1 && onClose(tab)}
            onContextMenu={(event) => menu.open(event, itemsOf(tab))}
            className="flex h-full items-center gap-2 px-3 font-mono text-code focus-visible:-outline-offset-2"
          >
            <span className={tab.isPreview ? 'italic' : undefined}>
              <Verbatim text={baseName(tab.path)} max={60} />
            </span>
            {tab.dirty && (
              <>
                <span aria-hidden className="size-1.5 rounded-full bg-foreground" />
                <span className="sr-only">{t('tabs.unsaved')}</span>
              </>
            )}
          </button>
          <button
            type="button"
            aria-label={t('tabs.close', { name: baseName(tab.path) })}
            title={t('tabs.close', { name: baseName(tab.path) })}
            onClick={() => onClose(tab)}
            className="inline-flex size-6 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
      {menu.element}
    </ul>
  );
}
