import { useQuery } from '@tanstack/react-query';
import { UnfoldVertical } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Hunk } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Spinner } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Gap, splitGap, splitGapLines } from './split-gap.ts';
import { Verbatim } from './verbatim.tsx';

/** Lines that one click reveals at each open end. */
const STEP = 50;

interface HiddenLinesProps {
  gap: Gap;
  /** File after the change. */
  source: { projectId: string; path: string; revision: string };
  /** Function or section that the following hunk is in. */
  section?: string | undefined;
  /** Draws revealed lines. */
  children: (hunk: Hunk) => ReactNode;
}

/** Button that reveals unchanged lines of a diff, next to the hunks first. */
export function HiddenLines({ gap, source, section, children }: HiddenLinesProps) {
  const { t } = useTranslation('parts');
  const [revealed, setRevealed] = useState(0);
  const { projectId, path, revision } = source;
  const query = useQuery({
    ...apiQuery('GET /projects/:id/text/*', {
      params: { id: projectId, '*': path },
      query: { ref: revision },
    }),
    enabled: revealed > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.error)
    return (
      <Notice kind="error" className="m-1" onRetry={() => query.refetch()}>
        {query.error.message}
      </Notice>
    );
  const { top, hidden, bottom } = splitGap(gap, query.data ? splitGapLines(query.data.text) : null, revealed);
  return (
    <>
      {top && children(top)}
      {hidden !== 0 && (
        <button
          type="button"
          onClick={() => setRevealed(revealed + STEP)}
          aria-busy={query.isFetching || undefined}
          className="flex min-h-6 w-full items-center gap-2 bg-select px-3 text-left text-sm leading-5 text-muted hover:text-action focus-visible:-outline-offset-2 print:hidden"
        >
          {query.isFetching ? <Spinner /> : <UnfoldVertical aria-hidden className="size-3.5 shrink-0" />}
          <span className="shrink-0">
            {hidden === null ? t('change.more_lines') : t('change.hidden_lines', { count: hidden })}
          </span>
          {section && (
            <span className="min-w-0 truncate font-mono">
              <Verbatim text={section} />
            </span>
          )}
        </button>
      )}
      {bottom && children(bottom)}
    </>
  );
}
