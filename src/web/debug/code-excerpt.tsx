import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ageBucket, ageColor } from '../parts/age.ts';
import { CodeText } from '../parts/code-text.tsx';
import { useHighlightedText } from '../parts/highlight.ts';
import { useNow } from '../parts/use-now.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { FrameRange } from './answer-frames.ts';

/** Lines before and after the marked ones. */
const CONTEXT_LINES = 4;
/** A longer range is a function: its beginning is shown, without a mark. */
const MAX_MARKED_LINES = 6;

interface CodeExcerptProps {
  projectId: string;
  /** Commit at which the file is read. */
  commit: string;
  range: FrameRange;
  /** Marks the lines in the colour of the cause. */
  cause: boolean;
}

/** Lines that an excerpt shows of a range; `isMarked` is false for a range as long as a function. */
function excerptOf({ from, to }: FrameRange) {
  const isMarked = to - from < MAX_MARKED_LINES;
  return isMarked
    ? { isMarked, from: Math.max(1, from - CONTEXT_LINES), to: to + CONTEXT_LINES }
    : { isMarked, from, to: from + 2 * CONTEXT_LINES };
}

/** Query of the part of a file around a range, at a commit, with who wrote each line. */
export function excerptQuery({ projectId, commit, range }: Omit<CodeExcerptProps, 'cause'>) {
  const { from, to } = excerptOf(range);
  return apiQuery('GET /projects/:id/files/*', {
    params: { id: projectId, '*': range.path },
    query: { ref: commit, from: String(from), to: String(to) },
  });
}

/** Lines of a file around a range, which is marked; each line has the age of its last change. */
export function CodeExcerpt({ projectId, commit, range, cause }: CodeExcerptProps) {
  const { t } = useTranslation('debug');
  const { isMarked, from, to } = excerptOf(range);
  const query = useQuery(excerptQuery({ projectId, commit, range }));
  if (query.error) {
    return (
      <Notice kind="error" className="m-3" onRetry={query.refetch}>
        {t('code.unavailable')} {query.error.message}
      </Notice>
    );
  }
  if (!query.data) {
    return (
      <div className="p-3" style={{ minHeight: `${(to - from + 1) * 20}px` }}>
        <Skeleton rows={['38%', '62%', '54%', '70%', '46%', '58%']} />
      </div>
    );
  }
  return <ExcerptLines file={query.data} range={isMarked ? range : null} cause={cause} />;
}

interface ExcerptLinesProps {
  file: ApiReply<'GET /projects/:id/files/*'>;
  range: FrameRange | null;
  cause: boolean;
}

function ExcerptLines({ file, range, cause }: ExcerptLinesProps) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const tokens = useHighlightedText(file.lines.join('\n'), file.path);
  const timestamps = new Map(
    file.blame.flatMap((run) =>
      Array.from({ length: run.lines }, (_, i): [number, string] => [run.start + i, run.timestamp]),
    ),
  );
  return (
    <div className="py-1 font-mono text-code">
      {tokens.map((line, index) => {
        const number = file.start + index;
        const isMarked = range !== null && number >= range.from && number <= range.to;
        return (
          <div key={number} className={clsx('flex', isMarked && (cause ? 'bg-cause-subtle' : 'bg-select'))}>
            <span
              aria-hidden
              className={clsx('w-1.5 shrink-0', isMarked && (cause ? 'bg-cause' : 'bg-action'))}
              style={
                isMarked ? undefined : { background: ageColor(ageBucket(timestamps.get(number) ?? '', now)) }
              }
            />
            <span
              className={clsx(
                'w-12 shrink-0 pr-3 text-right text-sm tabular-nums select-none',
                isMarked ? 'font-semibold text-foreground' : 'text-muted',
              )}
            >
              {number}
            </span>
            <code className="min-w-0 flex-1 pr-3 wrap-anywhere whitespace-pre-wrap">
              {isMarked && <span className="sr-only">{t('code.failing_line')} </span>}
              <CodeText tokens={line} />
            </code>
          </div>
        );
      })}
    </div>
  );
}
