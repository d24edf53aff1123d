import type { ReactNode } from 'react';

interface TableProps {
  label: string;
  /** Columns, left to right. */
  columns: { name: ReactNode; numeric?: boolean }[];
  /** Rows with one cell a column. */
  rows: { key: string; cells: ReactNode[] }[];
}

/** Table with 32 px rows; scrolls horizontally on narrow screens. */
export function Table({ label, columns, rows }: TableProps) {
  const alignment = (index: number) => (columns[index]?.numeric ? 'text-right' : 'text-left');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className="relative overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse whitespace-nowrap">
        <thead>
          <tr className="border-b border-control text-muted">
            {columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
              <th key={index} scope="col" className={`h-8 pr-4 font-normal last:pr-0 ${alignment(index)}`}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-b border-border">
              {cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
                <td key={index} className={`h-9 pr-4 last:pr-0 ${alignment(index)}`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
