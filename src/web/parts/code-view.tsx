import clsx from 'clsx';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { ageBucket, ageColor } from './age.ts';
import { TimeAgo } from './age-mark.tsx';
import { commitUrl } from './citation.ts';
import { Verbatim } from './verbatim.tsx';

type FileReply = ApiReply<'GET /projects/:id/files/*'>;
export type LineRange = { from: number; to: number };

interface CodeViewProps {
  projectId: string;
  file: FileReply;
  now: number;
  selected?: LineRange | null;
  /** Shows author and age of each blame run. */
  annotate?: boolean;
  /** Called with the lines selected by click, shift-click or arrow keys. */
  onSelect?: (range: LineRange) => void;
}

/** File with line numbers and blame ages. */
export function CodeView({ selected: marked = null, ...props }: CodeViewProps) {
  const { t } = useTranslation('parts');
  const { file, onSelect } = props;
  const runs = blameRuns(file);
  const selectLine = (event: MouseEvent | KeyboardEvent, line: number) => {
    event.preventDefault();
    const anchor = event.shiftKey && marked ? marked : { from: line, to: line };
    onSelect?.({ from: Math.min(anchor.from, line), to: Math.max(anchor.to, line) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !marked || !onSelect) return;
    const line = (step > 0 ? marked.to : marked.from) + step;
    if (line >= file.start && line < file.start + file.lines.length) selectLine(event, line);
  };
  return (
    // Arrow keys extend the selection from the focused line number; every number is a link.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div className="bg-surface py-1 font-mono text-code" onKeyDown={onKeyDown}>
      {file.lines.length === 0 && <p className="px-4 font-sans text-muted">{t('empty_file')}</p>}
      {runs.map((run) => (
        <div key={run.start} className="flex">
          <BlameColumn {...props} run={run} />
          <div className="min-w-0 flex-1">
            {numberedLines(file, run).map(({ number, text }) => (
              <CodeLine
                key={number}
                number={number}
                text={text}
                selected={isInRange(marked, number)}
                tabStop={number === (marked?.from ?? file.start)}
                onSelect={onSelect && selectLine}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

type Run = FileReply['blame'][number];

/** Blame runs, clipped to the loaded lines; one anonymous run when blame timed out. */
function blameRuns(file: FileReply): Run[] {
  if (file.blame.length > 0) return file.blame;
  if (file.lines.length === 0) return [];
  return [{ start: file.start, lines: file.lines.length, hash: '', author: '', timestamp: '', summary: '' }];
}

function numberedLines(file: FileReply, run: Run): { number: number; text: string }[] {
  const first = run.start - file.start;
  return file.lines
    .slice(first, first + run.lines)
    .map((text, offset) => ({ number: run.start + offset, text }));
}

function isInRange(range: LineRange | null, line: number): boolean {
  return range !== null && line >= range.from && line <= range.to;
}

function BlameColumn(props: CodeViewProps & { run: Run }) {
  const { run, now, projectId, annotate } = props;
  const { t } = useTranslation('parts');
  return (
    <>
      <span
        aria-hidden
        className="w-1.5 shrink-0"
        style={{ background: ageColor(ageBucket(run.timestamp, now)) }}
      />
      {annotate && (
        <div className="hidden w-[212px] shrink-0 px-2 font-sans text-sm text-muted lg:block">
          {run.hash && (
            <Link
              to={commitUrl(projectId, run.hash)}
              title={run.summary}
              className="flex gap-2 whitespace-nowrap hover:text-action"
            >
              <span className="truncate">
                <Verbatim text={run.author} />
              </span>
              <span className="ml-auto shrink-0">
                <TimeAgo timestamp={run.timestamp} now={now} />
              </span>
              <span className="sr-only">{t('commit_label', { title: run.summary })}</span>
            </Link>
          )}
        </div>
      )}
    </>
  );
}

interface CodeLineProps {
  number: number;
  text: string;
  selected: boolean;
  /** In the tab order; arrow keys continue from it. */
  tabStop: boolean;
  onSelect: ((event: MouseEvent, line: number) => void) | undefined;
}

function CodeLine({ number, text, selected, tabStop, onSelect }: CodeLineProps) {
  const { t } = useTranslation('parts');
  const row = useRef<HTMLDivElement>(null);
  const shouldScroll = tabStop && selected;
  useEffect(() => {
    if (shouldScroll) row.current?.scrollIntoView({ block: 'nearest' });
  }, [shouldScroll]);
  const style = clsx(
    'w-14 shrink-0 pr-3 text-right text-sm tabular-nums select-none',
    selected ? 'text-action' : 'text-muted',
  );
  return (
    <div ref={row} className={clsx('flex scroll-my-40', selected && 'bg-select')}>
      {onSelect ? (
        <a
          href={`#L${number}`}
          aria-label={t('line', { number })}
          aria-current={selected ? 'true' : undefined}
          tabIndex={tabStop ? 0 : -1}
          className={clsx(style, 'hover:text-action')}
          onClick={(event) => onSelect(event, number)}
        >
          {number}
        </a>
      ) : (
        <span className={style}>{number}</span>
      )}
      <code className="min-w-0 flex-1 pr-3 wrap-anywhere whitespace-pre-wrap">
        <Verbatim text={text || ' '} />
      </code>
    </div>
  );
}
