import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SearchableList, useListQuery } from './searchable-list.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';
import { Table } from './table.tsx';

/** All projects with owner and status; their content is visible to members only. */
export function ProjectList() {
  const { t, i18n } = useTranslation('admin');
  const list = useListQuery();
  const projects = useQuery({
    ...apiQuery('GET /admin/projects', { query: list.query }),
    placeholderData: keepPreviousData,
  });
  const count = (value: number | null) => value?.toLocaleString(i18n.language) ?? '–';
  return (
    <SearchableList list={list} label={t('projects.search')} total={projects.data?.total}>
      <QueryState query={projects} loading={SKELETON_ROWS}>
        {({ projects: rows }) => (
          <Table
            label={t('tabs.projects')}
            columns={[
              { name: t('projects.name') },
              { name: t('projects.owner') },
              { name: t('projects.status') },
              { name: t('projects.members'), numeric: true },
              { name: t('projects.commits'), numeric: true },
              { name: t('projects.files'), numeric: true },
              { name: t('projects.indexed') },
            ]}
            rows={rows.map((project) => ({
              key: project.id,
              cells: [
                <span key="name" className="font-semibold">
                  {project.name}
                </span>,
                project.owner ?? '–',
                <span key="status" title={project.failure ?? undefined}>
                  {t(`projects.states.${project.status}`)}
                  {project.failure !== null && <span className="text-muted"> · {project.failure}</span>}
                </span>,
                count(project.member_count),
                count(project.commit_count),
                count(project.file_count),
                project.indexed_at ? <RelativeTime key="at" at={project.indexed_at} /> : '–',
              ],
            }))}
          />
        )}
      </QueryState>
    </SearchableList>
  );
}
