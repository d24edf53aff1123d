import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { hasForegroundActivity } from '../parts/phases.ts';
import { Sparkline } from '../ui/sparkline.tsx';
import { type State, StateMark } from '../ui/state-mark.tsx';
import { HomeSection } from './home-section.tsx';
import { isNewSince, NewBadge } from './new-badge.tsx';

const MAX_PROJECTS = 8;

interface ProjectStatusListProps {
  projects: Project[];
  /** Time of the last visit in milliseconds. */
  since: number | null;
}

/** State of each project's index, its lag behind the upstream branch and its activity. */
export function ProjectStatusList({ projects, since }: ProjectStatusListProps) {
  const { t } = useTranslation('home');
  return (
    <HomeSection
      title={t('projects.title')}
      aside={
        <Link to="/projects" className="link">
          {projects.length > MAX_PROJECTS ? t('projects.all', { count: projects.length }) : t('projects.add')}
        </Link>
      }
    >
      <ul>
        {projects.slice(0, MAX_PROJECTS).map((project) => (
          <li key={project.id} className="border-b border-border">
            <ProjectStatusRow project={project} since={since} />
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}

function ProjectStatusRow({ project, since }: { project: Project; since: number | null }) {
  const { t, i18n } = useTranslation('home');
  const [state, text] = describeStatus(project);
  const count = project.behind ?? 0;
  const value = new Intl.NumberFormat(i18n.language).format(count);
  return (
    <Link to={`/projects/${project.id}`} className="row min-h-12 py-1.5">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{project.name}</span>
        <span className="flex flex-wrap gap-x-3 text-sm text-muted">
          <NewBadge isNew={isNewSince(project.indexed_at, since)} />
          <StateMark state={state}>{t(text, { count, value })}</StateMark>
        </span>
      </span>
      {project.weeks && (
        <Sparkline values={project.weeks} label={t('projects.commits')} className="shrink-0" />
      )}
    </Link>
  );
}

/** State and text of a project's index; a failed refresh leaves the former one. */
function describeStatus(project: Project): [State, string] {
  if (project.failure) return ['failed', 'projects.failed'];
  if (project.status !== 'ready') return ['running', 'projects.indexing'];
  if (hasForegroundActivity(project)) return ['running', 'projects.refreshing'];
  return project.behind ? ['behind', 'projects.behind'] : ['ready', 'projects.ready'];
}
