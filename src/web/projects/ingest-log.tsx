import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { IngestRunEntry } from '#contract/project-settings.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { commitUrl } from '../parts/citation.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';
import { StateMark } from '../ui/state-mark.tsx';

const PAGE_SIZE = 10;
const PHASES = ['clone', 'commits', 'passages'] as const;
const STATES = { running: 'running', done: 'ready', failed: 'failed' } as const;

/** Indexing runs of a project: why each began, what it did, how long each phase took, why it failed. */
export function IngestLog({ project }: { project: Project }) {
  const { t } = useTranslation(['project-settings', 'projects']);
  const query = useInfiniteQuery({
    queryKey: [...projectKeys.runs(project.id), project.status, project.indexed_at],
    queryFn: ({ pageParam, signal }) =>
      api(
        'GET /projects/:id/runs',
        { params: { id: project.id }, query: { skip: String(pageParam), limit: String(PAGE_SIZE) } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE_SIZE : undefined),
  });
  return (
    <Section title={t('log.title')} lead={t('log.lead')}>
      <QueryState query={query} showStaleError loading={['64%', '52%', '58%']}>
        {({ pages }) => (
          <ul className="border-t border-border">
            {pages
              .flatMap(({ runs }) => runs)
              .map((run) => (
                <IngestRunRow key={run.id} project={project} run={run} />
              ))}
          </ul>
        )}
      </QueryState>
      {query.hasNextPage && (
        <Button
          className="self-start"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('projects:load_more')}
        </Button>
      )}
    </Section>
  );
}

function IngestRunRow({ project, run }: { project: Project; run: IngestRunEntry }) {
  const { t, i18n } = useTranslation('project-settings');
  const { state, kind, phases, failure, details, started_at, finished_at } = run;
  const seconds = (ms: number) =>
    t('log.seconds', {
      value: (ms / 1000).toLocaleString(i18n.language, { maximumFractionDigits: ms < 10_000 ? 1 : 0 }),
    });
  const total = finished_at && Date.parse(finished_at) - Date.parse(started_at);
  const count = details?.new_commits;
  return (
    <li className="border-b border-border py-2">
      <div className="flex min-h-6 flex-wrap items-center gap-x-4">
        <StateMark state={STATES[state]}>{t(`log.state.${state}`)}</StateMark>
        <span>{t(details ? `log.reason.${details.reason}` : `log.kind.${kind}`)}</span>
        <RelativeTime at={started_at} className="text-muted" />
        {typeof total === 'number' && (
          <span className="ml-auto font-semibold tabular-nums">{seconds(total)}</span>
        )}
      </div>
      <p className="flex flex-wrap gap-x-4 text-sm text-muted">
        {details?.commit && (
          <Link to={commitUrl(project.id, details.commit)} className="font-mono hover:text-action">
            {details.commit.slice(0, 7)}
          </Link>
        )}
        {typeof count === 'number' && (
          <span>
            {t('log.commits', { count, value: new Intl.NumberFormat(i18n.language).format(count) })}
          </span>
        )}
        {phases &&
          PHASES.filter((phase) => phases[phase] !== undefined).map((phase) => (
            <span key={phase} className="tabular-nums">
              {t(`log.phase.${phase}`)} {seconds(phases[phase]!)}
            </span>
          ))}
      </p>
      {failure && (
        <p className="mt-1 font-medium">
          <SentenceText sentence={failure} />
        </p>
      )}
    </li>
  );
}
