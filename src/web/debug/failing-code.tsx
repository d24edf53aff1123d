import { clsx } from 'clsx';
import { useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { EditorLink } from '../parts/editor-link.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import type { Session } from './answer.tsx';
import { type AnswerFrame, type FrameRange, listFrames, placeRange } from './answer-frames.ts';
import type { BlameStep } from './blame-stepper.tsx';
import { CodeExcerpt } from './code-excerpt.tsx';
import { MarkRight } from './mark-right.tsx';
import { PanelFrame } from './panel-frame.tsx';

const BlameStepper = lazyComponent(
  () => import('./blame-stepper.tsx').then((module) => module.BlameStepper),
  { early: true },
);

/** The code that fails, and the frames of the error; those in the repository can be selected. */
export interface FailingCode {
  frames: AnswerFrame[];
  /** Lines shown first; null when the answer points at no code. */
  range: FrameRange | null;
  symbol: string | null;
}

/** The lines that an answer claims to fail: of its guard, of its innermost own frame, or of its first place. */
export function findFailingCode({ request, answer }: Session): FailingCode {
  const frames = listFrames(request.error_message, answer);
  const { guard, places } = answer;
  // The indexed code no longer has the line that failed.
  if (answer.abstained || answer.changed_since) return { frames, range: null, symbol: null };
  if (guard) {
    const range = { path: guard.path, from: guard.start_line, to: guard.end_line };
    return { frames, range, symbol: null };
  }
  const own = frames.filter((frame) => frame.own);
  const frame = own.find((one) => one.own?.path === places[0]?.path) ?? own[0];
  if (frame?.own) return { frames, range: frame.own, symbol: frame.symbol };
  return { frames, range: placeRange(answer), symbol: places[0]?.symbol ?? null };
}

interface FailingCodePanelProps {
  session: Session;
  code: FailingCode;
  /** True when a commit is accused. */
  cause: boolean;
}

/** Code of the selected frame with its line marked, above who changed it last and the list of frames. */
export function FailingCodePanel({ session, code, cause }: FailingCodePanelProps) {
  const { t } = useTranslation('debug');
  const [selected, setSelected] = useState<AnswerFrame | null>(null);
  const { project_id: projectId, answer } = session;
  const current = selected?.own ?? code.range;
  const [steps, setSteps] = useState<BlameStep[]>([]);
  if (!current) return null;
  const { range, commit } = steps.at(-1) ?? { range: current, commit: answer.indexed_commit };
  const symbol = selected ? selected.symbol : code.symbol;
  const select = (frame: AnswerFrame) => {
    setSelected(frame);
    setSteps([]);
  };
  return (
    <PanelFrame
      label={t('code.title')}
      title={
        <span className="flex items-center gap-1">
          <CitationChip projectId={projectId} citation={{ kind: 'file', ...range, commit }} />
          <EditorLink projectId={projectId} {...range} commit={commit} />
        </span>
      }
      aside={
        symbol && (
          <>
            {t('code.in')}{' '}
            <span className="font-mono text-sm">
              <Verbatim text={symbol} />
            </span>
          </>
        )
      }
    >
      <CodeExcerpt
        projectId={projectId}
        commit={commit}
        range={range}
        cause={cause && steps.length === 0 && (selected === null || isSameRange(selected.own, code.range))}
      />
      <div className="mt-auto border-t border-border px-3 py-1 text-sm">
        <div className="flex flex-wrap items-center gap-x-2">
          <BlameStepper session={session} current={{ range, commit }} steps={steps} onSteps={setSteps} />
          {answer.places.some(({ path }) => path === current.path) && (
            <span className="ml-auto">
              <MarkRight session={session} target={{ path: current.path, line: current.from }} />
            </span>
          )}
        </div>
        {code.frames.length > 1 && <FrameList frames={code.frames} range={current} onSelect={select} />}
      </div>
    </PanelFrame>
  );
}

function isSameRange(a: FrameRange | null, b: FrameRange | null): boolean {
  return a?.path === b?.path && a?.from === b?.from;
}

const MAX_FRAMES = 5;

interface FrameListProps {
  frames: AnswerFrame[];
  range: FrameRange;
  onSelect: (frame: AnswerFrame) => void;
}

/** Frames, innermost first; those outside of the repository are greyed. */
function FrameList({ frames, range, onSelect }: FrameListProps) {
  const { t } = useTranslation('debug');
  const [expanded, setExpanded] = useState(false);
  // The frame that called into the repository stays; those of the runtime behind it do not.
  const initial = Math.min(MAX_FRAMES, frames.findLastIndex(({ own }) => own) + 2);
  const shown = expanded ? frames : frames.slice(0, initial);
  return (
    <div>
      <ol
        aria-label={t('code.frames')}
        data-print="text"
        className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 py-0.5"
      >
        {shown.map((frame, index) => (
          <li
            key={`${frame.path}:${frame.line}:${frame.symbol}`}
            className="flex min-w-0 items-center gap-1.5"
          >
            {index > 0 && (
              <span aria-hidden className="text-muted">
                ‹
              </span>
            )}
            <FrameItem
              frame={frame}
              selected={isSameRange(frame.own, range)}
              onSelect={() => onSelect(frame)}
            />
          </li>
        ))}
        {frames.length > initial && (
          <li>
            <button
              type="button"
              aria-expanded={expanded}
              className="link"
              onClick={() => setExpanded(!expanded)}
            >
              {expanded ? t('show_less') : t('code.more_frames', { count: frames.length - initial })}
            </button>
          </li>
        )}
      </ol>
    </div>
  );
}

interface FrameItemProps {
  frame: AnswerFrame;
  selected: boolean;
  onSelect: () => void;
}

function FrameItem({ frame, selected, onSelect }: FrameItemProps) {
  const { t } = useTranslation('debug');
  const { own, path, line, symbol } = frame;
  const file = (own?.path ?? path).split('/').at(-1) ?? '';
  const label = `${file}:${own?.from ?? line ?? ''}`;
  if (!own) {
    return (
      <span className="font-mono wrap-anywhere text-muted" title={`${path}:${line} · ${t('code.outside')}`}>
        <Verbatim text={label} />
        <span className="sr-only"> ({t('code.outside')})</span>
      </span>
    );
  }
  return (
    <button
      type="button"
      aria-pressed={selected}
      title={`${own.path}:${own.from}${symbol ? ` ${symbol}` : ''}`}
      className={clsx(
        'min-h-6 rounded-sm px-1 font-mono wrap-anywhere hover:bg-select',
        selected ? 'bg-select font-semibold text-foreground' : 'text-action',
      )}
      onClick={onSelect}
    >
      <Verbatim text={label} />
    </button>
  );
}
