import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ProjectOverview } from '#contract/project-overview.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import { CommitRow } from '../parts/commit-row.tsx';
import { ErrorRow } from '../parts/error-row.tsx';
import { isBusy } from '../parts/phases.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { projectKeys } from '../query-keys.ts';
import { Avatar } from '../ui/avatar.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { LanguagesBar } from './languages-bar.tsx';
import { TryIt } from './try-it.tsx';
import { useProjectOverview } from './use-project-overview.ts';

const LATEST_COMMITS = '6';
const OPEN_ERRORS = '5';

/** `/projects/:id`: what to try, open errors and latest commits; beside them languages, activity, hotspots and people. */
export function Overview({ project }: { project: Project }) {
  const { t } = useTranslation('overview');
  const isIndexed = project.indexed_commit !== null;
  const query = useProjectOverview(project);
  if (!isIndexed) {
    return <p className="text-muted">{t(isBusy(project) ? 'pending' : 'not_indexed')}</p>;
  }
  return (
    <QueryState query={query} loading={['100%', '64%', '52%', '70%', '44%']}>
      {(overview) => (
        <ListingPage aside={<Figures project={project} overview={overview} />}>
          <div className="flex flex-col gap-8">
            <TryIt project={project} overview={overview} />
            <OpenErrors project={project} />
            <LatestCommits project={project} />
          </div>
        </ListingPage>
      )}
    </QueryState>
  );
}

interface BlockProps {
  title: string;
  /** Link to all of them. */
  more?: ReactNode;
  children: ReactNode;
}

function Block({ title, more, children }: BlockProps) {
  return (
    <section>
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2>{title}</h2>
        {more && <span className="text-sm">{more}</span>}
      </div>
      {children}
    </section>
  );
}

function OpenErrors({ project }: { project: Project }) {
  const { t } = useTranslation('overview');
  const query = useQuery(
    apiQuery('GET /projects/:id/errors', {
      params: { id: project.id },
      query: { state: 'unsolved', limit: OPEN_ERRORS },
    }),
  );
  const all = (
    <Link to={`/projects/${project.id}/errors`} className="link">
      {t('errors.all')}
    </Link>
  );
  return (
    <Block title={t('errors.title')} more={all}>
      <QueryState
        query={query}
        loading={['70%', '58%']}
        isEmpty={({ errors }) => errors.length === 0}
        empty={<p className="border-t border-border py-3 text-muted">{t('errors.none')}</p>}
      >
        {({ errors }) => (
          <ul className="border-t border-border">
            {errors.map((error) => (
              <li key={error.id} className="border-b border-border">
                <ErrorRow error={error} showsProject={false} />
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </Block>
  );
}

function LatestCommits({ project }: { project: Project }) {
  const { t } = useTranslation('overview');
  const now = useNow();
  const query = useQuery({
    ...apiQuery('GET /projects/:id/commits', {
      params: { id: project.id },
      query: { limit: LATEST_COMMITS },
    }),
    queryKey: [...projectKeys.commits(project), 'latest'],
  });
  const all = (
    <Link to={`/projects/${project.id}/commits`} className="link">
      {t('commits.all')}
    </Link>
  );
  return (
    <Block title={t('commits.title')} more={all}>
      <QueryState query={query} loading={['58%', '44%', '66%', '52%']}>
        {({ commits }) => (
          <ol className="border-t border-border">
            {commits.map((commit) => (
              <CommitRow key={commit.id} projectId={project.id} commit={commit} now={now} />
            ))}
          </ol>
        )}
      </QueryState>
    </Block>
  );
}

interface FiguresProps {
  project: Project;
  overview: ProjectOverview;
}

function Figures({ project, overview }: FiguresProps) {
  const { t, i18n } = useTranslation('overview');
  const number = new Intl.NumberFormat(i18n.language);
  const { weeks, people, people_count: count } = overview;
  const total = weeks.reduce((sum, week) => sum + week, 0);
  return (
    <div className="flex flex-col gap-8">
      <Block title={t('languages.title')}>
        <LanguagesBar languages={overview.languages} />
      </Block>
      <Block title={t('activity.title')}>
        <Sparkline values={weeks} label={t('activity.label')} className="h-auto w-full max-w-80" />
        <p className="mt-1 text-sm text-muted">
          {t('activity.total', { count: total, value: number.format(total) })}
        </p>
      </Block>
      <Block title={t('hotspots.title')}>
        <Hotspots project={project} overview={overview} />
      </Block>
      <Block title={t('people.title')}>
        {count === 0 ? (
          <p className="text-muted">{t('people.none')}</p>
        ) : (
          <ul>
            {people.map(({ name, commits, last_active }) => (
              <li key={name} className="flex h-8 items-center gap-2">
                <Avatar name={name} size="small" />
                <span className="min-w-0 flex-1 truncate">
                  <Verbatim text={name} />
                </span>
                <span className="text-sm text-muted tabular-nums">
                  {t('people.commits', { count: commits, value: number.format(commits) })}
                </span>
                <RelativeTime at={last_active} className="text-sm text-muted max-xl:hidden" />
              </li>
            ))}
          </ul>
        )}
        {count > people.length && (
          <p className="mt-1 text-sm text-muted">
            {t('people.more', { count: count - people.length, value: number.format(count - people.length) })}
          </p>
        )}
      </Block>
    </div>
  );
}

/** Files that changed most in a year, with the share that were fixes. */
function Hotspots({ project, overview: { hotspots } }: FiguresProps) {
  const { t } = useTranslation('overview');
  const most = hotspots[0]?.commits ?? 1;
  if (hotspots.length === 0) return <p className="text-muted">{t('hotspots.none')}</p>;
  return (
    <ul>
      {hotspots.map(({ path, commits, fixes }) => (
        <li key={path} className="border-b border-border py-1.5">
          <Link
            to={fileUrl(project.id, path, { commit: project.indexed_commit })}
            title={path}
            className="block truncate font-mono text-code hover:text-action"
          >
            <Verbatim text={path} />
          </Link>
          <span className="mt-1 flex items-center gap-2 text-sm text-muted">
            <span aria-hidden className="h-1 flex-1 bg-border">
              <span className="block h-full bg-age-2" style={{ width: `${(commits / most) * 100}%` }} />
            </span>
            <span className="w-40 text-right whitespace-nowrap tabular-nums">
              {t('hotspots.counts', { count: commits, fixes: t('hotspots.fixes', { count: fixes }) })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
