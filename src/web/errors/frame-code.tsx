import { clsx } from 'clsx';
import type { ErrorEventFrame } from '#contract/error-events.ts';
import { useTranslation } from '../i18n.ts';
import { CodeText } from '../parts/code-text.tsx';
import { useHighlightedText } from '../parts/highlight.ts';

/** Lines around a frame as the event or its source map has them; the line of the frame is marked. */
export function FrameCode({ frame: { file, path, line, before, text, after } }: { frame: ErrorEventFrame }) {
  const { t } = useTranslation('errors-page');
  const lines = [...before, text ?? '', ...after];
  const tokens = useHighlightedText(lines.join('\n'), file ?? path);
  const from = line === null ? null : line - before.length;
  return (
    <div className="overflow-x-auto border-t border-border py-1 font-mono text-code">
      {lines.map((_, index) => {
        const isMarked = index === before.length;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move.
          <div key={index} className={clsx('flex', isMarked && 'bg-select')}>
            <span aria-hidden className={clsx('w-1 shrink-0', isMarked && 'bg-action')} />
            <span
              className={clsx(
                'w-13 shrink-0 pr-3 text-right text-sm tabular-nums select-none',
                isMarked ? 'font-semibold text-foreground' : 'text-muted',
              )}
            >
              {from === null ? '' : from + index}
            </span>
            <code className="min-w-0 flex-1 pr-3 wrap-anywhere whitespace-pre-wrap">
              {isMarked && <span className="sr-only">{t('trace.failing_line')} </span>}
              <CodeText tokens={tokens[index] ?? []} />
            </code>
          </div>
        );
      })}
    </div>
  );
}
