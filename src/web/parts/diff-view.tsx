import clsx from 'clsx';
import type { Hunk } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { ageBucket, ageColor } from './age.ts';
import { changedWords } from './changed-words.ts';
import { CodeText } from './code-text.tsx';
import { type DiffRow, diffRows, pairRows } from './diff-rows.ts';
import { useHighlightedHunk } from './highlight.ts';

interface DiffViewProps {
  hunk: Hunk;
  /** File of the hunk, whose extension names the language. */
  path?: string | null | undefined;
  /** Time of the added lines. */
  timestamp: string;
  now: number;
  /** Both sides beside each other. */
  split?: boolean;
  /** False: long lines scroll sideways. */
  wrap?: boolean;
}

/** A hunk with the line numbers of both sides; added lines have the age of their commit. */
export function DiffView({ hunk, path, timestamp, now, split = false, wrap = true }: DiffViewProps) {
  const { t } = useTranslation('parts');
  const tokens = useHighlightedHunk(hunk, path ?? '');
  const rows = diffRows(hunk, tokens, changedWords(hunk));
  const age = ageColor(ageBucket(timestamp, now));
  return (
    <div className={clsx('font-mono text-code', !wrap && 'overflow-x-auto')}>
      <p className="sr-only">{t('hunk', { line: hunk.new_start })}</p>
      <div className={clsx(!wrap && 'w-max min-w-full')}>
        {split
          ? pairRows(rows).map(([left, right]) => (
              <div key={`${left?.key}/${right?.key}`} className="grid grid-cols-2">
                <DiffSide row={left} side="before" age={age} wrap={wrap} />
                <DiffSide row={right} side="after" age={age} wrap={wrap} />
              </div>
            ))
          : rows.map((row) => <UnifiedLine key={row.key} row={row} age={age} wrap={wrap} />)}
      </div>
    </div>
  );
}

const GROUNDS = { add: 'bg-diff-add', delete: 'bg-diff-delete', context: '' };
const MARKS = { add: 'rounded-sm bg-diff-add-mark', delete: 'rounded-sm bg-diff-delete-mark', context: '' };

interface LineProps {
  row: DiffRow;
  age: string;
  wrap: boolean;
}

function UnifiedLine({ row, age, wrap }: LineProps) {
  return (
    <div className={clsx('flex', GROUNDS[row.kind])}>
      <AgeEdge color={row.kind === 'add' ? age : 'transparent'} />
      <LineNumber value={row.before} />
      <LineNumber value={row.after} />
      <LineText row={row} wrap={wrap} />
    </div>
  );
}

function DiffSide({ row, side, age, wrap }: Omit<LineProps, 'row'> & Side) {
  if (!row) return <div className={clsx('bg-select', side === 'after' && 'border-l border-border')} />;
  return (
    <div className={clsx('flex min-w-0', GROUNDS[row.kind], side === 'after' && 'border-l border-border')}>
      {side === 'after' && <AgeEdge color={row.kind === 'add' ? age : 'transparent'} />}
      <LineNumber value={row[side]} />
      <LineText row={row} wrap={wrap} />
    </div>
  );
}

interface Side {
  row: DiffRow | null;
  side: 'before' | 'after';
}

function AgeEdge({ color }: { color: string }) {
  return <span aria-hidden className="w-1.5 shrink-0" style={{ background: color }} />;
}

function LineNumber({ value }: { value: number | null }) {
  return (
    <span className="min-w-9 shrink-0 pr-1 text-right text-sm leading-5 tabular-nums text-muted select-none">
      {value ?? ''}
    </span>
  );
}

function LineText({ row: { kind, tokens, ranges }, wrap }: { row: DiffRow; wrap: boolean }) {
  return (
    <>
      <ChangeMarker kind={kind} />
      <code
        className={clsx('min-w-0 flex-1 pr-3', wrap ? 'wrap-anywhere whitespace-pre-wrap' : 'whitespace-pre')}
      >
        <CodeText tokens={tokens} marks={{ ranges, className: MARKS[kind] }} />
      </code>
    </>
  );
}

function ChangeMarker({ kind }: { kind: DiffRow['kind'] }) {
  const { t } = useTranslation('parts');
  if (kind === 'context') return <span className="w-5 shrink-0" />;
  const added = kind === 'add';
  return (
    <span className="w-5 shrink-0 text-center select-none">
      <span aria-hidden>{added ? '+' : '−'}</span>
      <span className="sr-only">{t(added ? 'added' : 'removed')}</span>
    </span>
  );
}
