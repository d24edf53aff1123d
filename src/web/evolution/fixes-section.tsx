import { Link } from 'react-router';
import type { FileActivity } from '#contract/evolution.ts';
import { useTranslation } from '../i18n.ts';
import type { EvolutionSectionProps } from './activity-section.tsx';
import { BarRows } from './bar-rows.tsx';
import { ChartSection } from './chart-section.tsx';
import { ColumnChart } from './column-chart.tsx';
import type { DataColumn } from './data-table.tsx';
import { endOfPeriod, useFormats } from './format.ts';
import { CommitLink, commitsUrl, FileLink } from './links.tsx';

const MAX_ROWS = 10;

/** Fixes and reverts over time, and the files that they changed. */
export function FixesSection({ projectId, evolution, onPeriod }: EvolutionSectionProps) {
  const { t } = useTranslation('evolution');
  const format = useFormats();
  const { fixes, periods, unit, scope, activity } = evolution;
  const columns: DataColumn<FileActivity>[] = [
    {
      label: t('file'),
      value: ({ path }) => path,
      cell: ({ path }) => <FileLink projectId={projectId} path={path} />,
    },
    { label: t('fixes.label'), value: (file) => file.fixes, numeric: true },
    { label: t('changes'), value: ({ changes }) => changes, numeric: true },
    {
      label: t('fixes.last'),
      value: ({ last_fix: hash }) => hash,
      cell: ({ last_fix: hash }) => hash && <CommitLink projectId={projectId} hash={hash} />,
    },
  ];
  const chart = periods.map(({ start, commits, fixes: fixed, reverts }) => ({
    key: start,
    tick: format.tick(unit, start),
    description: t('fixes.column', {
      period: format.period(unit, start),
      fixes: t('count.fixes', { count: fixed }),
      reverts: t('count.reverts', { count: reverts }),
      share: format.percent(commits === 0 ? 0 : fixed / commits),
    }),
    layers: [
      { value: fixed, fill: 'var(--chart-1)' },
      { value: reverts, fill: 'var(--foreground)' },
    ],
  }));
  const rows = fixes.files.slice(0, MAX_ROWS).map((file) => ({
    key: file.path,
    label: <FileLink projectId={projectId} path={file.path} />,
    value: file.fixes,
    text: (
      <Link
        to={commitsUrl(projectId, { path: file.path, kind: 'fix', since: scope.from, until: scope.to })}
        className="hover:text-action"
      >
        {t('count.fixes', { count: file.fixes })}
      </Link>
    ),
  }));
  const { concentration } = fixes;
  const counts = {
    fixes: t('count.fixes', { count: fixes.fixes }),
    reverts: t('count.reverts', { count: fixes.reverts }),
    share: format.percent(activity.commits === 0 ? 0 : fixes.fixes / activity.commits),
  };
  const sentence = [
    concentration &&
      t('fixes.sentence', {
        count: concentration.top,
        files: t('count.files', { count: concentration.top }),
        share: format.percent(concentration.share),
        date: format.month(scope.from),
        of: format.number(concentration.of),
      }),
    t('fixes.total', counts),
  ];
  return (
    <ChartSection
      id="fixes"
      sentence={sentence.filter(Boolean).join(' ')}
      columns={columns}
      rows={fixes.files}
    >
      <ColumnChart
        label={t('fixes.title')}
        columns={chart}
        onOpen={({ key }) => onPeriod(key, endOfPeriod(unit, key))}
      />
      <div className="mt-4">
        <BarRows rows={rows} />
      </div>
    </ChartSection>
  );
}
