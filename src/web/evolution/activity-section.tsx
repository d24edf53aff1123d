import { Link } from 'react-router';
import type { Evolution } from '#contract/evolution.ts';
import { useTranslation } from '../i18n.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { ChartSection } from './chart-section.tsx';
import { ColumnChart } from './column-chart.tsx';
import type { DataColumn } from './data-table.tsx';
import { endOfPeriod, useFormats } from './format.ts';
import { commitsUrl } from './links.tsx';

type Period = Evolution['periods'][number];
type Contributor = Evolution['activity']['contributors'][number];

export interface EvolutionSectionProps {
  projectId: string;
  evolution: Evolution;
  /** Narrows the page to a period. */
  onPeriod: (from: string, to: string) => void;
}

const MAX_PEOPLE = 12;

/** Commits by period, and the people who made them. */
export function ActivitySection({ projectId, evolution, onPeriod }: EvolutionSectionProps) {
  const { t } = useTranslation('evolution');
  const format = useFormats();
  const { activity, periods, unit, scope } = evolution;
  const columns: DataColumn<Period>[] = [
    { label: t('period'), value: ({ start }) => start, cell: ({ start }) => format.period(unit, start) },
    { label: t('commits'), value: ({ commits }) => commits, numeric: true },
    { label: t('people'), value: ({ people }) => people, numeric: true },
    { label: t('bots'), value: ({ bots }) => bots, numeric: true },
    { label: t('fixes.label'), value: ({ fixes }) => fixes, numeric: true },
    { label: t('reverts'), value: ({ reverts }) => reverts, numeric: true },
  ];
  const sentence = [
    t(scope.from === scope.first_day ? 'activity.sentence_all' : 'activity.sentence', {
      commits: t('count.commits', { count: activity.commits }),
      people: t('count.people', { count: activity.people }),
      fresh:
        activity.new_people === 0
          ? t('count.no_new_people')
          : t('count.new_people', { count: activity.new_people }),
    }),
    activity.bot_commits > 0 &&
      t('activity.by_bots', { share: format.percent(activity.bot_commits / activity.commits) }),
  ];
  const chart = periods.map(({ start, commits, bots, people }) => ({
    key: start,
    tick: format.tick(unit, start),
    description: t('activity.column', {
      period: format.period(unit, start),
      commits: t('count.commits', { count: commits }),
      people: t('count.people', { count: people }),
      bots: t('count.bot_commits', { count: bots }),
    }),
    layers: [
      { value: commits - bots, fill: 'var(--chart-1)' },
      { value: bots, fill: 'var(--age-4)' },
    ],
  }));
  return (
    <ChartSection
      id="activity"
      sentence={sentence.filter(Boolean).join(' ')}
      columns={columns}
      rows={activity.commits === 0 ? [] : periods}
      footer={
        <People projectId={projectId} people={activity.contributors} bots={activity.bots} scope={scope} />
      }
    >
      <ColumnChart
        label={t('activity.title')}
        columns={chart}
        onOpen={({ key }) => onPeriod(key, endOfPeriod(unit, key))}
      />
    </ChartSection>
  );
}

interface PeopleProps {
  projectId: string;
  people: readonly Contributor[];
  bots: readonly Contributor[];
  scope: Evolution['scope'];
}

function People({ projectId, people, bots, scope }: PeopleProps) {
  const { t } = useTranslation('evolution');
  const format = useFormats();
  if (people.length + bots.length === 0) return null;
  return (
    <ul className="mt-5 grid gap-x-10 border-b border-border sm:grid-cols-2">
      {[...people.slice(0, MAX_PEOPLE), ...bots.slice(0, 2)].map(({ name, commits, last_day, counts }) => (
        <li key={name} className="flex min-h-9 items-center gap-2.5 border-t border-border hover:bg-select">
          <Avatar name={name} size="small" />
          <Link
            to={commitsUrl(projectId, { author: name, path: scope.path, since: scope.from, until: scope.to })}
            className="min-w-0 flex-1 truncate hover:text-action"
          >
            {name}
          </Link>
          <Sparkline values={shorten(counts)} label={t('commits')} unit="month" className="max-sm:hidden" />
          <span
            className="w-22 text-right whitespace-nowrap"
            title={t('last_active', { date: format.day(last_day) })}
          >
            {t('count.commits', { count: commits })}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** At most 24 sums of neighbours. */
function shorten(counts: readonly number[]): number[] {
  const size = Math.ceil(counts.length / 24);
  return Array.from({ length: Math.ceil(counts.length / size) }, (_, i) =>
    counts.slice(i * size, (i + 1) * size).reduce((sum, count) => sum + count, 0),
  );
}
