import { SquarePen } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { buttonClass } from '../ui/button.tsx';
import { citationLabel, editorUrl } from './citation.ts';

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

/** Opens lines of a file in the editor, which closes to this page. */
export function EditorLink({ projectId, path, from, to = from, commit, isNamed = false }: EditorLinkProps) {
  const { t } = useTranslation('parts');
  const { pathname, search, hash } = useLocation();
  const place = from && to ? citationLabel({ kind: 'file', path, from, to, commit: null }) : path;
  return (
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
  );
}
