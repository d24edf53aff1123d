import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { baseName, type EditorTab } from './editor-tab.ts';

interface TabStripProps {
  tabs: EditorTab[];
  active: string | null;
  onShow: (path: string) => void;
  /** Keeps a file open that was only looked at. */
  onPin: (path: string) => void;
  onClose: (tab: EditorTab) => void;
}

/** Tabs of the open files; a dot marks unsaved changes, italics a file that is only looked at. */
export function TabStrip({ tabs, active, onShow, onPin, onClose }: TabStripProps) {
  const { t } = useTranslation('ide');
  if (tabs.length === 0) return null;
  return (
    <ul
      aria-label={t('tabs.label')}
      className="flex shrink-0 overflow-x-auto border-b border-border bg-background"
    >
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
    </ul>
  );
}
