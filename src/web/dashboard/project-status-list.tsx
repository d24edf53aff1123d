import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { hasForegroundActivity } from '../parts/phases.ts';
import { ButtonLink } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { NewBadge } from './new-badge.tsx';

const MAX_PROJECTS = 8;

interface ProjectStatusListProps {
  projects: UseQueryResult<Project[], Error>;
  /** Time of the last visit in milliseconds. */
  since: number | null;
}

/** Indexing status of each project. */
export function ProjectStatusList({ projects, since }: ProjectStatusListProps) {
  const { t } = useTranslation('home');
  return (
    <section aria-labelledby="project-states">
      <h2 id="project-states" className="mb-2 text-answer">
        {t('projects.title')}
      </h2>
      <QueryState query={projects} loading={['48%', '62%', '40%']} empty={<NoProjects />}>
        {(data) => (
          <>
            <ul className="border-b border-border">
              {data.slice(0, MAX_PROJECTS).map((project) => (
                <ProjectStatusRow key={project.id} project={project} since={since} />
              ))}
            </ul>
            {data.length > MAX_PROJECTS && (
              <Link to="/projects" className="link mt-3 inline-block">
                {t('projects.all', { count: data.length })}
              </Link>
            )}
          </>
        )}
      </QueryState>
    </section>
  );
}

function NoProjects() {
  const { t } = useTranslation('home');
  return (
    <div className="border-t border-border py-3">
      <p className="mb-3 text-muted">{t('projects.none')}</p>
      <ButtonLink to="/projects">{t('projects.add')}</ButtonLink>
    </div>
  );
}

function ProjectStatusRow({ project, since }: { project: Project; since: number | null }) {
  const { t } = useTranslation('home');
  return (
    <li className="border-t border-border">
      <Link to={`/projects/${project.id}`} className="-mx-2 block rounded-md px-2 py-2 hover:bg-select">
        <span className="block truncate font-semibold">{project.name}</span>
        <span className="mt-0.5 flex flex-wrap gap-x-3 text-muted">
          <NewBadge at={project.indexed_at} since={since} />
          <span className="inline-flex items-center gap-1.5">
            {project.failure && <CircleAlert aria-hidden className="size-3.5 text-foreground" />}
            {t(statusKey(project))}
          </span>
          {project.indexed_at && (
            <span className="ml-auto">
              {t('projects.read')} <RelativeTime at={project.indexed_at} />
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

/** Translation key of a project's status; a failed refresh leaves the former index. */
function statusKey(project: Project): string {
  const { status, failure } = project;
  if (failure) return 'projects.failed';
  if (status === 'ready') {
    return hasForegroundActivity(project) ? 'projects.refreshing' : 'projects.ready';
  }
  return 'projects.remembering';
}
