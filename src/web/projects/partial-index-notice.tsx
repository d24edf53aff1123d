import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { formatFilter } from '#contract/search-query.ts';
import { useTranslation } from '../i18n.ts';
import { Notice } from '../ui/notice.tsx';

/** Notice while the first index is not complete: what works already, and what is still being read. */
export function PartialIndexNotice({ project: { name, partial_index: index } }: { project: Project }) {
  const { t } = useTranslation('overview');
  if (!index) return null;
  const search = new URLSearchParams({ q: `${formatFilter('repo', name)} ` });
  return (
    <Notice
      action={
        <Link to={`/search?${search}`} className="link">
          {t('partial_index.link')}
        </Link>
      }
    >
      {t('partial_index.search')}{' '}
      {t(index.pending.includes('commits') ? 'partial_index.commits' : 'partial_index.symbols')}
    </Notice>
  );
}
