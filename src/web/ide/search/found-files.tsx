import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { FoundLine } from '#contract/ide.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { baseName } from '../editor-tab.ts';
import type { SearchForm } from './search-form.ts';
import { markMatches } from './search-pattern.ts';

const ROW_PX = 26;

interface FoundFilesProps {
  /** Matching lines by path. */
  files: ReadonlyMap<string, readonly FoundLine[]>;
  form: SearchForm;
  onOpen: (path: string, line: number, isPreview: boolean) => void;
}

type Row = { path: string; count: number } | FoundLine;

/** Matching lines below their files. A click looks at the line, a double click keeps the file open. */
export function FoundFiles({ files, form, onOpen }: FoundFilesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo<Row[]>(
    () => [...files].flatMap(([path, lines]) => [{ path, count: lines.length }, ...lines]),
    [files],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  return (
    <div ref={scroller} className="min-h-48 flex-1 overflow-y-auto pb-3">
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!;
          return 'count' in row ? (
            <p
              key={row.path}
              title={row.path}
              className="absolute inset-x-0 flex items-center gap-2 px-3 text-sm"
              style={{ top: start, height: ROW_PX }}
            >
              <span className="shrink-0 font-mono font-medium">
                <Verbatim text={baseName(row.path)} max={60} />
              </span>
              <span className="min-w-0 flex-1 truncate font-mono text-muted">
                <Verbatim text={row.path.slice(0, -baseName(row.path).length - 1)} />
              </span>
              <span className="text-muted tabular-nums">{row.count}</span>
            </p>
          ) : (
            <button
              key={`${row.path}:${row.line}`}
              type="button"
              title={`${row.path}:${row.line}`}
              onClick={() => onOpen(row.path, row.line, true)}
              onDoubleClick={() => onOpen(row.path, row.line, false)}
              className="absolute inset-x-0 flex items-center gap-2 overflow-hidden pr-3 pl-6 text-left font-mono text-sm whitespace-pre hover:bg-select focus-visible:-outline-offset-2"
              style={{ top: start, height: ROW_PX }}
            >
              <span className="w-8 shrink-0 text-right text-muted tabular-nums">{row.line}</span>
              <MarkedLine text={row.text} form={form} />
            </button>
          );
        })}
      </div>
    </div>
  );
}

function MarkedLine({ text, form }: { text: string; form: SearchForm }) {
  return (
    <span className="min-w-0 truncate">
      {markMatches(text, form).map((run) =>
        run.isMatch ? (
          <mark key={run.at} className="rounded-xs bg-warning/30 text-inherit">
            {run.text}
          </mark>
        ) : (
          <Verbatim key={run.at} text={run.text} max={300} />
        ),
      )}
    </span>
  );
}
