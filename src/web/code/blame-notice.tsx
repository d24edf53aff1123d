import type { UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

const MAX_NAMED = 5;

interface BlameNoticeProps {
  project: Project;
  path: string;
  query: UseQueryResult<ApiReply<'GET /projects/:id/blame/*'>, Error>;
}

/** State of the blame, and the commits that it passed over. */
export function BlameNotice({ project, query }: BlameNoticeProps) {
  const { t } = useTranslation('code');
  const [search, setSearch] = useSearchParams();
  const isKept = search.get('formatting') === 'keep';
  const toggle = () => {
    const next = new URLSearchParams(search);
    if (isKept) next.delete('formatting');
    else next.set('formatting', 'keep');
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  if (query.error && !query.data)
    return (
      <Notice kind="error" className="mb-3" onRetry={() => query.refetch()}>
        {query.error.message}
      </Notice>
    );
  const skipped = query.data?.skipped ?? [];
  if (!query.data)
    return (
      <p role="status" className="mb-2 text-muted">
        {t('blame.loading')}
      </p>
    );
  if (skipped.length === 0 && !isKept) return null;
  return (
    <p className="mb-2 flex flex-wrap items-center gap-2 text-muted">
      {skipped.length > 0 && t('blame.skipped', { count: skipped.length })}
      {skipped.slice(0, MAX_NAMED).map(({ hash }) => (
        <CitationChip key={hash} projectId={project.id} citation={{ kind: 'commit', hash }} />
      ))}
      <Button kind="ghost" size="small" onClick={toggle}>
        {t(isKept ? 'blame.skip' : 'blame.keep')}
      </Button>
    </p>
  );
}
