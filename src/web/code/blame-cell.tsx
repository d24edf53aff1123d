import { Undo2 } from 'lucide-react';
import { createContext, type KeyboardEvent, use } from 'react';
import { Link } from 'react-router';
import type { BlameRun } from '#contract/code.ts';
import type { CommitIssue } from '#contract/issues.ts';
import { useTranslation } from '../i18n.ts';
import { AgeBar, TimeAgo } from '../parts/age-mark.tsx';
import { commitUrl, fileUrl } from '../parts/citation.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Avatar } from '../ui/avatar.tsx';

/** Imported issues of the blamed commits, by hash. */
export const BlameIssues = createContext<ReadonlyMap<string, readonly CommitIssue[]>>(new Map());

interface BlameCellProps {
  projectId: string;
  runs: BlameRun[];
  line: number;
  /** First line of its chunk, where a run that began earlier is named again. */
  isFirst: boolean;
}

/**
 * Last change of a line, named on the first line of its run. One link of the column is in the tab order; arrow keys go to
 * the others.
 */
export function BlameCell({ projectId, runs, line, isFirst }: BlameCellProps) {
  const { t } = useTranslation('code');
  const now = useNow();
  const issues = use(BlameIssues);
  const run = findRun(runs, line);
  if (!run) return <span aria-hidden className="blame-width shrink-0 border-r border-border" />;
  const { hash, subject, author, timestamp, previous } = run;
  const isNamed = isFirst || run.start === line;
  const issue = issues.get(hash)?.[0];
  return (
    <div className="blame-width flex shrink-0 border-r border-border font-sans text-sm leading-5">
      <AgeBar timestamp={timestamp} now={now} />
      {isNamed && (
        // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between its links.
        <span className="flex h-5 min-w-0 flex-1 items-center gap-2 px-2 text-muted" onKeyDown={moveFocus}>
          <Link
            to={commitUrl(projectId, hash)}
            data-blame
            tabIndex={line === 1 ? 0 : -1}
            title={[subject, author, ...(issue ? [t('blame.from_issue', issue)] : [])].join('\n')}
            className="flex min-w-0 flex-1 gap-2 hover:text-action"
          >
            <Avatar name={author} size="tiny" className="mt-0.5 max-lg:hidden" />
            <span className="sr-only">{author}</span>
            <span className="min-w-0 flex-1 truncate">
              <Verbatim text={subject} />
            </span>
            {issue && (
              <span className="shrink-0 text-action">
                <span className="sr-only">{t('blame.from_issue', issue)}</span>
                <span aria-hidden>#{issue.number}</span>
              </span>
            )}
            <span className="shrink-0 whitespace-nowrap max-lg:hidden">
              <TimeAgo timestamp={timestamp} now={now} />
            </span>
          </Link>
          {previous && (
            <Link
              to={`${fileUrl(projectId, previous.path, { commit: previous.commit })}&view=blame#L${run.original_line}`}
              data-blame
              tabIndex={-1}
              aria-label={t('blame.before', { title: subject })}
              title={t('blame.before', { title: subject })}
              className="shrink-0 hover:text-action"
            >
              <Undo2 aria-hidden className="size-3.5" />
            </Link>
          )}
        </span>
      )}
    </div>
  );
}

/** Binary search: runs are ascending and cover the file. */
function findRun(runs: BlameRun[], line: number): BlameRun | undefined {
  let [low, high] = [0, runs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle]!.start <= line) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  return run && line >= run.start && line < run.start + run.lines ? run : undefined;
}

function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const links = [...document.querySelectorAll<HTMLElement>('[data-blame]')];
  const next = links[links.indexOf(event.target as HTMLElement) + step];
  event.preventDefault();
  next?.focus();
}
