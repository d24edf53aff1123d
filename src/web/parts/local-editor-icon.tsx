import { MonitorUp } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { citationLabel } from './citation.ts';
import { LOCAL_EDITOR_NAMES, localEditorUrl } from './local-editor.ts';
import { useLocalEditor } from './use-local-editor.ts';

interface LocalEditorIconProps {
  projectId: string;
  path: string;
  line: number | undefined;
}

/** Opens a line in the editor on the reader's computer; nothing where its project has no clone there. */
export function LocalEditorIcon({ projectId, path, line = 1 }: LocalEditorIconProps) {
  const { t } = useTranslation('local-editor');
  const setting = useLocalEditor(projectId);
  if (!setting) return null;
  const place = citationLabel({ kind: 'file', path, from: line, to: line, commit: null });
  const label = t('open_place', { place, editor: LOCAL_EDITOR_NAMES[setting.editor] });
  return (
    <a
      href={localEditorUrl(setting, { path, line })}
      title={label}
      aria-label={label}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground"
    >
      <MonitorUp aria-hidden className="size-3.5" />
    </a>
  );
}
