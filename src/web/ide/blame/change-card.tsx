import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import type { BlameRun } from '#contract/code.ts';
import { apiQuery } from '../../api-query.ts';
import { useTranslation } from '../../i18n.ts';
import { AgeBar, TimeAgo } from '../../parts/age-mark.tsx';
import { commitUrl, editorUrl } from '../../parts/citation.ts';
import { useNow } from '../../parts/use-now.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { formatShortDateTime } from '../../ui/format-time.ts';

interface ChangeCardProps {
  projectId: string;
  run: BlameRun;
  style: CSSProperties;
  /** The pointer entered the card, or left it. */
  onKeep: (isInside: boolean) => void;
  onClose: () => void;
}

/** The commit that last changed some lines: its message, author and time, and the file before it. */
export function ChangeCard({ projectId, run, style, onKeep, onClose }: ChangeCardProps) {
  const { t, i18n } = useTranslation('editor');
  const now = useNow();
  const { hash, subject, author, timestamp, previous, original_line: line } = run;
  const commit = useQuery({
    ...apiQuery('GET /projects/:id/commits/:sha', { params: { id: projectId, sha: hash }, query: {} }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const body = commit.data?.body.trim();
  const rest = body?.startsWith(subject) ? body.slice(subject.length).trim() : body;
  return (
    <div
      role="tooltip"
      style={style}
      onPointerEnter={() => onKeep(true)}
      onPointerLeave={() => onKeep(false)}
      className="overlay-fade absolute z-20 flex w-96 max-w-[calc(100%-16px)] overflow-hidden rounded-lg border border-border bg-surface shadow-overlay"
    >
      <AgeBar timestamp={timestamp} now={now} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 px-3 py-2.5">
        <Link to={commitUrl(projectId, hash)} className="font-semibold wrap-anywhere hover:text-action">
          <Verbatim text={subject} />
        </Link>
        <p className="text-sm text-muted">
          <span className="text-foreground">
            <Verbatim text={author} />
          </span>{' '}
          · {formatShortDateTime(timestamp, i18n.language)} (<TimeAgo timestamp={timestamp} now={now} />) ·{' '}
          <span className="font-mono">{hash.slice(0, 7)}</span>
        </p>
        {rest && (
          <p className="max-h-32 overflow-y-auto text-sm wrap-anywhere whitespace-pre-line">
            <Verbatim text={rest} max={1_000} />
          </p>
        )}
        {previous && (
          <Link
            to={editorUrl(projectId, previous.path, { ref: previous.commit, from: line })}
            onClick={onClose}
            className="link inline-flex items-center gap-1.5 self-start text-sm"
          >
            <History aria-hidden className="size-3.5" />
            {t('blame.before')}
          </Link>
        )}
      </div>
    </div>
  );
}
