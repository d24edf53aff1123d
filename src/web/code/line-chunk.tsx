import clsx from 'clsx';
import { memo, useEffect, useRef, useState } from 'react';
import type { BlameRun } from '#contract/code.ts';
import { useTranslation } from '../i18n.ts';
import type { CodeToken } from '../parts/code-parser.ts';
import { CodeText } from '../parts/code-text.tsx';
import type { LineRange } from '../parts/code-view.tsx';
import { BlameCell } from './blame-cell.tsx';

/** Lines that are rendered together. */
export const CHUNK_LINES = 60;
/** Chunks within this distance of the viewport have their colours and numbers. */
const NEAR = '1200px 0px';

/** Height of a line of `text-code`. */
const LINE_HEIGHT_REM = 1.25;

interface LineChunkProps {
  projectId: string;
  /** Index of the first line, from 0. */
  start: number;
  lines: CodeToken[][];
  selected: LineRange | null;
  wrap: boolean;
  /** Blame of these lines; null where it is not shown. */
  runs: BlameRun[] | null;
}

/** Lines of a file; as plain text of the same size while they are far from the viewport. */
export const LineChunk = memo(function LineChunk(props: LineChunkProps) {
  const { start, lines, selected } = props;
  const place = useRef<HTMLDivElement>(null);
  const hasSelection = selected !== null && selected.from <= start + lines.length && selected.to > start;
  const [wasNear, setNear] = useState(start < CHUNK_LINES);
  const isNear = wasNear || hasSelection;
  useEffect(() => {
    if (isNear || !place.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: NEAR,
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  if (isNear) return <ColouredLines {...props} />;
  return (
    <div
      ref={place}
      // Wrapped text is laid out when it is scrolled near; a line that does not wrap widens the whole box at once.
      style={
        props.wrap ? { containIntrinsicBlockSize: `auto ${lines.length * LINE_HEIGHT_REM}rem` } : undefined
      }
      className={clsx(
        'pr-3',
        props.runs ? 'blame-indent' : 'pl-14.5',
        props.wrap && '[content-visibility:auto]',
      )}
    >
      <code className={clsx('block', props.wrap ? 'wrap-anywhere whitespace-pre-wrap' : 'whitespace-pre')}>
        {lines.map((line) => line.map(({ text }) => text).join('')).join('\n')}
      </code>
    </div>
  );
}, isSameChunk);

/** Selections in other chunks do not render this one again. */
function isSameChunk(before: LineChunkProps, after: LineChunkProps): boolean {
  const selectionIn = ({ start, lines, selected }: LineChunkProps) =>
    selected && selected.from <= start + lines.length && selected.to > start
      ? `${selected.from}-${selected.to}`
      : null;
  return (
    before.lines[0] === after.lines[0] &&
    before.lines.length === after.lines.length &&
    before.wrap === after.wrap &&
    isSameBlame(before.runs, after.runs) &&
    // The first line is the one that the keyboard reaches without a selection.
    (before.start > 0 || (before.selected === null) === (after.selected === null)) &&
    selectionIn(before) === selectionIn(after)
  );
}

function isSameBlame(before: BlameRun[] | null, after: BlameRun[] | null): boolean {
  if (!before || !after) return before === after;
  return before.length === after.length && before.every((run, index) => run === after[index]);
}

function ColouredLines({ projectId, start, lines, selected, wrap, runs }: LineChunkProps) {
  const { t } = useTranslation('code');
  return lines.map((tokens, index) => {
    const number = start + index + 1;
    const isSelected = selected !== null && number >= selected.from && number <= selected.to;
    const isTabStop = number === (selected?.from ?? 1);
    return (
      <div key={number} data-line={number} className={clsx('flex', isSelected && 'bg-select')}>
        {runs && <BlameCell projectId={projectId} runs={runs} line={number} isFirst={index === 0} />}
        <a
          href={`#L${number}`}
          data-number={number}
          aria-label={t('line', { number })}
          aria-current={isSelected ? 'true' : undefined}
          tabIndex={isTabStop ? 0 : -1}
          className={clsx(
            'w-14 shrink-0 pr-3 text-right text-sm leading-5 tabular-nums select-none hover:text-action',
            isSelected ? 'font-semibold text-action' : 'text-muted',
          )}
        >
          {number}
        </a>
        <code
          className={clsx(
            'min-w-0 flex-1 pr-3',
            wrap ? 'wrap-anywhere whitespace-pre-wrap' : 'whitespace-pre',
          )}
        >
          <CodeText tokens={tokens} />
        </code>
      </div>
    );
  });
}
