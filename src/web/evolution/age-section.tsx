import type { CodeAge } from '#contract/evolution.ts';
import { useTranslation } from '../i18n.ts';
import { AGES } from '../parts/age.ts';
import { Spinner } from '../ui/button.tsx';
import { ChartSection } from './chart-section.tsx';
import { ColumnChart } from './column-chart.tsx';
import { type DataColumn, DataTable } from './data-table.tsx';
import { useFormats } from './format.ts';
import { FileLink } from './links.tsx';

type Year = CodeAge['years'][number];
type OldFile = CodeAge['oldest'][number];

interface AgeSectionProps {
  projectId: string;
  age: CodeAge;
  onPeriod: (from: string, to: string) => void;
}

/** Lines by the year of their last change, beside those that the year added. */
export function AgeSection({ projectId, age, onPeriod }: AgeSectionProps) {
  const { t } = useTranslation('evolution');
  const format = useFormats();
  const thisYear = new Date().getUTCFullYear();
  const survival = ({ lines, added }: Year) => (added ? lines / added : null);
  const columns: DataColumn<Year>[] = [
    { label: t('year'), value: ({ year }) => year, cell: ({ year }) => String(year) },
    { label: t('age.added'), value: ({ added }) => added, numeric: true },
    { label: t('age.left'), value: ({ lines }) => lines, numeric: true },
    {
      label: t('age.survival'),
      value: (row) => survival(row) && Math.round(survival(row)! * 1000) / 1000,
      cell: (row) => (survival(row) === null ? '–' : format.percent(survival(row)!)),
      numeric: true,
    },
  ];
  const chart = fillYears(age.years).map((row) => ({
    key: `${row.year}-01-01`,
    tick: String(row.year),
    description: [
      t('age.column', { year: String(row.year), lines: t('count.lines', { count: row.lines }) }),
      row.added === null
        ? ''
        : t('age.column_added', {
            lines: t('count.lines', { count: row.added }),
            share: format.percent(survival(row) ?? 0),
          }),
    ].join(' '),
    layers: [{ value: row.lines, fill: ageFill(thisYear - row.year) }],
    outline: row.added,
  }));
  const median = findMedianYear(age.years);
  const isPartial = age.measured < age.files;
  return (
    <ChartSection
      id="age"
      sentence={
        median !== null &&
        t('age.sentence', { year: String(median), lines: t('count.lines', { count: age.lines }) })
      }
      columns={columns}
      rows={age.measured === 0 ? [] : age.years}
      footer={
        <>
          {!age.complete && (
            <p role="status" className="mt-2 flex items-center gap-2 text-sm text-muted">
              <Spinner />
              {t('age.measuring', { done: format.number(age.measured), count: age.sample })}
            </p>
          )}
          {age.complete && isPartial && (
            <p className="mt-2 text-sm text-muted">
              {t('age.sampled', { measured: format.number(age.measured), count: age.files })}
            </p>
          )}
          <Oldest projectId={projectId} files={age.oldest} />
        </>
      }
    >
      <ColumnChart
        label={t('age.title')}
        columns={chart}
        onOpen={({ key }) => onPeriod(key, `${key.slice(0, 4)}-12-31`)}
      />
    </ChartSection>
  );
}

function Oldest({ projectId, files }: { projectId: string; files: readonly OldFile[] }) {
  const { t } = useTranslation('evolution');
  if (files.length === 0) return null;
  const columns: DataColumn<OldFile>[] = [
    {
      label: t('file'),
      value: ({ path }) => path,
      cell: ({ path }) => <FileLink projectId={projectId} path={path} />,
    },
    { label: t('age.mean_year'), value: ({ year }) => year, cell: ({ year }) => String(year), numeric: true },
    { label: t('lines'), value: ({ lines }) => lines, numeric: true },
  ];
  return (
    <details className="mt-3">
      <summary className="w-fit cursor-pointer text-action">{t('age.oldest')}</summary>
      <div className="mt-2">
        <DataTable caption={t('age.oldest')} columns={columns} rows={files} />
      </div>
    </details>
  );
}

/** Shade of lines that are so many years old: this year, within three, within six, within ten, older. */
function ageFill(years: number): string {
  const step = [1, 3, 6, 10].findIndex((limit) => years < limit);
  return `var(--age-${step === -1 ? AGES.length : step + 1})`;
}

/** Years without any lines are columns too. */
function fillYears(years: readonly Year[]): Year[] {
  const [first, last] = [years[0]?.year ?? 0, years.at(-1)?.year ?? -1];
  const known = new Map(years.map((row) => [row.year, row]));
  return Array.from(
    { length: last - first + 1 },
    (_, i) => known.get(first + i) ?? { year: first + i, lines: 0, added: null },
  );
}

/** The year by which half of the lines were written; null without lines. */
function findMedianYear(years: readonly Year[]): number | null {
  const total = years.reduce((sum, { lines }) => sum + lines, 0);
  let sum = 0;
  for (const { year, lines } of years) {
    sum += lines;
    if (total > 0 && sum >= total / 2) return year;
  }
  return null;
}
