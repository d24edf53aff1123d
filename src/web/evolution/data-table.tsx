import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import type { CsvValue } from './csv.ts';

/** A column of a table and of its download. */
export interface DataColumn<Row> {
  label: string;
  value: (row: Row) => CsvValue;
  /** Content of a cell; the value when absent. */
  cell?: (row: Row) => ReactNode;
  /** Aligned to the right, with digits of equal width. */
  numeric?: boolean;
}

interface DataTableProps<Row> {
  caption: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
}

const INITIAL_ROWS = 15;

/** Table of all rows, the first 15 at once; the first column names a row. */
export function DataTable<Row>({ caption, columns, rows }: DataTableProps<Row>) {
  const { t } = useTranslation('evolution');
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, INITIAL_ROWS);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section aria-label={`${caption}: ${t('as_table')}`} tabIndex={0} className="overflow-x-auto">
        <table className="w-full border-b border-border">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="text-muted">
              {columns.map(({ label, numeric }) => (
                <th key={label} scope="col" className={cellClass(numeric)}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows never move.
              <tr key={index} className="h-8 border-t border-border hover:bg-select">
                {columns.map((column, position) =>
                  position === 0 ? (
                    <th key={column.label} scope="row" className={cellClass(column.numeric)}>
                      <Cell column={column} row={row} />
                    </th>
                  ) : (
                    <td key={column.label} className={cellClass(column.numeric)}>
                      <Cell column={column} row={row} />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shown.length && (
        <Button size="small" className="mt-2" onClick={() => setAll(true)}>
          {t('show_all', { count: rows.length })}
        </Button>
      )}
    </>
  );
}

function Cell<Row>({ column: { value, cell }, row }: { column: DataColumn<Row>; row: Row }) {
  const { i18n } = useTranslation();
  if (cell) return cell(row);
  const plain = value(row);
  return typeof plain === 'number' ? new Intl.NumberFormat(i18n.language).format(plain) : (plain ?? '–');
}

const cellClass = (numeric = false) =>
  clsx('py-1.5 pl-4 font-normal whitespace-nowrap first:pl-0', numeric ? 'text-right' : 'text-left');
