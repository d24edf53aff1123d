import { useTranslation } from '../../i18n.ts';
import { formatRelativeTime } from '../../parts/age.ts';
import { useNow } from '../../parts/use-now.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { useCursor } from '../cursor-store.ts';
import type { EditorTab } from '../editor-tab.ts';
import { savedLine } from '../saved-text.ts';
import { StatusButton } from '../status-button.tsx';
import type { Workspace } from '../use-workspace.ts';
import { findBlameRun } from './find-blame-run.ts';
import { useBlame } from './use-blame.ts';

interface LastChangeProps {
  workspace: Workspace;
  tab: EditorTab;
  onBlame: () => void;
}

/** Last change of the line at the cursor, while the editor shows last changes. */
export function LastChange({ workspace, tab, onBlame }: LastChangeProps) {
  const { t, i18n } = useTranslation('editor');
  const now = useNow();
  const cursor = useCursor(workspace.cursor);
  const { data } = useBlame(workspace.project.id, tab);
  const state = workspace.documentOf(tab.path);
  if (!data || !cursor || !state || !tab.saved || cursor.line > state.doc.lines) return null;
  const line = savedLine(state, tab.saved, cursor.line);
  const run = line === null ? undefined : findBlameRun(data.runs, line);
  if (!run) return <span className="px-1.5">{t('status.not_committed')}</span>;
  const words = `${run.author}, ${formatRelativeTime(run.timestamp, now, i18n.language) ?? ''} · ${run.subject}`;
  return (
    <StatusButton label={`${words}. ${t('status.open_history')}`} onClick={onBlame}>
      <span className="max-w-[40vw] truncate">
        <Verbatim text={words} max={160} />
      </span>
    </StatusButton>
  );
}
