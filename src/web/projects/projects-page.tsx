import { Download, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { FirstRun } from '../parts/first-run.tsx';
import { useProjects } from '../parts/use-project.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { ProjectCard } from './project-card.tsx';
import { ProjectFilters, ProjectPages } from './project-filters.tsx';
import { readListOptions, selectProjects } from './project-selection.ts';

const AddProjectDialog = lazyComponent(() =>
  import('./add-project.tsx').then((module) => module.AddProjectDialog),
);

/** `/projects?q=&state=&sort=&page=`: the user's projects. */
export function Component() {
  const { t } = useTranslation(['projects', 'first-run']);
  const { hash } = useLocation();
  const [adding, setAdding] = useState(false);
  const projects = useProjects();
  if (hash.length > 1) return <Navigate to={`/projects/${encodeURIComponent(hash.slice(1))}`} replace />;
  return (
    <ListingPage>
      <PageHeader
        title={t('title')}
        actions={
          projects.data?.length ? (
            <>
              <ButtonLink to="/projects/import">
                <Download aria-hidden className="size-4" />
                {t('first-run:many.open')}
              </ButtonLink>
              <Button kind="primary" onClick={() => setAdding(true)}>
                <Plus aria-hidden className="size-4" />
                {t('add')}
              </Button>
            </>
          ) : undefined
        }
      />
      <QueryState
        query={projects}
        loading={['30%', '52%', '24%', '34%', '48%', '22%']}
        empty={<NoProjects />}
      >
        {(data) => <ProjectGrid projects={data} />}
      </QueryState>
      {adding && (
        <Suspense>
          <AddProjectDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </ListingPage>
  );
}

function NoProjects() {
  const { t } = useTranslation('projects');
  return (
    <>
      <h2 className="text-answer">{t('empty.title')}</h2>
      <p className="mt-1 mb-6 max-w-[68ch] text-muted">{t('empty.text')}</p>
      <FirstRun submitLabel={t('empty.add')} />
    </>
  );
}

function ProjectGrid({ projects }: { projects: Project[] }) {
  const { t } = useTranslation('projects');
  const [query] = useSearchParams();
  const options = readListOptions(query);
  const shown = selectProjects(projects, options);
  return (
    <>
      <ProjectFilters options={options} total={shown.total} />
      {shown.total === 0 ? (
        <p className="border-t border-border py-6 text-muted">{t('list.none')}</p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,340px),1fr))] gap-x-8 border-t border-border">
          {shown.projects.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
      <ProjectPages page={options.page} pages={shown.pages} />
    </>
  );
}
