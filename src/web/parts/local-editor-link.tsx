import { Settings2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { buttonClass, IconButton } from '../ui/button.tsx';
import { LOCAL_EDITOR_NAMES, localEditorUrl } from './local-editor.ts';
import { useLocalEditor } from './use-local-editor.ts';

const LocalEditorDialog = lazyComponent(() =>
  import('./local-editor-dialog.tsx').then((module) => module.LocalEditorDialog),
);

interface LocalEditorLinkProps {
  project: { id: string; name: string };
  path: string;
  line: number;
}

/** Opens the line in the editor on the reader's computer, once that is set up; the button beside it sets it up. */
export function LocalEditorLink({ project, path, line }: LocalEditorLinkProps) {
  const { t } = useTranslation('local-editor');
  const setting = useLocalEditor(project.id);
  const [isOpen, setOpen] = useState(false);
  return (
    <span className="inline-flex items-center gap-0.5">
      {setting && (
        <a href={localEditorUrl(setting, { path, line })} className={buttonClass('plain')}>
          {t('open', { editor: LOCAL_EDITOR_NAMES[setting.editor] })}
        </a>
      )}
      <IconButton
        label={t('title')}
        icon={<Settings2 aria-hidden className="size-4" />}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <LocalEditorDialog project={project} setting={setting} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  );
}
