import { SquarePen } from 'lucide-react';
import { Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { buttonClass } from '../ui/button.tsx';
import { useCurrentUser } from '../user.ts';
import { citationLabel, editorUrl } from './citation.ts';

const LocalEditorIcon = lazyComponent(() =>
  import('./local-editor-icon.tsx').then((module) => module.LocalEditorIcon),
);

interface EditorLinkProps {
  projectId: string;
  path: string;
  /** Lines to select. */
  from?: number | undefined;
  to?: number | undefined;
  /** Commit of the lines; the editor only reads one that is not indexed now. */
  commit?: string | null | undefined;
  /** Shows the words beside the icon. */
  isNamed?: boolean;
}

/** Opens lines of a file in the editor, which closes to this page, and in the one on the reader's computer. */
export function EditorLink({ projectId, path, from, to = from, commit, isNamed = false }: EditorLinkProps) {
  const { t } = useTranslation('parts');
  const { pathname, search, hash } = useLocation();
  const hasLocalEditor = Boolean(useCurrentUser().data?.preferences.local_editor);
  const place = from && to ? citationLabel({ kind: 'file', path, from, to, commit: null }) : path;
  return (
    <>
      <Link
        to={editorUrl(projectId, path, { ref: commit ?? null, from, to })}
        state={{ from: pathname + search + hash }}
        title={isNamed ? undefined : t('open_in_editor')}
        aria-label={isNamed ? undefined : t('open_place_in_editor', { place })}
        className={
          isNamed
            ? buttonClass('plain')
            : 'inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground'
        }
      >
        <SquarePen aria-hidden className={isNamed ? 'size-4' : 'size-3.5'} />
        {isNamed && t('open_in_editor')}
      </Link>
      {hasLocalEditor && (
        <Suspense>
          <LocalEditorIcon projectId={projectId} path={path} line={from} />
        </Suspense>
      )}
    </>
  );
}
