import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ProjectSelect } from '../parts/project-select.tsx';
import { WorkingBranchNote } from '../parts/working-branch.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { HistorySearch } from './history-search.tsx';
import { LineSearch } from './line-search.tsx';
import { SearchResults } from './search-results.tsx';

const VIEWS = ['now', 'lines', 'history'] as const;

type Projects = ApiReply<'GET /projects'>;

/** `/search?q=&project_id=&view=`: matching projects; code and commits, lines, or changes of one project. */
export function Component() {
  const { t } = useTranslation('search');
  const [query] = useSearchParams();
  const q = query.get('q')?.trim() ?? '';
  const projects = useQuery(apiQuery('GET /projects'));
  return (
    <div className="max-w-[920px]">
      <PageHeader title={t('title')} lead={q === '' ? t('no_question') : undefined} />
      <QueryState query={projects} showStaleError>
        {(data) => <SearchTabs projects={data} q={q} />}
      </QueryState>
    </div>
  );
}

function SearchTabs({ projects, q }: { projects: Projects; q: string }) {
  const { t } = useTranslation('search');
  const [query, setQuery] = useSearchParams();
  const requestedProject = query.get('project_id');
  const project = projects.find(({ id }) => id === requestedProject) ?? projects[0];
  if (!project) {
    return (
      <EmptyState
        title={t('no_projects')}
        action={<ButtonLink to="/projects">{t('to_projects')}</ButtonLink>}
      >
        {t('no_projects_text')}
      </EmptyState>
    );
  }
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    next.set(name, value);
    setQuery(next);
  };
  return (
    <>
      <ProjectResults projects={projects} q={q} />
      <ProjectSelect projects={projects} selected={project.id} onSelect={(id) => change('project_id', id)} />
      {q !== '' && <WorkingBranchNote projectId={project.id} className="mb-3" />}
      {q !== '' && (
        <Tabs
          label={t('title')}
          value={VIEWS.find((view) => view === query.get('view')) ?? 'now'}
          onChange={(view) => change('view', view)}
          tabs={[
            { value: 'now', label: t('now'), content: <SearchResults projectId={project.id} q={q} /> },
            {
              value: 'lines',
              label: t('lines.title'),
              content: <LineSearch projectId={project.id} q={q} />,
            },
            {
              value: 'history',
              label: t('history.title'),
              content: <HistorySearch projectId={project.id} q={q} />,
            },
          ]}
        />
      )}
    </>
  );
}

/** Projects whose name or URL contains the text. */
function ProjectResults({ projects, q }: { projects: Projects; q: string }) {
  const { t } = useTranslation('search');
  const text = q.toLowerCase();
  const matching = projects.filter(({ name, git_url }) => `${name}\n${git_url}`.toLowerCase().includes(text));
  if (q === '' || matching.length === 0) return null;
  return (
    <section className="mb-6">
      <h2 className="mb-2">{t('projects')}</h2>
      <ul>
        {matching.map(({ id, name, git_url }) => (
          <li key={id} className="border-t border-border">
            <Link to={`/projects/${id}`} className="flex h-8 items-center gap-3 px-2 hover:bg-select">
              <span className="font-medium">{name}</span>
              <span className="truncate font-mono text-sm text-muted">{git_url}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
