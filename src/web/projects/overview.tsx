import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { CommitRow } from '../parts/commit-row.tsx';
import { isBusy } from '../parts/phases.ts';
import { useNow } from '../parts/use-now.ts';
import { QueryState } from '../ui/query-state.tsx';

const LATEST_COMMITS = '8';

/** Overview of a project. */
export function Overview({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const now = useNow();
  const query = useQuery(
    apiQuery('GET /projects/:id/commits', { params: { id: project.id }, query: { limit: LATEST_COMMITS } }),
  );
  return (
    <section>
      <h2 className="mb-2">{t('overview.latest_commits')}</h2>
      <QueryState
        query={query}
        loading={['58%', '44%', '66%', '52%']}
        empty={<p className="text-muted">{t(isBusy(project) ? 'commits.pending' : 'commits.empty')}</p>}
        isEmpty={({ commits }) => commits.length === 0}
      >
        {({ commits }) => (
          <ol className="border-t border-border">
            {commits.map((commit) => (
              <CommitRow key={commit.id} projectId={project.id} commit={commit} now={now} />
            ))}
          </ol>
        )}
      </QueryState>
      <p className="mt-3">
        <Link to={`/projects/${project.id}/commits`} className="link">
          {t('overview.all_commits')}
        </Link>
      </p>
    </section>
  );
}
