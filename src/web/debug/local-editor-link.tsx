import { Settings2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { buttonClass, IconButton } from '../ui/button.tsx';
import type { FrameRange } from './answer-frames.ts';
import { LOCAL_EDITORS, localEditorUrl, readLocalEditor, saveLocalEditor } from './local-editor.ts';

const LocalEditorDialog = lazyComponent(() =>
  import('./local-editor-dialog.tsx').then((module) => module.LocalEditorDialog),
);

interface LocalEditorLinkProps {
  project: { id: string; name: string };
  range: FrameRange;
}

/** Opens the line in the editor on the reader's machine, once that is set up; the button beside it sets it up. */
export function LocalEditorLink({ project, range }: LocalEditorLinkProps) {
  const { t } = useTranslation('debug');
  const [setting, setSetting] = useState(() => readLocalEditor(project.id));
  const [isOpen, setOpen] = useState(false);
  return (
    <span className="inline-flex items-center gap-0.5">
      {setting && (
        <a
          href={localEditorUrl(setting, { path: range.path, line: range.from })}
          className={buttonClass('plain')}
        >
          {t('local.open', { editor: LOCAL_EDITORS[setting.editor] })}
        </a>
      )}
      <IconButton
        label={t('local.title')}
        icon={<Settings2 aria-hidden className="size-4" />}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <LocalEditorDialog
            projectName={project.name}
            setting={setting}
            onClose={() => setOpen(false)}
            onSave={(next) => {
              saveLocalEditor(project.id, next);
              setSetting(next);
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </span>
  );
}
