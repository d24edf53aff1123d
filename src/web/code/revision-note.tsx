import { Link, useLocation } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { shortenHash } from '../parts/repository-text.ts';
import { Verbatim } from '../parts/verbatim.tsx';

/** Revision of a page, with a link to the same page at the indexed commit. */
export function RevisionNote({ project, revision }: { project: Project; revision: string | null }) {
  const { t } = useTranslation('code');
  const { pathname } = useLocation();
  const current = project.indexed_commit?.slice(0, 7) ?? '';
  if (revision === null) return <span className="font-mono text-sm">{current}</span>;
  return (
    <span className="flex flex-wrap gap-x-3">
      <span className="font-mono text-sm">
        <Verbatim text={shortenHash(revision)} />
      </span>
      <Link to={pathname} className="link">
        {t('revision.current', { commit: current })}
      </Link>
    </span>
  );
}
