import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { read } from '../query.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { FoundList, useFinding } from './found-list.tsx';
import { Loaded } from './loaded.tsx';
import { Table } from './table.tsx';

/** All projects: whose they are and how they do. What is in them stays with their members. */
export function ProjectList() {
  const { t, i18n } = useTranslation('admin');
  const finding = useFinding();
  const projects = useQuery({
    ...read('GET /admin/projects', { query: finding.query }),
    placeholderData: keepPreviousData,
  });
  const count = (value: number | null) => value?.toLocaleString(i18n.language) ?? '–';
  return (
    <FoundList finding={finding} label={t('projects.look')} total={projects.data?.total}>
      <Loaded query={projects}>
        {({ projects: rows }) => (
          <Table
            label={t('tabs.projects')}
            columns={[
              { name: t('projects.name') },
              { name: t('projects.owner') },
              { name: t('projects.status') },
              { name: t('projects.members'), numbers: true },
              { name: t('projects.commits'), numbers: true },
              { name: t('projects.files'), numbers: true },
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
                count(project.members),
                count(project.commits),
                count(project.files),
                project.indexed_at ? <RelativeTime key="at" at={project.indexed_at} /> : '–',
              ],
            }))}
          />
        )}
      </Loaded>
    </FoundList>
  );
}
