import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { FileVersion } from '#contract/code.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { commitUrl, fileUrl } from '../parts/citation.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { QueryState } from '../ui/query-state.tsx';
import { NotFoundState } from './not-found-state.tsx';

interface MissingFileProps {
  projectId: string;
  path: string;
  /** Reply that the file is not there. */
  error: Error;
}

/** State of a path that the indexed commit lacks: its last version and the commit that ended it, where there was one. */
export function MissingFile({ projectId, path, error }: MissingFileProps) {
  const query = useQuery({
    ...apiQuery('GET /projects/:id/versions/*', { params: { id: projectId, '*': path } }),
    staleTime: 60_000,
  });
  return (
    <QueryState query={query} loading={['40%', '56%']}>
      {({ versions }) =>
        versions.length === 0 ? (
          <NotFoundState error={error} projectId={projectId}>
            {null}
          </NotFoundState>
        ) : (
          <FormerFile projectId={projectId} versions={versions} />
        )
      }
    </QueryState>
  );
}

function FormerFile({ projectId, versions }: { projectId: string; versions: FileVersion[] }) {
  const { t, i18n } = useTranslation('code');
  const [newest] = versions;
  const last = versions.find(({ status }) => status !== 'D');
  return (
    <EmptyState
      title={t('missing.former')}
      action={
        <span className="flex flex-wrap gap-2">
          {last && (
            <ButtonLink to={fileUrl(projectId, last.path, { commit: last.hash })}>
              {t('missing.last_version')}
            </ButtonLink>
          )}
          <ButtonLink kind="ghost" to="?view=history">
            {t('file.all_versions')}
          </ButtonLink>
        </span>
      }
    >
      {t('missing.last_commit')}{' '}
      <Link to={commitUrl(projectId, newest!.hash)} className="link wrap-anywhere">
        <Verbatim text={newest!.subject || t('no_message')} />
      </Link>
      , <Verbatim text={newest!.author} />, {formatShortDateTime(newest!.timestamp, i18n.language)}
    </EmptyState>
  );
}
