import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ErrorEventDetail, ErrorEventFrame } from '#contract/error-events.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { EditorLink } from '../parts/editor-link.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { foldFrames } from './fold-frames.ts';
import { formatEventText } from './format-event-text.ts';
import { FrameCode } from './frame-code.tsx';

type EventException = ErrorEventDetail['exceptions'][number];

/** Exceptions of an event, the thrown one first, each with its frames. */
export function EventExceptions({ projectId, event }: { projectId: string; event: ErrorEventDetail }) {
  const { t } = useTranslation('errors-page');
  return (
    <div>
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h3>{t('trace.title')}</h3>
        <CopyButton text={formatEventText(event)} />
      </div>
      <div className="flex flex-col gap-4">
        {event.exceptions.map((exception, index) => (
          <ExceptionView
            // biome-ignore lint/suspicious/noArrayIndexKey: exceptions of an event never move.
            key={index}
            projectId={projectId}
            exception={exception}
            isCause={index > 0}
          />
        ))}
      </div>
    </div>
  );
}

interface ExceptionProps {
  projectId: string;
  exception: EventException;
  isCause: boolean;
}

function ExceptionView({ projectId, exception, isCause }: ExceptionProps) {
  const { t } = useTranslation('errors-page');
  const { type, value, handled, mechanism, frames } = exception;
  const groups = foldFrames(frames);
  const first = groups.findIndex((group) => 'frame' in group);
  return (
    <div>
      <p className="mb-1 wrap-anywhere">
        {isCause && <span className="text-muted">{t('trace.cause')} </span>}
        <b className="font-mono text-code font-semibold">
          <Verbatim text={type ?? ''} />
        </b>{' '}
        <span className="font-mono text-code whitespace-pre-wrap">
          <Verbatim text={value ?? ''} />
        </span>
        {handled === false && (
          <span className="ml-2 text-sm text-muted">
            {t('trace.unhandled')}
            {mechanism && (
              <>
                {' · '}
                <span className="font-mono">{mechanism}</span>
              </>
            )}
          </span>
        )}
      </p>
      {frames.length > 0 && (
        <ol
          aria-label={t('trace.frames')}
          className="overflow-hidden rounded-md border border-border bg-surface"
        >
          {groups.map((group, index) =>
            'frame' in group ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: frames never move.
              <FrameRow key={index} projectId={projectId} frame={group.frame} isFirst={index === first} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: frames never move.
              <FoldedFrames key={index} projectId={projectId} frames={group.folded} />
            ),
          )}
        </ol>
      )}
    </div>
  );
}

/** Frames of libraries, in one line until they are opened. */
function FoldedFrames({ projectId, frames }: { projectId: string; frames: ErrorEventFrame[] }) {
  const { t } = useTranslation('errors-page');
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) {
    return frames.map((frame, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: frames never move.
      <FrameRow key={index} projectId={projectId} frame={frame} isFirst={false} />
    ));
  }
  return (
    <li className="border-border not-first:border-t">
      <button
        type="button"
        aria-expanded={false}
        onClick={() => setIsOpen(true)}
        className="flex min-h-8 w-full items-center px-3 text-sm text-muted hover:bg-select hover:text-foreground focus-visible:-outline-offset-2"
      >
        {t('trace.folded', { count: frames.length })}
      </button>
    </li>
  );
}

interface FrameRowProps {
  projectId: string;
  frame: ErrorEventFrame;
  /** The innermost frame shown: its code is open at first. */
  isFirst: boolean;
}

function FrameRow({ projectId, frame, isFirst }: FrameRowProps) {
  const { t } = useTranslation('errors-page');
  const hasCode = frame.text !== null;
  const [isOpen, setIsOpen] = useState(hasCode && isFirst);
  return (
    <li className="border-border not-first:border-t">
      <div className={clsx('flex min-h-8 items-center gap-2 px-3 py-1', !frame.in_app && 'text-muted')}>
        {hasCode ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={t('trace.code', { place: placeOf(frame) })}
            onClick={() => setIsOpen(!isOpen)}
            className="-ml-1 inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-select hover:text-foreground"
          >
            <ChevronRight aria-hidden className={clsx('size-4', isOpen && 'rotate-90')} />
          </button>
        ) : (
          <span className="w-5 shrink-0" />
        )}
        <FramePlace projectId={projectId} frame={frame} />
        {frame.file && <EditorLink projectId={projectId} path={frame.file} from={frame.line ?? undefined} />}
      </div>
      {isOpen && <FrameCode frame={frame} />}
    </li>
  );
}

/** `path:line` of a frame, in its source where it has one. */
function placeOf({ file, path, line }: ErrorEventFrame): string {
  return line === null ? (file ?? path) : `${file ?? path}:${line}`;
}

function FramePlace({ projectId, frame }: { projectId: string; frame: ErrorEventFrame }) {
  const { t } = useTranslation('errors-page');
  const { file, line, symbol, module, generated } = frame;
  return (
    <p className="min-w-0 flex-1 wrap-anywhere">
      {file ? (
        <Link
          to={fileUrl(projectId, file, line === null ? {} : { from: line })}
          className="font-mono text-code text-action hover:underline"
        >
          <Verbatim text={placeOf(frame)} />
        </Link>
      ) : (
        <span className={clsx('font-mono text-code', frame.in_app && 'font-medium')}>
          <Verbatim text={placeOf(frame)} />
        </span>
      )}
      {symbol && (
        <>
          {' '}
          <span className="text-muted">{t('trace.in')}</span>{' '}
          <span className="font-mono text-code">
            <Verbatim text={symbol} />
          </span>
        </>
      )}
      {module && !file && module !== frame.path && (
        <span className="ml-2 font-mono text-sm text-muted">
          <Verbatim text={module} />
        </span>
      )}
      {generated && (
        <span className="block font-mono text-sm text-muted">
          {t('trace.generated')}{' '}
          <Verbatim
            text={[generated.path, generated.line, generated.column]
              .filter((part) => part !== null)
              .join(':')}
          />
        </span>
      )}
    </p>
  );
}
