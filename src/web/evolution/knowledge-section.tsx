import { Link } from 'react-router';
import type { Evolution } from '#contract/evolution.ts';
import { useTranslation } from '../i18n.ts';
import { Avatar } from '../ui/avatar.tsx';
import type { EvolutionSectionProps } from './activity-section.tsx';
import { BarRows } from './bar-rows.tsx';
import { ChartSection } from './chart-section.tsx';
import { type DataColumn, DataTable } from './data-table.tsx';
import { useFormats } from './format.ts';
import { commitsUrl, FileLink } from './links.tsx';

type Person = Evolution['knowledge']['people'][number];
type OrphanedFile = Evolution['knowledge']['orphaned'][number];

const MAX_ROWS = 12;

/** People who know the code, and files whose authors are gone. */
export function KnowledgeSection({ projectId, evolution }: EvolutionSectionProps) {
  const { t } = useTranslation('evolution');
  const format = useFormats();
  const { knowledge, scope } = evolution;
  const columns: DataColumn<Person>[] = [
    { label: t('person'), value: ({ name }) => name },
    { label: t('knowledge.files'), value: ({ files }) => files, numeric: true },
    {
      label: t('share'),
      value: ({ files }) => Math.round((files / knowledge.files) * 1000) / 1000,
      cell: ({ files }) => format.percent(files / knowledge.files),
      numeric: true,
    },
    {
      label: t('knowledge.last'),
      value: ({ last_day }) => last_day,
      cell: ({ last_day }) => format.day(last_day),
    },
  ];
  const rows = knowledge.people.slice(0, MAX_ROWS).map(({ name, files, last_day, active }) => ({
    key: name,
    label: (
      <span className="flex items-center gap-2">
        <Avatar name={name} size="small" />
        <Link
          to={commitsUrl(projectId, { author: name, path: scope.path })}
          className="truncate hover:text-action"
        >
          {name}
        </Link>
      </span>
    ),
    value: files,
    text: t('count.files', { count: files }),
    faded: !active,
    note: active ? null : t('knowledge.inactive', { date: format.month(last_day) }),
  }));
  const sentence = t('knowledge.sentence', {
    count: knowledge.bus_factor,
    files: t('count.files', { count: knowledge.files }),
    share: format.percent(knowledge.files === 0 ? 0 : knowledge.orphaned_count / knowledge.files),
  });
  return (
    <ChartSection
      id="knowledge"
      sentence={sentence}
      columns={columns}
      rows={knowledge.people}
      footer={<Orphaned projectId={projectId} files={knowledge.orphaned} count={knowledge.orphaned_count} />}
    >
      <BarRows rows={rows} max={knowledge.files} />
    </ChartSection>
  );
}

interface OrphanedProps {
  projectId: string;
  /** The largest of them. */
  files: readonly OrphanedFile[];
  count: number;
}

function Orphaned({ projectId, files, count }: OrphanedProps) {
  const { t } = useTranslation('evolution');
  const format = useFormats();
  if (files.length === 0) return null;
  const columns: DataColumn<OrphanedFile>[] = [
    {
      label: t('file'),
      value: ({ path }) => path,
      cell: ({ path }) => <FileLink projectId={projectId} path={path} />,
    },
    { label: t('lines'), value: ({ lines }) => lines, numeric: true },
    { label: t('knowledge.owner'), value: ({ owner }) => owner },
    {
      label: t('knowledge.changed'),
      value: ({ last_day }) => last_day,
      cell: ({ last_day }) => format.day(last_day),
    },
  ];
  return (
    <details className="mt-3">
      <summary className="w-fit cursor-pointer text-action">{t('knowledge.orphaned', { count })}</summary>
      <div className="mt-2">
        {count > files.length && (
          <p className="mb-1 text-muted">{t('knowledge.largest', { count: files.length })}</p>
        )}
        <DataTable caption={t('knowledge.orphaned', { count })} columns={columns} rows={files} />
      </div>
    </details>
  );
}
