import { useQuery } from '@tanstack/react-query';
import type { Dashboard } from '#contract/dashboard.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { NoProjects } from '../parts/no-projects.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { type State, StateMark } from '../ui/state-mark.tsx';
import { counterWeeks } from './counter-weeks.ts';

type RecentProject = Dashboard['recent_projects'][number];

const COUNTERS = ['total_projects', 'total_commits', 'solved_errors', 'active_projects'] as const;

/** `/dashboard`: counters, quick actions and recent projects. */
export function Component() {
  const { t } = useTranslation('dashboard');
  const query = useQuery(apiQuery('GET /dashboard'));
  return (
    <>
      <PageHeader title={t('title')} />
      <nav aria-label={t('actions')} className="mb-6 flex flex-wrap gap-2">
        <ButtonLink to="/projects">{t('view_projects')}</ButtonLink>
        <ButtonLink to="/debug" kind="primary">
          {t('debug_code')}
        </ButtonLink>
        <ButtonLink to="/history">{t('view_history')}</ButtonLink>
      </nav>
      <ListingPage>
        <QueryState query={query} loading={['72%', '72%', '18%', '44%', '38%', '52%']}>
          {(dashboard) => (
            <>
              <Counters dashboard={dashboard} />
              <RecentProjects projects={dashboard.recent_projects} />
            </>
          )}
        </QueryState>
      </ListingPage>
    </>
  );
}

/** One ruled strip, not four cards: the numbers are read together, each with its definition and its last weeks. */
function Counters({ dashboard }: { dashboard: Dashboard }) {
  const { t, i18n } = useTranslation('dashboard');
  const number = new Intl.NumberFormat(i18n.language);
  const projects = useQuery(apiQuery('GET /projects'));
  const weeks = counterWeeks(dashboard, projects.data ?? [], Date.now());
  return (
    <dl className="grid grid-cols-2 border-y border-border lg:grid-cols-4">
      {COUNTERS.map((counter) => (
        <div
          key={counter}
          className="flex flex-col border-border px-4 py-3 first:pl-0 max-lg:odd:pl-0 max-lg:even:border-l max-lg:nth-[n+3]:border-t lg:not-first:border-l"
        >
          <dt>{t(`counter.${counter}.name`)}</dt>
          <dd className="order-first flex items-end justify-between gap-3">
            <span className="text-title font-semibold">{number.format(dashboard[counter])}</span>
            <Sparkline
              values={weeks[counter]}
              label={t(`counter.${counter}.weeks`)}
              className="mb-1.5 max-sm:hidden"
            />
          </dd>
          <dd className="text-sm text-muted">{t(`counter.${counter}.what`)}</dd>
        </div>
      ))}
    </dl>
  );
}

function markOf(status: RecentProject['status']): State {
  return status === 'queued' || status === 'ready' || status === 'failed' ? status : 'running';
}

function RecentProjects({ projects }: { projects: RecentProject[] }) {
  const { t } = useTranslation(['dashboard', 'projects']);
  if (projects.length === 0) {
    return (
      <NoProjects title={t('empty.title')} submitLabel={t('empty.add')}>
        {t('empty.text')}
      </NoProjects>
    );
  }
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-answer">{t('recent')}</h2>
      <ul className="border-b border-border">
        {projects.map((project) => (
          <li key={project.id} className="flex items-center gap-4 border-t border-border py-3">
            <div className="min-w-0 flex-1">
              <h3 className="truncate">{project.name}</h3>
              <p className="truncate font-mono text-sm text-muted" title={project.git_url}>
                <Verbatim text={project.git_url} />
              </p>
              <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted">
                <StateMark state={markOf(project.status)}>{t(`projects:status.${project.status}`)}</StateMark>
                <RelativeTime at={project.created_at} />
              </p>
            </div>
            <ButtonLink to={`/projects/${project.id}`}>
              {t('view')}
              <span className="sr-only">: {project.name}</span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
