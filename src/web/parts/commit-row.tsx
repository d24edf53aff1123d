import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { firstLine } from '#contract/first-line.ts';
import type { Commit } from '#contract/projects.ts';
import { formatShortDateTime } from '../ui/format-time.ts';
import { AgeBar } from './age-mark.tsx';
import { commitUrl } from './citation.ts';
import { Verbatim } from './verbatim.tsx';

const MAX_FILES = 3;

/** Row of a commit: title, author, date, hash and up to three files. */
export function CommitRow({ projectId, commit, now }: { projectId: string; commit: Commit; now: number }) {
  const { t, i18n } = useTranslation('parts');
  const more = (commit.files_changed_count ?? commit.files_changed.length) - MAX_FILES;
  return (
    <li className="relative flex border-b border-border bg-surface hover:bg-select">
      <AgeBar timestamp={commit.timestamp} now={now} />
      <div className="grid min-w-0 flex-1 gap-x-4 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_auto]">
        <Link
          to={commitUrl(projectId, commit.hash)}
          className="min-w-0 font-medium wrap-anywhere max-sm:line-clamp-2 sm:truncate text-foreground after:absolute after:inset-0 hover:text-action"
        >
          <Verbatim text={firstLine(commit.message) || t('no_message')} />
        </Link>
        <p className="flex gap-3 text-muted max-sm:order-last max-sm:justify-between sm:justify-end">
          <time dateTime={commit.timestamp || undefined}>
            {formatShortDateTime(commit.timestamp, i18n.language) ?? t('invalid_time')}
          </time>
          <span className="w-[7ch] font-mono text-sm">{commit.hash.slice(0, 7)}</span>
        </p>
        <p className="flex min-w-0 flex-wrap gap-x-3 text-muted sm:col-span-2">
          <span className="max-w-full truncate">
            <Verbatim text={commit.author} />
          </span>
          {commit.files_changed.slice(0, MAX_FILES).map((path) => (
            <span key={path} className="max-w-full truncate font-mono text-sm">
              <Verbatim text={path} />
            </span>
          ))}
          {more > 0 && <span>{t('more_files', { count: more })}</span>}
        </p>
      </div>
    </li>
  );
}
