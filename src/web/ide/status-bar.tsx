import { Settings } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { languageName } from '../parts/language-names.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { useCursor } from './cursor-store.ts';
import { useEditorSettings } from './editor-settings.ts';
import { type EditorTab, hasText } from './editor-tab.ts';
import { StatusButton } from './status-button.tsx';
import type { Workspace } from './use-workspace.ts';

const LastChange = lazyComponent(() => import('./blame/last-change.tsx').then((module) => module.LastChange));

interface StatusBarProps {
  workspace: Workspace;
  tab: EditorTab | null;
  /** Branch or revision of the files. */
  revision: string;
  onGoToLine: () => void;
  onSettings: () => void;
  onBlame: () => void;
}

/** Position, indentation, encoding, line endings, language and branch of the file with the focus. */
export function StatusBar({ workspace, tab, revision, onGoToLine, onSettings, onBlame }: StatusBarProps) {
  const { t } = useTranslation('editor');
  const { blame } = useEditorSettings().settings;
  return (
    <section
      aria-label={t('status.label')}
      className="flex h-7 shrink-0 items-center tab-strip gap-x-1 border-t border-border bg-background px-2 text-sm whitespace-nowrap text-muted"
    >
      <span
        className="max-w-40 truncate px-1.5 font-mono max-sm:hidden"
        title={t('status.revision', { revision })}
      >
        <Verbatim text={revision} />
      </span>
      {tab && hasText(tab) && blame && (
        <Suspense>
          <LastChange workspace={workspace} tab={tab} onBlame={onBlame} />
        </Suspense>
      )}
      <span className="flex-1" />
      {tab && hasText(tab) && (
        <>
          <Position workspace={workspace} onGoToLine={onGoToLine} />
          <LineEnds workspace={workspace} tab={tab} />
          <span className="px-1.5 uppercase max-sm:hidden">{tab.encoding}</span>
          {tab.language && <span className="px-1.5 max-sm:hidden">{languageName(tab.language)}</span>}
        </>
      )}
      <StatusButton label={t('settings.title')} onClick={onSettings}>
        <Settings aria-hidden className="size-3.5" />
      </StatusButton>
    </section>
  );
}

function Position({ workspace, onGoToLine }: { workspace: Workspace; onGoToLine: () => void }) {
  const { t } = useTranslation('editor');
  const cursor = useCursor(workspace.cursor);
  if (!cursor) return null;
  const { line, column, selected, cursors } = cursor;
  const words = [
    t('status.position', { line, column }),
    ...(cursors > 1 ? [t('status.cursors', { count: cursors })] : []),
    ...(selected > 0 ? [t('status.selected', { count: selected })] : []),
  ].join(' · ');
  return (
    <StatusButton label={`${words}. ${t('status.go_to_line')}`} onClick={onGoToLine}>
      <span className="tabular-nums">{words}</span>
    </StatusButton>
  );
}

/** Line endings of the file; a click changes all of them. Mixed ones stay as they are until then. */
function LineEnds({ workspace, tab }: { workspace: Workspace; tab: EditorTab }) {
  const { t } = useTranslation('editor');
  const { ends, path } = tab;
  if (tab.readOnly !== null || ends === 'mixed')
    return <span className="px-1.5">{t(`status.ends_${ends}`)}</span>;
  const other = ends === 'lf' ? 'crlf' : 'lf';
  return (
    <StatusButton
      label={t('status.change_ends', { ends: t(`status.ends_${ends}`), other: t(`status.ends_${other}`) })}
      onClick={() => workspace.setEnds(path, other)}
    >
      {t(`status.ends_${ends}`)}
    </StatusButton>
  );
}
