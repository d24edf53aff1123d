import clsx from 'clsx';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import type { ApiReply } from '#contract/api.ts';
import { useTranslation } from '../i18n.ts';
import { ageBucket, ageColor } from './age.ts';
import type { CodeToken } from './code-parser.ts';
import { CodeText } from './code-text.tsx';
import { useHighlightedText } from './highlight.ts';

type FileReply = ApiReply<'GET /projects/:id/files/*'>;
export type LineRange = { from: number; to: number };

interface CodeViewProps {
  projectId: string;
  file: FileReply;
  now: number;
  selected?: LineRange | null;
  /** Called with the lines selected by click, shift-click or arrow keys. */
  onSelect?: (range: LineRange) => void;
}

/** File with line numbers and blame ages. */
export function CodeView({ selected: marked = null, ...props }: CodeViewProps) {
  const { t } = useTranslation('parts');
  const { file, onSelect } = props;
  const runs = blameRuns(file);
  const tokens = useHighlightedText(file.lines.join('\n'), file.path);
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
            {numberedLines(file, run, tokens).map(({ number, tokens: line }) => (
              <CodeLine
                key={number}
                number={number}
                tokens={line}
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

function numberedLines(file: FileReply, run: Run, tokens: CodeToken[][]) {
  const first = run.start - file.start;
  return file.lines
    .slice(first, first + run.lines)
    .map((_, offset) => ({ number: run.start + offset, tokens: tokens[first + offset] ?? [] }));
}

function isInRange(range: LineRange | null, line: number): boolean {
  return range !== null && line >= range.from && line <= range.to;
}

function BlameColumn({ run, now }: CodeViewProps & { run: Run }) {
  return (
    <span
      aria-hidden
      className="w-1.5 shrink-0"
      style={{ background: ageColor(ageBucket(run.timestamp, now)) }}
    />
  );
}

interface CodeLineProps {
  number: number;
  tokens: CodeToken[];
  selected: boolean;
  /** In the tab order; arrow keys continue from it. */
  tabStop: boolean;
  onSelect: ((event: MouseEvent, line: number) => void) | undefined;
}

function CodeLine({ number, tokens, selected, tabStop, onSelect }: CodeLineProps) {
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
        <CodeText tokens={tokens} />
      </code>
    </div>
  );
}
