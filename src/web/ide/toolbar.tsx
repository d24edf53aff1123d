import { Contrast, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import type { EditorTab } from './editor-tab.ts';

interface ToolbarProps {
  tab: EditorTab;
  analyzing: boolean;
  saving: boolean;
  /** The editor is dark regardless of the page's theme. */
  dark: boolean;
  onAnalyze: () => void;
  onSave: () => void;
  /** Opens the commit dialog. */
  onCommit: () => void;
  onRename: () => void;
  onDelete: () => void;
  onDark: () => void;
}

/** Actions on the displayed file. */
export function Toolbar({ tab, analyzing, saving, dark, ...on }: ToolbarProps) {
  const { t } = useTranslation('ide');
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-surface px-3 py-1.5">
      <span className="min-w-0 flex-1 basis-40 truncate font-mono text-code text-muted" title={tab.path}>
        <Verbatim text={tab.path} />
      </span>
      <div className="flex items-center gap-1">
        <IconButton
          label={t(dark ? 'toolbar.follow_theme' : 'toolbar.always_dark')}
          icon={<Contrast aria-hidden className="size-4" />}
          onClick={on.onDark}
        />
        {tab.readOnly === null && (
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
        <Button className="ml-1" loading={analyzing} onClick={on.onAnalyze}>
          {t(analyzing ? 'toolbar.analyzing' : 'toolbar.analyze')}
        </Button>
        <Button disabled={tab.readOnly !== null} onClick={on.onCommit}>
          {t('toolbar.commit')}
        </Button>
        <Button
          kind="primary"
          loading={saving}
          disabled={tab.readOnly !== null}
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
