import { ChartColumn, Download, Table2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { downloadText, toCsv } from './csv.ts';
import { type DataColumn, DataTable } from './data-table.tsx';

/** Sections of the page, in their order: ids in the address and names of downloads. */
export const SECTIONS = ['activity', 'hotspots', 'coupling', 'knowledge', 'age', 'fixes', 'risk'] as const;
type SectionId = (typeof SECTIONS)[number];

interface ChartSectionProps<Row> {
  id: SectionId;
  /** Sentence that says what the chart shows. */
  sentence: ReactNode;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  /** The chart; without it, the section is the table alone. */
  children: ReactNode;
  /** Further content below, in both views. */
  footer?: ReactNode;
}

/** A chart with the sentence that it proves, how it is measured, the same data as a table, and their download. */
export function ChartSection<Row>({ id, sentence, columns, rows, children, footer }: ChartSectionProps<Row>) {
  const { t } = useTranslation('evolution');
  const [asTable, setAsTable] = useState(false);
  const titleId = useId();
  const title = t(`${id}.title`);
  const download = () => {
    const values = rows.map((row) => columns.map(({ value }) => value(row)));
    downloadText(
      `${id}.csv`,
      toCsv(
        columns.map(({ label }) => label),
        values,
      ),
    );
  };
  return (
    <section id={id} aria-labelledby={titleId} className="scroll-mt-16 border-t border-border pt-4 pb-10">
      <header className="mb-3 flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <div className="min-w-0 max-w-[88ch]">
          <h3 id={titleId} className="text-muted">
            {title}
          </h3>
          <p className="mt-0.5 text-answer text-pretty">{rows.length === 0 ? t(`${id}.none`) : sentence}</p>
        </div>
        {rows.length > 0 && (
          <div className="flex gap-1 print:hidden">
            <Button size="small" kind="ghost" onClick={() => setAsTable(!asTable)}>
              {asTable ? (
                <ChartColumn aria-hidden className="size-3.5" />
              ) : (
                <Table2 aria-hidden className="size-3.5" />
              )}
              {t(asTable ? 'as_chart' : 'as_table')}
            </Button>
            <Button size="small" kind="ghost" aria-label={t('download', { title })} onClick={download}>
              <Download aria-hidden className="size-3.5" />
              CSV
            </Button>
          </div>
        )}
      </header>
      {rows.length > 0 && (asTable ? <DataTable caption={title} columns={columns} rows={rows} /> : children)}
      <p className="mt-3 max-w-[88ch] text-sm text-pretty text-muted">{t(`${id}.method`)}</p>
      {footer}
    </section>
  );
}

/** Stands for a section whose figures are not there yet or failed. */
export function SectionFrame({ id, children }: { id: SectionId; children: ReactNode }) {
  const { t } = useTranslation('evolution');
  return (
    <section id={id} aria-label={t(`${id}.title`)} className="border-t border-border pt-4 pb-10">
      <h3 className="mb-3 text-muted">{t(`${id}.title`)}</h3>
      {children}
    </section>
  );
}

/** Stands for the whole page when the scope has no commit. */
export function NothingInScope({ children }: { children: ReactNode }) {
  const { t } = useTranslation('evolution');
  return (
    <EmptyState title={t('empty.title')} action={children}>
      {t('empty.text')}
    </EmptyState>
  );
}
