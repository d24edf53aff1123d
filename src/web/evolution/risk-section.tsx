import { Link } from 'react-router';
import type { Evolution } from '#contract/evolution.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import type { EvolutionSectionProps } from './activity-section.tsx';
import { BarRows } from './bar-rows.tsx';
import { ChartSection } from './chart-section.tsx';
import type { DataColumn } from './data-table.tsx';
import { useFormats } from './format.ts';
import { FileLink } from './links.tsx';

type Folder = Evolution['risk'][number];

interface RiskSectionProps extends Pick<EvolutionSectionProps, 'projectId' | 'evolution'> {
  searchFor: (path: string) => string;
}

const MAX_ROWS = 15;
/** Fewer changes say nothing about a folder. */
const MIN_JUDGED = 10;

/** Folders by how often a fix followed a change. */
export function RiskSection({ projectId, evolution, searchFor }: RiskSectionProps) {
  const { t } = useTranslation('evolution');
  const format = useFormats();
  const folders = evolution.risk.filter(({ judged }) => judged >= MIN_JUDGED);
  const name = (folder: Folder) =>
    folder.kind === 'file' ? (
      <FileLink projectId={projectId} path={folder.path} />
    ) : (
      <Link to={searchFor(folder.path)} className="font-mono text-code hover:text-action">
        <Verbatim text={`${folder.path}/`} />
      </Link>
    );
  const columns: DataColumn<Folder>[] = [
    { label: t('folder'), value: ({ path }) => path, cell: name },
    { label: t('risk.judged'), value: ({ judged }) => judged, numeric: true },
    { label: t('risk.followed'), value: ({ followed }) => followed, numeric: true },
    {
      label: t('share'),
      value: (folder) => Math.round(rateOf(folder) * 1000) / 1000,
      cell: (folder) => format.percent(rateOf(folder)),
      numeric: true,
    },
    {
      label: t('risk.interval'),
      value: ({ interval }) => interval && `${interval.low.toFixed(3)}–${interval.high.toFixed(3)}`,
      cell: ({ interval }) =>
        interval && `${format.percent(interval.low)} – ${format.percent(interval.high)}`,
      numeric: true,
    },
    { label: t('files'), value: ({ files }) => files, numeric: true },
    { label: t('people'), value: ({ people }) => people, numeric: true },
  ];
  const first = folders[0];
  const judged = folders.reduce((sum, folder) => sum + folder.judged, 0);
  const followed = folders.reduce((sum, folder) => sum + folder.followed, 0);
  const rows = folders.slice(0, MAX_ROWS).map((folder) => ({
    key: folder.path,
    label: name(folder),
    value: rateOf(folder),
    text: t('risk.of', {
      share: format.percent(rateOf(folder)),
      changes: t('count.changes', { count: folder.judged }),
    }),
    interval: folder.interval,
  }));
  const max = Math.max(0, ...folders.slice(0, MAX_ROWS).map(({ interval }) => interval?.high ?? 0));
  const sentence =
    first &&
    t('risk.sentence', {
      path: first.path,
      share: format.percent(rateOf(first)),
      changes: t('count.changes', { count: first.judged }),
      all: format.percent(judged === 0 ? 0 : followed / judged),
    });
  return (
    <ChartSection id="risk" sentence={sentence} columns={columns} rows={folders}>
      <BarRows rows={rows} max={max} />
    </ChartSection>
  );
}

const rateOf = ({ judged, followed }: Folder) => (judged === 0 ? 0 : followed / judged);
