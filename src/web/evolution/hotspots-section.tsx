import type { FileActivity } from '#contract/evolution.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import type { EvolutionSectionProps } from './activity-section.tsx';
import { ChartSection } from './chart-section.tsx';
import type { DataColumn } from './data-table.tsx';
import { useFormats } from './format.ts';
import { CommitLink, FileLink } from './links.tsx';
import { FileTreemap } from './treemap.tsx';

const MAX_RECTANGLES = 80;

/** Files that change often and are complex. */
export function HotspotsSection({ projectId, evolution }: EvolutionSectionProps) {
  const { t } = useTranslation('evolution');
  const format = useFormats();
  const { hotspots } = evolution;
  const columns: DataColumn<FileActivity>[] = [
    {
      label: t('file'),
      value: ({ path }) => path,
      cell: ({ path }) => <FileLink projectId={projectId} path={path} />,
    },
    { label: t('changes'), value: ({ changes }) => changes, numeric: true },
    { label: t('fixes.label'), value: ({ fixes }) => fixes, numeric: true },
    { label: t('branches'), value: ({ decisions }) => decisions, numeric: true },
    { label: t('lines'), value: ({ lines }) => lines, numeric: true },
    {
      label: t('last_commit'),
      value: ({ last_commit: hash }) => hash,
      cell: ({ last_commit: hash }) => <CommitLink projectId={projectId} hash={hash} />,
    },
  ];
  const files = hotspots.files.slice(0, MAX_RECTANGLES).map((file) => ({
    path: file.path,
    size: file.decisions,
    heat: file.changes,
    url: fileUrl(projectId, file.path),
    description: t('hotspots.file', {
      path: file.path,
      changes: t('count.changes', { count: file.changes }),
      branches: t('count.branches', { count: file.decisions }),
      fixes: t('count.fixes', { count: file.fixes }),
    }),
  }));
  const { concentration, files: ranked } = hotspots;
  const sentence =
    concentration &&
    t('hotspots.sentence', {
      count: concentration.top,
      files: t('count.files', { count: concentration.top }),
      share: format.percent(concentration.share),
      of: format.number(concentration.of),
      first: ranked[0]?.path ?? '',
    });
  return (
    <ChartSection id="hotspots" sentence={sentence} columns={columns} rows={ranked}>
      <FileTreemap label={t('hotspots.title')} files={files} />
    </ChartSection>
  );
}
