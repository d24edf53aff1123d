import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { useProjects } from '../parts/use-project.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { ProjectCard } from './project-card.tsx';

const AddProjectDialog = lazy(() =>
  import('./add-project.tsx').then((module) => ({ default: module.AddProjectDialog })),
);

/** `/projects`: the user's projects. */
export function Component() {
  const { t } = useTranslation('projects');
  const { hash } = useLocation();
  const [adding, setAdding] = useState(false);
  const projects = useProjects();
  if (hash.length > 1) return <Navigate to={`/projects/${encodeURIComponent(hash.slice(1))}`} replace />;
  const add = () => setAdding(true);
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          projects.data?.length ? (
            <Button kind="primary" onClick={add}>
              <Plus aria-hidden className="size-4" />
              {t('add')}
            </Button>
          ) : undefined
        }
      />
      <ProjectGrid projects={projects} onAdd={add} />
      {adding && (
        <Suspense>
          <AddProjectDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  );
}

function ProjectGrid({ projects, onAdd }: { projects: ReturnType<typeof useProjects>; onAdd: () => void }) {
  const { t } = useTranslation('projects');
  const empty = (
    <EmptyState
      title={t('empty.title')}
      action={
        <Button kind="primary" onClick={onAdd}>
          {t('empty.add')}
        </Button>
      }
    >
      {t('empty.text')}
    </EmptyState>
  );
  return (
    <QueryState query={projects} loading={['30%', '52%', '24%', '34%', '48%', '22%']} empty={empty}>
      {(data) => (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,340px),1fr))] gap-x-8 border-t border-border">
          {data.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
    </QueryState>
  );
}
